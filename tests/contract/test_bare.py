"""The bare stage plays as the stage of the log does, and who plays ahead on it has nothing but what his seat knows."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.chance import Chance, Keyed
from referee.core.event import Event, Rolled
from referee.core.game import AnyGame, Imagines, imagined
from referee.core.names import Seat
from referee.core.position import told
from referee.core.question import Question
from referee.core.record import Acted, Answered, Filed, Given
from referee.games import GAMES, game_named
from referee.games.empire.game import GAME as EMPIRE
from referee.games.empire.orders.zero_turn import PlaceCapital
from referee.games.war.rulebook import MARKERS
from referee.kit.bare_stage import Bare
from referee.kit.stock import gathered
from tests.contract.bots import GameRecord, Plan, briefest, plans, play_bots
from tests.contract.conftest import LONGEST, UNDER_TEST
from tests.contract.test_secrecy import choice
from tests.match import create, secret_of

COMPARED = {"empire": (3, 0), "newworld": (6, 10), "war17": (5, 10), "war27": (5, 10)}
"""Whole matches, of those that the suite plays, and others for so many PHASES. The long run compares thousands."""

PHASES = 8

IN_A_LONG_RUN = 2_500
"""So many of each game; MATCHES=972:1400 plays a part of them."""


# ---------------------------------------------------------------- equal


class _AsLogged(Bare[Any]):
    """The log has every answer in the words of its menu, and the stage reads it there: what a sheet says must come back so."""

    def _settles(self, question: Question[Any]) -> bool:
        if not super()._settles(question):
            return False
        value, menu = self._answers[question.key].value, question.menu
        assert menu.decode(menu.encode(value)) == value, question.key
        return True


def check(record: GameRecord) -> None:
    """The same given to both stages has the same questions in the same positions, and the same events and throws."""
    bare = _AsLogged(record.game, record.created, Keyed(record.secret, 0), record.waits)
    asked = {question.key: (shown(question), bare.state) for question in bare.open}
    for given in record.records:
        match given:
            case Answered(key=key) if question := next((q for q in bare.open if q.key == key), None):
                bare.answer(question, question.menu.decode(given.value))
            case Acted(seat=seat, intent=intent):
                bare.act(seat, record.codec.intent(intent))
            case Filed(seat=seat, sheet=sheet):
                bare.file(seat, [record.codec.intent(line.intent) for line in sheet if isinstance(line, Given)])
        for question in bare.open:
            asked.setdefault(question.key, (shown(question), bare.state))
    assert asked == {question.key: (shown(question), state) for question, state in record.asked}
    for here, there in zip(bare.ended, record.ended, strict=True):
        assert (here.phase.key, here.before, here.after) == (there.phase.key, there.before, there.after)
        assert here.events == there.events, here.phase.key
    assert bare.state == record.state and (bare.phase is None) is record.over


def shown(question: Question[Any]) -> tuple[Any, ...]:
    """What a question has for who is asked."""
    menu = question.menu
    return question.seat, question.text, menu.words(), menu.default, question.pace, question.rule


def beginnings(game: AnyGame, number: int, phases: int, first: int = 0, end: int | None = None) -> Iterator[GameRecord]:
    """Matches that the suite does not play otherwise, for so many phases, or a part of them."""
    for plan in islice(plans(game, number, long=phases == LONGEST), first, end):
        yield play_bots(game, plan.players, dict(plan.options), 1_000 + plan.seed, phases)


def test_the_bare_stage_plays_as_the_stage_does(game: AnyGame, played: tuple[GameRecord, ...]) -> None:
    whole, begun = COMPARED.get(game.name, (len(played), 0))
    for record in (*briefest(played, whole), *beginnings(game, begun, PHASES)):
        check(record)


@pytest.mark.slow
def test_the_bare_stage_plays_as_the_stage_does_in_a_long_run(game: AnyGame) -> None:
    first, end = map(int, os.environ.get("MATCHES", f"0:{IN_A_LONG_RUN}").split(":"))
    for number, record in enumerate(beginnings(game, IN_A_LONG_RUN, LONGEST, first, end), first):
        check(record)
        print(f"{game.name}: match {number}, {len(record.ended)} phases", flush=True)


# ---------------------------------------------------------------- what a seat knows

FEW = 6
"""Matches of each game."""

ANSWERS = 16
"""So many answers of each."""


class HiddenOtherwise:
    """Dice of which only those fall otherwise that somebody is not told."""

    def __init__(self, secret: bytes) -> None:
        self._dice = Keyed(secret, 0), Keyed(secret_of("otherwise"), 0)

    def face(self, purpose: str, index: int, sides: int, hidden: bool = False) -> int:
        return self._dice[hidden].face(purpose, index, sides, hidden)


def named(name: str) -> AnyGame:
    return next(game for game in UNDER_TEST if game.name == name)


def begun(game: AnyGame, plan: Plan, dice: Callable[[bytes], Chance] = Keyed, salts: Sequence[int] = ()) -> Bare[Any]:
    """A match, and so many answers to what was open first, each from a salt."""
    secret = secret_of(f"seen {plan.seed}")
    bare = Bare(game, create(game, plan.players, dict(plan.options), secret), dice(secret))
    for salt in salts:
        bare.answer(bare.open[0], choice(bare.open[0], salt))
    return bare


def heard(bare: Bare[Any], seat: Seat) -> tuple[Event, ...]:
    """All that a seat was told."""
    return told([*(event for ended in bare.ended for event in ended.events), *bare.events], seat)


@pytest.mark.parametrize("name", ["toy", "war17", "war27"])
def test_dice_that_a_seat_was_not_told_are_not_in_what_it_plays_ahead_from(name: str) -> None:
    alike, game = 0, named(name)
    for plan in plans(game, 2 * FEW):
        one, other = begun(game, plan), begun(game, plan, HiddenOtherwise)
        while one.open and len(one.ended) < PHASES and [q.key for q in one.open] == [q.key for q in other.open]:
            for seat in game.living(one.state):
                if heard(one, seat) == heard(other, seat):
                    assert one.seen(seat) == other.seen(seat)
                    alike += one.state != other.state
            for match in (one, other):
                match.answer(match.open[0], choice(match.open[0], 0))
    assert alike > 0


@pytest.mark.parametrize("name", ["toy", "lode", "war17", "war27"])
def test_no_sheet_of_another_is_handed_on_while_it_is_sealed(name: str) -> None:
    differ, game = 0, named(name)
    for plan in plans(game, FEW):
        walked, salts = begun(game, plan), list[int]()
        while walked.open and len(walked.ended) < PHASES and len(salts) < ANSWERS:
            question, *others = walked.open
            if others and question.wants_orders:
                one, other = (begun(game, plan, salts=(*salts, salt)) for salt in (2, 3))
                differ += check_sealed(one, other, question)
            walked.answer(question, choice(question, 0))
            salts.append(0)
    assert differ > 0


def check_sealed(one: Bare[Any], other: Bare[Any], sealed: Question[Any]) -> bool:
    """Two matches that differ in a sealed sheet are one to all but its writer; each plays ahead with sheets of its own alone."""
    for seat in {question.seat for question in (sealed, *one.open)}:
        seen, own = one.seen(seat), seat == sealed.seat
        assert (sealed.key in seen.sheets) is own and (own or seen == other.seen(seat))
        ahead = Bare(one.game, seen, Keyed(b"ahead"))
        asked = {question.key for question in ahead.open}
        assert not asked & seen.sheets.keys()
        if asked >= {question.key for question in one.open}:  # and so it is the first that the phase asks for
            assert (sealed.key in asked) is not own
            assert rolled(ahead.events) == rolled(seen.heard)
    return one.seen(sealed.seat).sheets[sealed.key] != other.seen(sealed.seat).sheets[sealed.key]


def rolled(events: Sequence[Event]) -> list[Event]:
    """Dice that fell."""
    return [event for event in events if isinstance(event, Rolled)]


def test_squares_that_were_wished_for_second_stay_with_who_wrote_them() -> None:
    """emp.P3: capitals are placed one after the other, each by a list of which the others learn what was taken."""
    options = {setting.name: setting.default for setting in EMPIRE.settings} | {"board": "small", "last_turn": "2"}
    one, other = (begun(EMPIRE, Plan(2, tuple(options.items()), 0)) for _ in "12")
    asked, wishes = one.open[0], PlaceCapital(one.open[0].menu.sample(random.Random(1).randrange)[0].squares)
    assert len(wishes.squares) > 1
    one.answer(asked, (wishes,))
    other.answer(other.open[0], (PlaceCapital(wishes.squares[:1]),))
    seen = one.seen(one.open[0].seat)
    assert one.state == other.state and seen == other.seen(one.open[0].seat) and not seen.sheets
    assert one.seen(asked.seat) != other.seen(asked.seat)
    assert [question.key for question in Bare(EMPIRE, seen, Keyed(b"ahead")).open] == [asked.key]


# ---------------------------------------------------------------- what a seat does not know, drawn


def played(name: str, seed: int) -> Bare[Any]:
    """A game of bots in which explorers have seen natives that others have not."""
    plan = next(plan for plan in plans(game_named(name), 2 * FEW) if plan.seed == seed)
    stage = begun(game_named(name), plan)
    while stage.open and len(stage.ended) < 60:
        stage.answer(stage.open[0], choice(stage.open[0], 0))
    return stage


def markers(war: Any) -> dict[str, Any]:
    """The native markers on the board."""
    return {land.name: land.marker for land in war.lands.values() if land.marker is not None}


@pytest.mark.parametrize("seed", [2, 6])
@pytest.mark.parametrize("name", ["war27", "war17"])
def test_markers_that_a_seat_has_not_seen_are_drawn_from_the_cup(name: str, seed: int) -> None:
    stage, drawn = played(name, seed), 0
    for seat in stage.game.living(stage.state):
        known = stage.seen(seat).before
        found = imagined(stage.game, known, seat, Keyed(bytes(32), seed))
        before, after = markers(known), markers(found)
        assert after.keys() == before.keys()
        for place, marker in before.items():
            assert after[place].strength
            if marker.strength:
                assert after[place] == marker
            else:
                drawn += 1
                assert (after[place].face_up, after[place].seen_by) == (marker.face_up, marker.seen_by)
        whole = gathered([marker.name for marker in after.values()])
        assert all(whole.get(kind, 0) + found.markers.get(kind, 0) == number for kind, number in MARKERS.items())
        assert replace(found, lands=known.lands, markers=known.markers, chits=known.chits) == known
    assert drawn


def test_games_whose_positions_are_known_to_all_need_not_imagine() -> None:
    assert {game.name for game in GAMES if isinstance(game, Imagines)} == {"war17", "war27"}
