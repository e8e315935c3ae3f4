"""The stage: a match is run from its log again and again, and must come out the same every time."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from referee.core.chance import Chance, Keyed
from referee.core.event import PhaseEnded, Rolled, Ruled
from referee.core.game import Phase
from referee.core.names import Seat
from referee.core.order import Comparison, Condition, Predicate
from referee.core.position import Diverged, Position, fold, intents_in, start
from referee.core.question import Pace, Question, Source
from referee.core.record import Acted, Answered, Created, Filed, Given, Happened, If, Overrode, Record, Rewound
from referee.core.stage import Outcome, Unsealed, resume
from referee.core.table import Script, Table
from tests.contract.bots import GameRecord, play_bots
from tests.match import Match, codec_of, create, events_of, secret_of, sheet_of
from tests.standins import Recorded
from tests.toy import (
    TOY,
    Bid,
    BidMade,
    Challenge,
    CoinsGiven,
    CopperTossed,
    Give,
    PrizeChallenged,
    PrizeWon,
    Standoff,
    Toss,
    Toy,
)

ANN, BOB, CYD = Seat("Ann"), Seat("Bob"), Seat("Cyd")
SECRET = secret_of("stage")
CODEC = codec_of(TOY)


def match(players: int = 2, waits: Callable[[Question[Any]], bool] = lambda _: True, **options: str) -> Match:
    return Match(TOY, create(TOY, players, options, SECRET), SECRET, waits)


def bid(played: Match, **coins: int) -> None:
    for seat, number in coins.items():
        played.answer(played.open(f"{seat}/orders"), (Bid(number),))


def finish(played: Match, phase: str) -> None:
    """Answer by default until a phase is over."""
    while played.ended[-1].phase.key != phase:
        question = played.outcome.open[0]
        played.answer(question, question.menu.default)


def run(records: Sequence[Record], inputs: Sequence[Record] = (), chance: Chance | None = None) -> Outcome[Standoff]:
    """A log run from its very beginning."""
    (created, *tail) = records
    assert isinstance(created, Created)
    dice = chance or Keyed(SECRET, 0)
    return resume(TOY, CODEC, start(TOY, created), tail, inputs, Unsealed(dice), lambda _: True)


@pytest.fixture(scope="module")
def played() -> GameRecord:
    """A bot game of three with asides, standing orders, challenges and burning."""
    return play_bots(TOY, 3, {"rounds": "3", "challenges": "yes"}, seed=13)


def is_input(record: Record) -> bool:
    """What players and game masters bring, as against what the stage writes by itself."""
    own = isinstance(record, Answered) and record.source not in (Source.ORDERS, Source.STANDING)
    return own or isinstance(record, Filed | Acted | Overrode)


# ---------------------------------------------------------------- resume by replay


def test_the_game_of_these_tests_has_everything(played: GameRecord) -> None:
    kinds = {type(record) for record in played.records}
    assert {Created, Happened, Answered, Filed, Acted} <= kinds
    sources = {record.source for record in played.records if isinstance(record, Answered)}
    assert {Source.PLAYER, Source.ORDERS, Source.STANDING} <= sources


def test_from_every_prefix_of_the_log_the_match_goes_on_the_same(played: GameRecord) -> None:
    dice = Keyed(played.secret, 0)
    for cut in range(1, len(played.records) + 1):
        log = list(played.records[:cut])
        later = [record for record in played.records[cut:] if is_input(record)]
        position = start(TOY, played.created)
        log += resume(TOY, CODEC, position, log[1:], (), Unsealed(dice), lambda _: True).written
        for record in later:
            log += resume(TOY, CODEC, position, log[1:], (record,), Unsealed(dice), lambda _: True).written
        assert "\n".join(map(CODEC.dump, log)) == played.log


def test_from_every_boundary_the_match_goes_on_the_same(played: GameRecord) -> None:
    for cut in range(1, len(played.records) + 1):
        position, tail, events = fold(TOY, CODEC, played.records[:cut])
        straight = run(played.records[:cut], chance=Keyed(played.secret, 0))
        again = resume(TOY, CODEC, position, tail, (), Unsealed(Keyed(played.secret, 0)), lambda _: True)
        assert again.state == straight.state
        assert again.written == straight.written
        assert again.asked == straight.asked
        assert [q.key for q in again.open] == [q.key for q in straight.open]
        assert again.drawers == straight.drawers
        assert again.position == straight.position
        assert events == tuple(CODEC.event(r.event) for r in played.records[:cut] if isinstance(r, Happened))


def test_replay_writes_nothing_and_finds_every_phase(played: GameRecord) -> None:
    out = run(played.records, chance=Keyed(played.secret, 0))
    assert out.written == () and out.over and out.open == ()
    assert [ended.phase.key for ended in out.ended] == ["deal", "R1", "R2", "R3"]
    assert [ended.after for ended in out.ended] == [ended.after for ended in played.ended]
    assert out.ended[1].answers == tuple(r for r in played.records if isinstance(r, Answered) and r.key[:2] == "R1")


def test_rolls_can_be_replayed_without_the_secret() -> None:
    log = match()
    bid(log, Ann=2, Bob=1)
    faces = {
        (event.purpose, event.first + i): face
        for event in log.events
        if isinstance(event, Rolled)
        for i, face in enumerate(event.faces)
    }

    class Known(Recorded):
        """Rolled faces from the log; draws, which the log keeps as items, from the secret."""

        def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
            deck = purpose.endswith("card")
            return (
                Keyed(SECRET, 0).face(purpose, index, sides, hidden)
                if deck
                else super().face(purpose, index, sides, hidden)
            )

    assert run(log.records, chance=Known(faces)).written == ()


# ---------------------------------------------------------------- divergence


def put(records: Sequence[Record], place: int, record: Record) -> list[Record]:
    return [*records[:place], record, *records[place + 1 :]]


def test_any_event_changed_is_found(played: GameRecord) -> None:
    for place, record in enumerate(played.records):
        if isinstance(record, Happened):
            forged = Happened(CODEC.raw(CoinsGiven(ANN, BOB, 10_000)))
            with pytest.raises(Diverged):
                run(put(played.records, place, forged), chance=Keyed(played.secret, 0))


def test_any_event_left_out_or_put_in_is_found(played: GameRecord) -> None:
    extra = Happened(CODEC.raw(CoinsGiven(ANN, BOB, 10_000)))
    for place in range(1, len(played.records) - 1):
        with pytest.raises(Diverged):
            run([*played.records[:place], extra, *played.records[place:]], chance=Keyed(played.secret, 0))
        if isinstance(played.records[place], Happened):
            with pytest.raises(Diverged):
                run([*played.records[:place], *played.records[place + 1 :]], chance=Keyed(played.secret, 0))


def test_any_die_changed_is_found(played: GameRecord) -> None:
    dice = [
        place
        for place, r in enumerate(played.records)
        if isinstance(r, Happened) and b'"type":"Rolled"' in bytes(r.event)
    ]
    assert len(dice) > 3
    for place in dice:
        record = played.records[place]
        assert isinstance(record, Happened)
        event = CODEC.event(record.event)
        assert isinstance(event, Rolled)
        forged = msgspec.structs.replace(event, faces=tuple(face % event.sides + 1 for face in event.faces))
        with pytest.raises(Diverged):
            run(put(played.records, place, Happened(CODEC.raw(forged))), chance=Keyed(played.secret, 0))


def test_another_secret_or_epoch_is_found(played: GameRecord) -> None:
    for chance in (Keyed(played.secret, 1), Keyed(SECRET, 0)):
        with pytest.raises(Diverged, match="Drawn"):
            run(played.records, chance=chance)


def test_an_answer_changed_is_found() -> None:
    log = match()
    bid(log, Ann=3, Bob=1)
    (place,) = (i for i, r in enumerate(log.records) if isinstance(r, Answered) and r.seat == ANN)
    record = log.records[place]
    for value in (b'[{"type":"Bid","coins":4}]', b"[]", b'[{"type":"Toss"}]', b"3", b""):
        with pytest.raises(Diverged):
            run(put(log.records, place, msgspec.structs.replace(record, value=msgspec.Raw(value))))


@pytest.mark.parametrize("key", ["R1/Ann/orders", "R1/Bob/challenge", "R9/Ann/orders"])
def test_an_answer_to_a_question_that_is_not_open_is_found(key: str) -> None:
    log = match()
    bid(log, Ann=3)
    with pytest.raises(Diverged, match=f"answers {key}, which is not open"):
        log.run(Answered(key, ANN, msgspec.Raw(b"[]"), Source.PLAYER))


def test_after_a_divergence_the_match_stands_as_before() -> None:
    log = match()
    bid(log, Ann=3)
    before = log.log()
    with pytest.raises(Diverged):
        log.run(Answered("R9/Ann/orders", ANN, msgspec.Raw(b"[]"), Source.PLAYER))
    assert log.log() == before
    bid(log, Bob=1)


@pytest.mark.parametrize(
    "record",
    [Created("toy", (ANN,), {}, ""), Rewound(1, "Gil", ""), Happened(CODEC.raw(Toss()))],
    ids=["created", "rewound", "happened"],
)
def test_a_record_out_of_place_is_found(record: Record) -> None:
    with pytest.raises(Diverged):
        match().run(record)


def test_an_aside_of_another_game_is_found() -> None:
    with pytest.raises(Diverged, match="none of this game's"):
        match().run(Acted(ANN, msgspec.Raw(b'{"type":"Sing"}')))


def test_a_log_that_goes_on_after_the_end_is_found(played: GameRecord) -> None:
    for record in (Acted(ANN, CODEC.raw(Toss())), Happened(CODEC.raw(Ruled("x", "Gil"))), played.created):
        with pytest.raises(Diverged, match="after the end"):
            run([*played.records, record], chance=Keyed(played.secret, 0))


def test_a_log_must_begin_with_the_creation() -> None:
    with pytest.raises(Diverged, match="begins with"):
        fold(TOY, CODEC, match().records[1:])


class Broken(Toy):
    """A game whose aside lets a StopIteration escape, as a careless next() does."""

    def aside(self, table: Table[Standoff], seat: Seat, intent: Any) -> None:
        next(iter(()))


def test_a_fault_in_the_rules_is_never_taken_for_the_end_of_a_phase() -> None:
    game = Broken()
    log = Match(game, create(game, 2, {}, SECRET), SECRET)
    with pytest.raises(StopIteration):
        log.act(ANN, Toss())
    assert not log.ended[1:]


# ---------------------------------------------------------------- asides, rulings, overrides


def test_asides_between_answers_are_replayed_in_their_place() -> None:
    """Ann's purse is 10; whether her bid counts in full hangs on when Bob was given what."""
    results = set()
    for order in itertools.permutations(("bid", "give", "toss")):
        log = match()
        for act in order:
            if act == "bid":
                bid(log, Ann=9)
            else:
                log.act(ANN, Give(5, BOB) if act == "give" else Toss())
        bid(log, Bob=0)
        assert run(log.records).written == ()
        kinds = [type(record) for record in log.records if isinstance(record, Answered | Acted)]
        results.add(tuple(kinds))
        assert CoinsGiven(ANN, BOB, 5) in log.events
        assert any(isinstance(event, CopperTossed) for event in log.events)
    assert len(results) == 3


def test_the_dice_of_an_aside_shift_no_others() -> None:
    calm, eager = match(), match()
    for _ in range(3):
        eager.act(BOB, Toss())
    bid(calm, Ann=1, Bob=0)
    bid(eager, Ann=1, Bob=0)
    assert [e for e in eager.events if isinstance(e, PrizeWon)] == [e for e in calm.events if isinstance(e, PrizeWon)]
    faces = [event.faces for event in eager.events if isinstance(event, Rolled) and "copper" in event.why]
    assert len(faces) == 3 and len({event.first for event in eager.events if isinstance(event, Rolled)}) > 1


def test_a_ruling_stands_where_it_was_made() -> None:
    log = match()
    ruling = Ruled("Bids are final.", "Gil", "toy.bid")
    bid(log, Ann=1)
    log.run(Happened(CODEC.raw(ruling)))
    bid(log, Bob=0)
    finish(log, "R1")
    assert ruling in log.ended[1].events
    assert run(log.records).written == ()
    assert ruling.sentence() == "The game master Gil ruled (citing toy.bid): Bids are final."


def test_an_override_changes_nothing_on_the_table() -> None:
    log = match()
    before = log.outcome
    log.run(Overrode("PAUSE", "Gil", "holidays"))
    assert (log.outcome.state, [q.key for q in log.outcome.open]) == (before.state, [q.key for q in before.open])
    bid(log, Ann=1, Bob=0)
    assert run(log.records).written == ()


def test_after_the_end_sheets_and_overrides_may_follow(played: GameRecord) -> None:
    out = run(
        [*played.records, Overrode("ANNOUNCE: thanks", "Gil")],
        [Filed(ANN, "turn:9", sheet_of(CODEC, Bid(1)))],
        Keyed(played.secret, 0),
    )
    assert out.over and len(out.written) == 1
    assert (ANN, "turn:9") in out.drawers


# ---------------------------------------------------------------- sheets on file


def test_drafts_end_with_their_phase_and_other_drawers_stay() -> None:
    log = match(challenges="no")
    for drawer in ("orders:R1/Ann/orders", "standing", "late", "turn:3"):
        log.file(ANN, drawer, Bid(1))
    assert len(log.outcome.drawers) == 4
    finish(log, "R1")
    assert set(log.outcome.drawers) == {(ANN, "standing"), (ANN, "late"), (ANN, "turn:3")}
    assert set(log.position.drawers) == set(log.outcome.drawers)


def test_a_new_sheet_replaces_the_old_one_and_an_empty_one_clears_the_drawer() -> None:
    log = match()
    log.file(ANN, "standing", Bid(1), Bid(2))
    log.file(BOB, "standing", Bid(4))
    log.file(ANN, "standing", Bid(3))
    assert log.outcome.drawers[ANN, "standing"] == sheet_of(CODEC, Bid(3))
    log.file(ANN, "standing")
    assert set(log.outcome.drawers) == {(BOB, "standing")}
    assert run(log.records).drawers == log.outcome.drawers


def test_standing_orders_settle_a_question_without_waiting() -> None:
    log = match()
    log.file(BOB, "standing", Challenge((ANN,)))
    bid(log, Ann=1, Bob=0)
    (settled,) = (r for r in log.records if isinstance(r, Answered) and r.key == "R1/Bob/challenge")
    assert (settled.source, bytes(settled.value)) == (Source.STANDING, b'"challenge"')
    assert run(log.records).written == ()


def test_orders_given_this_turn_come_before_standing_orders() -> None:
    log = match(players=3)
    log.file(BOB, "standing", Challenge((ANN,)))
    log.answer(log.open("Bob/orders"), (Challenge((CYD,)),))
    bid(log, Ann=1, Cyd=0)
    (settled,) = (r for r in log.records if isinstance(r, Answered) and r.key == "R1/Bob/challenge")
    assert (settled.source, bytes(settled.value)) == (Source.ORDERS, b'"let it pass"')


def test_orders_of_one_phase_say_nothing_in_the_next() -> None:
    log = match(challenges="yes")
    log.answer(log.open("Bob/orders"), (Challenge((ANN,)),))
    bid(log, Ann=1)
    finish(log, "R1")
    bid(log, Ann=1, Bob=0)
    assert [question.key for question in log.outcome.open] == ["R2/Bob/challenge"]


class Encore(Toy):
    """A game whose later rounds ask for challenges without asking for orders."""

    def next_phase(self, state: Standoff) -> Phase[Standoff] | None:
        phase = super().next_phase(state)
        if phase is None or phase.turn < 2:
            return phase
        return Phase(phase.key, phase.turn, phase.title, lambda table: self._challenge(table, ANN, BOB))


def test_orders_end_with_their_phase_also_where_the_next_follows_at_once() -> None:
    game = Encore()
    log = Match(game, create(game, 2, {}, SECRET), SECRET)
    log.answer(log.open("Bob/orders"), (Challenge((CYD,)),))
    bid(log, Ann=1)
    finish(log, "R1")
    assert [question.key for question in log.outcome.open] == ["R2/Bob/challenge"]


def test_standing_orders_never_answer_for_an_order_sheet() -> None:
    log = match()
    log.file(ANN, "standing", Bid(3))
    assert {question.key for question in log.outcome.open} == {"R1/Ann/orders", "R1/Bob/orders"}


RICH: Condition = Predicate("coins", comparison=Comparison.AT_LEAST, number=10)


def test_conditions_of_a_sheet_are_judged_when_it_is_used() -> None:
    sheet = (If("coins >= 10", RICH, sheet_of(CODEC, Challenge((ANN,))), sheet_of(CODEC, Challenge((CYD,)))),)
    for gift, expected in ((0, b'"challenge"'), (1, b'"let it pass"')):
        log = match(players=3)
        log.run(Filed(BOB, "standing", sheet))
        bid(log, Ann=1, Bob=0)
        if gift:
            log.act(BOB, Give(gift, CYD))
        bid(log, Cyd=0)
        (settled,) = (r for r in log.records if isinstance(r, Answered) and r.key == "R1/Bob/challenge")
        assert bytes(settled.value) == expected
        assert run(log.records).written == ()


def test_the_intents_of_a_sheet_keep_their_order() -> None:
    state = match().outcome.state
    inner = If("coins >= 10", RICH, sheet_of(CODEC, Bid(2)), sheet_of(CODEC, Bid(3)))
    sheet = (*sheet_of(CODEC, Bid(1)), If("coins >= 10", RICH, (inner,)), *sheet_of(CODEC, Toss()))
    assert intents_in(TOY, CODEC, state, ANN, sheet) == (Bid(1), Bid(2), Toss())
    assert all(isinstance(line, Given | If) for line in sheet)


# ---------------------------------------------------------------- who is waited for


def test_where_nobody_waits_for_letters_the_default_answers_at_once() -> None:
    log = match(waits=lambda question: question.pace is not Pace.REPLY)
    bid(log, Ann=1, Bob=0)
    (settled,) = (r for r in log.records if isinstance(r, Answered) and r.key == "R1/Bob/challenge")
    assert (settled.source, bytes(settled.value)) == (Source.DEFAULT, b'"let it pass"')
    assert log.outcome.phase is not None and log.outcome.phase.key == "R2"


class Hasty(Toy):
    """A game that sends nobody a letter about challenges."""

    def _challenge(self, table: Table[Standoff], winner: Seat, seat: Seat) -> Script[None]:
        script = super()._challenge(table, winner, seat)
        for question in next(script):
            question.pace = Pace.AUTO
            answer = yield from table.ask(question)
            with contextlib.suppress(StopIteration):
                script.send((answer,))


def test_a_question_without_letter_is_settled_by_standing_orders_or_by_default_at_once() -> None:
    for standing, source in (((), Source.DEFAULT), ((Challenge((CYD,)),), Source.STANDING)):
        log = Match(Hasty(), create(Hasty(), 2, {}, SECRET), SECRET)
        log.file(BOB, "standing", *standing)
        bid(log, Ann=1, Bob=0)
        (settled,) = (r for r in log.records if isinstance(r, Answered) and r.key == "R1/Bob/challenge")
        assert (settled.source, bytes(settled.value)) == (source, b'"let it pass"')


def test_order_sheets_are_waited_for_whatever_the_policy() -> None:
    log = match(waits=lambda _: False)
    assert {question.key for question in log.outcome.open} == {"R1/Ann/orders", "R1/Bob/orders"}


def test_a_change_of_policy_leaves_what_was_answered() -> None:
    log = match(waits=lambda _: False)
    bid(log, Ann=1, Bob=0)
    assert run(log.records).written == ()


def test_secret_answers_are_in_together_or_not_at_all() -> None:
    log = match(players=3)
    bid(log, Bob=2)
    assert [question.key for question in log.outcome.open] == ["R1/Ann/orders", "R1/Cyd/orders"]
    assert not any(isinstance(event, PrizeWon) for event in log.events)
    bid(log, Cyd=1, Ann=0)
    assert PrizeWon(BOB, 2, log.outcome.state.prize) in log.events


def test_an_answer_may_bring_another_question_or_none() -> None:
    """A challenge that fails asks nothing more; one that succeeds asks for the share."""
    outcomes = set()
    for number in range(8):
        secret = secret_of(f"challenge {number}")
        log = Match(TOY, create(TOY, 2, {}, secret), secret)
        bid(log, Ann=1, Bob=0)
        log.answer(log.open("challenge"), True)
        share = [question for question in log.outcome.open if question.key.endswith("share")]
        if share:
            log.answer(share[0], 1)
        (event,) = (event for event in log.events if isinstance(event, PrizeChallenged))
        outcomes.add(event.coins)
    assert outcomes == {0, 1}


def test_lateness_and_source_reach_the_log() -> None:
    log = match()
    log.answer(log.open("Ann/orders"), (Bid(1),), Source.LATE_INSTRUCTION, 3)
    record = log.records[-1]
    assert isinstance(record, Answered) and (record.source, record.late_by) == (Source.LATE_INSTRUCTION, 3)


# ---------------------------------------------------------------- running phase by phase


def test_a_run_can_stop_after_so_many_phases() -> None:
    created = create(TOY, 2, {}, SECRET)
    out = resume(TOY, CODEC, start(TOY, created), (), (), Unsealed(Keyed(SECRET, 0)), lambda _: True, phases=1)
    assert [ended.phase.key for ended in out.ended] == ["deal"]
    assert out.open == () and events_of(CODEC, out.written)[-1] == PhaseEnded("deal", "The deal")
    assert out.position == Position(out.state, {}, 1 + len(out.written))


def test_no_input_vanishes_in_a_run_that_stops_early() -> None:
    created = create(TOY, 2, {}, SECRET)
    note = Overrode("PAUSE", "Gil")
    with pytest.raises(ValueError, match="PAUSE"):
        resume(TOY, CODEC, start(TOY, created), (), (note,), Unsealed(Keyed(SECRET, 0)), lambda _: True, phases=1)


class Circling(Toy):
    """Rules with a mistake: after the deal comes the deal."""

    def next_phase(self, state: Standoff) -> Phase[Standoff] | None:
        return super().next_phase(self.setup((Seat("Ann"), Seat("Ben")), {"rounds": "3", "challenges": "no"}))


def test_rules_that_do_not_move_on_are_a_fault_and_write_nothing() -> None:
    created = create(TOY, 2, {}, SECRET)
    game = Circling()
    with pytest.raises(Diverged, match="deal would follow upon itself"):
        resume(game, CODEC, start(game, created), (), (), Unsealed(Keyed(SECRET, 0)), lambda _: True)


class Silent(Toy):
    """A game whose only phase asks nobody anything."""

    def next_phase(self, state: Standoff) -> Phase[Standoff] | None:
        return Phase("deal", 0, "Nothing", self._nothing) if state.begun < 0 else None

    def _nothing(self, table: Table[Standoff]) -> Script[None]:
        yield from table.ask_all(())


def test_a_phase_may_ask_nothing_at_all() -> None:
    game = Silent()
    log = Match(game, create(game, 2, {}, SECRET), SECRET)
    assert log.outcome.over and len(log.events) == 2


class Punctual(Toy):
    """A bid is of as many coins as seconds had passed when it came."""

    def _round(self, table: Table[Standoff]) -> Script[None]:
        (seat, *_) = table.state.purses
        yield from table.ask(self._orders(table, seat))
        yield from self._challenge(table, BOB, seat)
        table.emit(BidMade(seat, table.at))
        yield from table.ask(self._orders(table, BOB))


def test_what_follows_from_orders_is_of_their_moment_when_it_is_played_again_too() -> None:
    game = Punctual()
    log = Match(game, create(game, 2, {}, SECRET), SECRET)
    question = log.open("Ann/orders")
    sheet = msgspec.Raw(question.menu.encode((Bid(1), Challenge((CYD,)))))
    log.run(Answered(question.key, ANN, sheet, Source.PLAYER, at=1_000))
    log.run()
    assert [event.coins for event in log.events if isinstance(event, BidMade)] == [1_000]
