"""Every game plays itself out, folds to its state, repeats itself exactly and keeps its books."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Any

import msgspec
import pytest

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.game import AnyGame
from referee.core.position import Position, fold, knowledge, start, told
from referee.core.question import Source
from referee.core.record import Acted, Answered, Filed, Given, Happened, If, Sheet
from referee.core.stage import Outcome, Unsealed, resume
from referee.games import GAMES
from tests.contract.bots import GameRecord, Plan, briefest, plans, play_bots, play_silent, readers
from tests.contract.conftest import LONGEST
from tests.contract.effort import effort_of
from tests.contract.test_secrecy import forked_by_dice, hidden_throws
from tests.match import Match
from tests.toy import TOY

SOME = 8
"""Every so-manieth bot game is played again phase by phase."""
STAGES_OWN = (Source.ORDERS, Source.STANDING)


def test_if_nobody_writes_the_game_still_ends(game: AnyGame) -> None:
    for plan in list(plans(game, 6)):
        record = play_silent(game, plan.players, dict(plan.options), plan.seed, LONGEST)
        assert record.over, plan
        final = game.score(record.state)
        assert final.final and bool(final.winners()) is final.ranked, plan
        sources = {answer.source for ended in record.ended for answer in ended.answers}
        assert sources <= {Source.DEFAULT, *STAGES_OWN}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_two_may_play_and_nobody_alone(game: AnyGame) -> None:
    options = {setting.name: setting.default for setting in game.settings}
    assert game.refuse_options(options, 2) is None
    assert "is for 2 to" in (game.refuse_options(options, 1) or "")


def test_bots_play_every_game_to_its_end(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        assert record.over, record.created
        assert record.game.next_phase(record.state) is None
        assert record.game.score(record.state).final


def test_all_settings_and_numbers_of_players_get_their_turn(game: AnyGame, played: tuple[GameRecord, ...]) -> None:
    used = {pair for record in played for pair in record.created.options.items()}
    every = {(setting.name, value) for setting in game.settings for value in setting.values}
    assert used == {pair for pair in every if not is_long(game, pair)}
    lawful = {plan.players for plan in plans(game)}
    assert {len(record.created.seats) for record in played} == lawful


def is_long(game: AnyGame, pair: tuple[str, str]) -> bool:
    """Whether only the long run plays games with this setting."""
    most = effort_of(game.name).most_turns
    return most is not None and pair[0] == "last_turn" and int(pair[1]) > most


def test_the_fold_of_the_events_is_the_state(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        assert fold(record.game, record.codec, record.records)[0].state == record.state
        for ended in record.ended:
            assert reduce(record.game.evolve, ended.events, ended.before) == ended.after, ended.phase.key


def turned(event: Event) -> Event:
    """The event with every dictionary in it the other way round."""
    dicts = {name: value for name in event.__struct_fields__ if isinstance(value := getattr(event, name), dict)}
    return msgspec.structs.replace(event, **{name: dict(reversed(value.items())) for name, value in dicts.items()})


def test_what_an_event_does_and_says_hangs_on_no_order_of_a_dictionary(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        world = record.game.setup(record.created.seats, record.created.options)
        events = [(event, turned(event)) for event in record.events]
        assert [event for event, other in events if event.sentence() != other.sentence()] == []
        assert reduce(record.game.evolve, (other for _, other in events), world) == record.state


def test_every_phase_goes_on_from_its_log_alone(played: tuple[GameRecord, ...]) -> None:
    """As after a new start of the service in every phase: the position before it is folded from what was written."""
    for record in played[::SOME]:
        position = start(record.game, record.created)
        while record.game.next_phase(position.state) is not None:
            position = gone_on(record, position)
        assert position.state == record.state


def gone_on(record: GameRecord, position: Position[Any]) -> Position[Any]:
    """The position after one more phase, folded from its events as the log gives them back."""
    outcome = rerun(record, position, phases=1)
    assert outcome.written == ()
    (ended,) = outcome.ended
    read = [record.codec.event(record.codec.raw(event)) for event in ended.events]
    state = reduce(record.game.evolve, read, position.state)
    assert state == ended.after, ended.phase.key
    return msgspec.structs.replace(outcome.position, state=state)


def rerun(record: GameRecord, since: Position[Any] | None = None, phases: int | None = None) -> Outcome[Any]:
    """The log, run again from its very beginning or from a position, to its end or for so many phases."""
    dice = Keyed(record.secret, 0)
    position = since or start(record.game, record.created)
    rest = record.records[position.count :]
    return resume(record.game, record.codec, position, rest, (), Unsealed(dice), lambda _: True, phases)


def test_the_log_run_again_from_its_start_says_nothing_new(played: tuple[GameRecord, ...]) -> None:
    for record in briefest(played, 4):
        check_rerun(record)


def check_rerun(record: GameRecord) -> None:
    out = rerun(record)
    assert out.written == () and out.over
    assert [e.events for e in out.ended] == [e.events for e in record.ended]


def test_the_same_inputs_make_the_same_log_byte_for_byte(played: tuple[GameRecord, ...]) -> None:
    for record in briefest(played, 3):
        match = Match(record.game, record.created, record.secret, waits=record.waits)
        for given in record.records:
            waits = isinstance(given, Answered) and any(question.key == given.key for question in match.outcome.open)
            if waits or isinstance(given, Filed | Acted):
                match.run(given)
        assert match.log() == record.log


def test_everything_goes_through_the_codec_unchanged(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        codec = record.codec
        for written, line in zip(record.records, record.log.splitlines(), strict=True):
            assert codec.load(line) == written
            assert codec.dump(codec.load(line)) == line
            if isinstance(written, Happened):
                assert codec.raw(codec.event(written.event)) == written.event
            elif isinstance(written, Acted):
                assert codec.raw(codec.intent(written.intent)) == written.intent
            elif isinstance(written, Filed):
                assert all(codec.raw(codec.intent(raw)) == raw for raw in intents_of(written.sheet))


def intents_of(sheet: Sheet) -> list[msgspec.Raw]:
    """The intents of a sheet, those of its IF blocks included."""
    found: list[msgspec.Raw] = []
    for line in sheet:
        match line:
            case Given(intent=intent):
                found.append(intent)
            case If(then=then, otherwise=otherwise):
                found += [*intents_of(then), *intents_of(otherwise)]
    return found


def test_the_books_balance_after_every_phase(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        for ended in record.ended:
            assert record.game.audit(ended.before, ended.events, ended.after) == (), ended.phase.key


def test_phases_and_questions_have_names_of_their_own(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        phases = Counter(ended.phase.key for ended in record.ended)
        answers = Counter(given.key for given in record.records if isinstance(given, Answered))
        assert phases.most_common(1)[0][1] == 1
        assert answers.most_common(1)[0][1] == 1
        turns = [ended.phase.turn for ended in record.ended]
        assert turns == sorted(turns)


# ---------------------------------------------------------------- determinism


FEW = 2
"""Games of each kind."""

PHASES = 25
"""So many phases of a game show whether a set was walked through in an order that it does not have."""


def digests() -> str:
    """The hashes of the logs of a few games of each kind: what must not hang on the interpreter's hash seed."""
    logs = [
        play_bots(game, plan.players, dict(plan.options), plan.seed, PHASES).log
        for game in (TOY, *GAMES)
        for plan in plans(game, FEW)
    ]
    return " ".join(hashlib.sha256(log.encode()).hexdigest()[:16] for log in logs)


def test_a_game_hangs_on_nothing_but_its_inputs_and_its_secret() -> None:
    script = "from tests.contract.test_play import digests; print(digests())"
    apart = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "4242")
    ]
    one, other = (process.communicate()[0].split() for process in apart)
    assert [process.returncode for process in apart] == [0, 0]
    assert len(one) == FEW * len((TOY, *GAMES)) and one == other


# ---------------------------------------------------------------- the long run


@pytest.mark.slow
def test_the_long_run(game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    ends: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    longest: tuple[int, Plan | None] = (0, None)
    phases = forks = same = 0
    for plan in plans(game, effort_of(game.name).long_run, long=True):
        record = play_bots(game, plan.players, dict(plan.options), plan.seed, LONGEST)
        assert record.over, plan
        check_one(record)
        tried, alike = check_no_leak(record, plan.seed)
        forks, same, phases = forks + tried, same + alike, phases + len(record.ended)
        sizes[plan.players] += 1
        ends[f"{len(game.score(record.state).winners())} first"] += 1
        longest = max(longest, (len(record.ended), plan), key=lambda pair: pair[0])
    with capsys.disabled():
        said = ", ".join(f"{how}: {number}" for how, number in sorted(ends.items()))
        tables = ", ".join(f"{number} of {players}" for players, number in sorted(sizes.items()))
        print(
            f"\n{game.name}: {ends.total()} games played to the end ({said}; players: {tables}), {phases} phases; "
            f"{forks} hidden throws thrown otherwise, {same} boundaries alike; "
            f"the longest, {longest[1]}, {longest[0]} phases"
        )


def check_one(record: GameRecord) -> None:
    """Fold, replay and books of one game."""
    world = record.game.setup(record.created.seats, record.created.options)
    assert reduce(record.game.evolve, record.events, world) == record.state
    assert reduce(record.game.evolve, map(turned, record.events), world) == record.state
    check_rerun(record)
    for ended in record.ended:
        assert record.game.audit(ended.before, ended.events, ended.after) == ()


def check_no_leak(record: GameRecord, seed: int) -> tuple[int, int]:
    """What each reader was told folds to what he knows, and a hidden throw that falls otherwise shows him nothing.

    Returns how many throws fell otherwise, and at how many boundaries the two histories were one to their reader.
    """
    rng, game = random.Random(seed), record.game
    world = game.setup(record.created.seats, record.created.options)
    for reader in readers(record):
        known = knowledge(game, record.created.seats, record.created.options, record.events, reader)
        folded = reduce(game.evolve, told(record.events, reader), world)
        assert folded == known
        assert reduce(game.evolve, told(told(record.events, reader), reader), world) == known
    throws = list(hidden_throws(record, rng.choice(readers(record))))
    chosen = rng.sample(throws, min(2, len(throws)))
    return len(chosen), sum(forked_by_dice(*fork) for fork in chosen)


# ---------------------------------------------------------------- a position as JSON


LOOKED_AT = 40
"""So many positions of each game, of whole games and of what was known at their end."""


def positions(record: GameRecord) -> Iterator[Any]:
    """Where somebody was asked, and what everybody knew in the end."""
    states = [state for _, state in record.asked]
    yield from states[:: len(states) // LOOKED_AT + 1]
    for reader in readers(record):
        yield knowledge(record.game, record.created.seats, record.created.options, record.events, reader)


def test_a_position_comes_back_as_it_was_sent(played: tuple[GameRecord, ...]) -> None:
    looked_at = 0
    for record in briefest(played, 4):
        for state in positions(record):
            assert msgspec.json.decode(msgspec.json.encode(state), type=type(state)) == state
            looked_at += 1
    assert looked_at >= LOOKED_AT // 2
