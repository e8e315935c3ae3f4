"""An open phase played anew by mended rules: what was given is taken again where it still fits, with the same dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
import pytest

from referee.core.chance import Chance, Keyed
from referee.core.choices import Choice
from referee.core.event import Event, PhaseBegan, Rolled
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.position import Diverged, fold
from referee.core.question import OneOf, Pace, Question, Source
from referee.core.record import Acted, Answered, Filed, Opened, Record, Renewed, Sealed, kind_of, live
from referee.core.stage import Anew, Dice, Unsealed, play_anew, resume
from referee.core.table import Script, Table
from tests.match import Match, codec_of, create, events_of, secret_of, sheet_of
from tests.toy import TOY, Bid, PrizeShown, Standoff, Toss, Toy

ANN, BOB = Seat("Ann"), Seat("Bob")
SECRET = secret_of("anew")
CODEC = codec_of(TOY)


class Dearer(Toy):
    """Prizes are rolled with three dice."""

    build = "dearer"

    def _round(self, table: Table[Standoff]) -> Script[None]:
        table.roll(1, 6, "the wrapping", "toy.prize")
        yield from super()._round(table)


class Sworn(Toy):
    """Before the bids everybody is asked for an oath."""

    build = "sworn"

    def _round(self, table: Table[Standoff]) -> Script[None]:
        seats = tuple(table.state.purses)
        menu = OneOf((Choice("yes", True), Choice("no", False)), False)
        keys = [(f"{table.phase}/{seat}/oath", seat) for seat in seats]
        yield from table.ask_all(
            [Question(key, seat, "Your oath?", menu, Pace.REPLY, "toy.prize") for key, seat in keys]
        )
        yield from super()._round(table)


class Poorer(Toy):
    """Nobody may bid any more: the bids are asked for by another name."""

    build = "poorer"

    def _orders(self, table: Table[Standoff], seat: Seat) -> Question[tuple[Intent, ...]]:
        asked = super()._orders(table, seat)
        return Question(f"{table.phase}/{seat}/secret", seat, asked.text, asked.menu, asked.pace, asked.rule)


def opened() -> Match:
    """Ann has bid and tossed a copper, Bob has a draft; the first round waits for him."""
    log = Match(TOY, create(TOY, 2, {}, SECRET), SECRET, lambda _: True)
    log.answer(log.open("Ann/orders"), (Bid(3),))
    log.run(Acted(ANN, CODEC.raw(Toss())))
    log.run(Filed(BOB, "orders:R1/Bob/orders", sheet_of(CODEC, Bid(1))))
    return log


def anew(game: Toy, log: Match, dice: Dice | None = None) -> Anew[Standoff]:
    position, tail, _ = fold(TOY, CODEC, log.records)
    return play_anew(game, CODEC, position, tail, dice or Unsealed(Keyed(SECRET, 0)), lambda _: True)


def given(records: Iterable[Record]) -> list[tuple[str, str]]:
    return [(kind_of(record), record.seat) for record in records if isinstance(record, Answered | Acted | Filed)]


@dataclass(frozen=True)
class Told:
    events: tuple[Event, ...]

    def faces(self, why: str) -> tuple[int, ...]:
        return next(event.faces for event in self.events if isinstance(event, Rolled) and event.why == why)


def test_the_same_rules_give_the_same_and_leave_nothing_out() -> None:
    log = opened()
    again = anew(TOY, log)
    assert again.left_out == () and [q.key for q in again.outcome.open] == ["R1/Bob/orders"]
    assert list(again.outcome.written) == log.records[-len(again.outcome.written) :]


def test_changed_rules_diverge_in_a_strict_run_and_go_on_anew_with_the_same_dice_and_answers() -> None:
    log = opened()
    position, tail, _ = fold(TOY, CODEC, log.records)
    with pytest.raises(Diverged):
        resume(Dearer(), CODEC, position, tail, (), Unsealed(Keyed(SECRET, 0)), lambda _: True)
    again = anew(Dearer(), log)
    before, after = Told(events_of(CODEC, tail)), Told(again.outcome.events)
    assert after.faces("the prize") == before.faces("the prize") and after.faces("the wrapping")
    assert again.left_out == () and given(again.inputs) == given(tail)
    assert [question.key for question in again.outcome.open] == ["R1/Bob/orders"]
    assert again.outcome.drawers[BOB, "orders:R1/Bob/orders"] == sheet_of(CODEC, Bid(1))


def test_a_phase_that_began_under_other_rules_is_read_as_it_stands_where_they_give_the_same() -> None:
    log = opened()

    class Reworded(Toy):
        build = "reworded"

    position, tail, _ = fold(TOY, CODEC, log.records)
    outcome = resume(Reworded(), CODEC, position, tail, (), Unsealed(Keyed(SECRET, 0)), lambda _: True)
    (began,) = (event for event in outcome.events if isinstance(event, PhaseBegan))
    assert began.build == TOY.build != "reworded" and outcome.written == ()


def test_an_answer_behind_a_new_question_is_left_out() -> None:
    """Nobody knows yet whether Ann's bid will be asked for again; by mail her sheet is on file still."""
    log = opened()
    again = anew(Sworn(), log)
    assert [question.key for question in again.outcome.open] == ["R1/Ann/oath", "R1/Bob/oath"]
    assert [type(record) for record in again.left_out] == [Answered]
    assert not any(isinstance(event, PrizeShown) for event in again.outcome.events)


def test_an_answer_whose_question_is_gone_is_left_out_and_its_player_asked_again() -> None:
    again = anew(Poorer(), opened())
    (left,) = again.left_out
    assert isinstance(left, Answered) and left.seat == ANN
    assert [question.key for question in again.outcome.open] == ["R1/Ann/secret", "R1/Bob/secret"]


@pytest.mark.parametrize("game", [TOY, Dearer(), Sworn(), Poorer()], ids=lambda game: game.build)
def test_a_strict_run_of_what_was_taken_comes_to_the_same(game: Toy) -> None:
    log = opened()
    again = anew(game, log)
    position, _, _ = fold(TOY, CODEC, log.records)
    strict = resume(game, CODEC, position, (), again.inputs, Unsealed(Keyed(SECRET, 0)), lambda _: True)
    assert (strict.written, strict.state, strict.drawers) == (
        again.outcome.written,
        again.outcome.state,
        again.outcome.drawers,
    )


def test_what_is_renewed_is_dead_from_the_boundary_on() -> None:
    log = opened()
    position, _, _ = fold(TOY, CODEC, log.records)
    again = anew(Dearer(), log)
    to = position.count - 1
    change = Renewed(to, 2, "dearer", "0.2.1")
    alive = live(enumerate([*log.records, change, *again.outcome.written]))
    assert [entry.record for entry in alive] == [*log.records[: to + 1], *again.outcome.written]
    folded, tail, _ = fold(Dearer(), CODEC, [entry.record for entry in alive])
    assert folded == position and tail == again.outcome.written


class Numbered:
    """Dice of the number of their seal."""

    def __init__(self) -> None:
        self._number = 0

    def seal(self, written: Sequence[Record], hidden: bool, held: Sealed | None, more: bool) -> Sealed:
        self._number += 1
        return Sealed(self._number, hidden=hidden, again=held.again or held.number if held else 0)

    def under(self, seal: Sealed | None, opened: Opened | None) -> Chance:
        assert seal is not None
        return Keyed(SECRET, seal.again or seal.number)


class Promised(Toy):
    """Whoever bids has sworn by that; the prize is thrown for afterwards."""

    build = "promised"
    wraps = False

    def _round(self, table: Table[Standoff]) -> Script[None]:
        yield from table.ask(self._orders(table, ANN))
        if self.wraps:
            table.roll(1, 6, "the wrapping", "toy.prize")
        menu = OneOf((Choice("yes", True), Choice("no", False)), False)
        yield from table.ask(Question(f"{table.phase}/oath", ANN, "Your oath?", menu, Pace.REPLY, "toy.prize", bool))
        table.roll(2, 6, "the prize", "toy.prize")
        yield from table.ask(self._orders(table, BOB))


class Wrapped(Promised):
    """Before the oath there is a die."""

    build = "wrapped"
    wraps = True


def test_a_new_die_has_the_seal_of_the_letter_that_it_follows_whatever_was_answered_from_orders_since() -> None:
    """Else the dice behind it would come of a new seal, and be others."""
    dice = Numbered()
    log = Match(Promised(), create(TOY, 2, {}, SECRET), SECRET, dice=dice)
    question = log.open("Ann/orders")
    value = msgspec.Raw(question.menu.encode((Bid(3),)))
    log.run(Answered(question.key, ANN, value, Source.PLAYER, at=1_000))
    assert [record.at for record in log.records if isinstance(record, Answered)] == [1_000, 0]
    again = anew(Wrapped(), log, dice)
    before, after = Told(log.events), Told(again.outcome.events)
    assert after.faces("the prize") == before.faces("the prize") and after.faces("the wrapping")
    assert [record.again for record in again.outcome.written if isinstance(record, Sealed)] == [2]
    assert [question.key for question in again.outcome.open] == ["R1/Bob/orders"]
