"""PLACE CAPITAL and PICK: the zero turn, and the picks of the start (emp.P3, emp.P5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar, Self

from referee.core.choices import Asking, Choice, Nothing, one, placed, several
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.empire.deeds import Stage
from referee.games.empire.deeds.moving import LINES, PICKS, TAKEN, how_many, longest_walk, show_picks, wholly
from referee.games.empire.events.course import PicksChosen
from referee.games.empire.orders.base import Deed
from referee.games.empire.orders.fields import Name, Way, hexes
from referee.games.empire.position import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.conditions import may_settle
from referee.kit.declared import Declared, Plain, Words, once_a_position
from referee.kit.fields import Field, Got, Leads, Said
from referee.kit.refused import ForGood, Refused
from referee.kit.wording import counted

ZERO_TURN = "zero turn"
"""The phase of what is said before the first slot."""

_USUAL = ("cargo ship", "truck", "road")
"""Picks a form begins with."""


# ---------------------------------------------------------------- the capital

_WISHES = 100
"""So many squares for a capital are chosen step by step; a line has an end."""


class _Sites(Field[tuple[Position, ...]]):
    """Squares, best first."""

    most = None

    def read(self, said: Said) -> tuple[Position, ...]:
        return tuple(thing.name for thing in said.order.things)

    def things(self, value: tuple[Position, ...], state: Empire) -> tuple[Thing, ...]:
        return hexes(value)


@once_a_position()
def _free(empire: Empire) -> tuple[list[Choice[Position]], list[Choice[Position]]]:
    """The natural starts that are free, and all other squares that are; each step of the order asks for them again."""
    starts = [placed(at, "a natural start") for at in empire.board.starts if may_settle(empire, at)]
    others = [placed(at) for at in empire.board.squares if at not in empire.board.starts and may_settle(empire, at)]
    return starts, others


class PlaceCapital(Declared[Empire], frozen=True):
    """Squares wanted for the capital, best first, and its name (emp.P3)."""

    squares: tuple[str, ...]
    name: str = ""

    words = Words(
        "PLACE CAPITAL",
        "name squares for your capital, best first, and what it is called",
        "emp.P3",
        'PLACE CAPITAL c12r7, c14r8 NAMED "Rome"',
        ("CAPITAL", "PLACE CAPITAL IN", "PLACE CAPITAL ON", "PLACE CAPITAL AT", "CAPITAL AT"),
    )
    plain = Plain("Capital here", rank=1)
    fields = (_Sites("squares", ("hex",), say=", ".join), Name("name", "NAMED"))
    says = "Place your capital on the first of these that is lawful: {squares}."
    phase: ClassVar[str] = ZERO_TURN

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Free squares, natural starts first, as many as one likes; and a name, which may be missing but should not."""
        if empire.stage == "play":
            raise Nothing
        starts, others = _free(empire)
        usual = tuple(choice.word for choice in (starts or others)[: 2 * len(empire.seats)])
        squares = yield from several("squares", [*starts, *others], 1, _WISHES, usual)
        name = f"{seat} City"
        return cls(squares, (yield from one("name", [Choice(name, name, "or any other name")])))

    def check(self, empire: Empire, seat: Seat) -> None:
        if empire.stage == "play":
            raise Refused("Capitals are placed once, before the first turn.", "emp.P3", self.words.verb)
        for at in self.squares if empire.board.squares else ():
            if at not in empire.board.squares:
                raise Refused(f"{at} is no square of this board.", "emp.board.square", at)


# ---------------------------------------------------------------- the picks


class _Picks(Field[tuple[str, ...]]):
    """Picks by name: 6 road are one pick, 3 oil tankers one, 2 trucks two."""

    most = 6

    def read(self, said: Said) -> tuple[str, ...]:
        count = how_many(said.state)
        picks = tuple(pick for thing in said.order.things for pick in _picked(thing, count))
        if len(picks) != count:
            right = (*picks, *(picks[-1],) * (count - len(picks)))[:count]
            lines = (f"PICK {', '.join(map(_in_words, right))}",)
            words = f"That makes {counted(len(picks), 'picks')}; take {count}."
            raise Refused(words, "emp.P5", said.order.things[-1].name, lines)
        return picks

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[str, ...]]]:
        """The pick that never wants for a place."""
        yield Choice(_USUAL[0], _USUAL[:1] * how_many(state))

    def asked(self, state: Empire, seat: Seat, got: Got, leads: Leads[tuple[str, ...]]) -> Asking[tuple[str, ...]]:
        """One pick after the other."""
        count, picks = how_many(state), tuple[str, ...]()
        for number in range(count):
            rest = _USUAL[:1] * (count - number - 1)
            able = [pick for pick in (*PICKS, *LINES) if leads((*picks, pick, *rest))]
            usual = next((pick for pick in (*_USUAL[number:], *_USUAL) if pick in able), "")
            picks += ((yield from one(f"pick {number + 1}", [Choice(p, p, _in_words(p)) for p in able], usual)),)
        return picks

    def things(self, value: tuple[str, ...], state: Empire) -> tuple[Thing, ...]:
        return tuple(Thing("pick", pick) for pick in value)


def _size(pick: str) -> int:
    return LINES[pick][1] if pick in LINES else len(PICKS[pick])


def _in_words(pick: str) -> str:
    """One pick as it is ordered: `6 road`, `3 oil tankers`, `truck`."""
    size = _size(pick)
    return f"{size} {pick}" if size > 1 else pick


def _picked(thing: Thing, count: int) -> tuple[str, ...]:
    size = _size(thing.name)
    number = thing.count(size)
    if number and number % size == 0:
        return (thing.name,) * (number // size)
    if size > 2 and 0 < number <= 2:  # 1 road, 2 road: as many picks
        return (thing.name,) * number
    line = f"PICK {', '.join([_in_words(thing.name)] * count)}"
    raise Refused(f"{thing.name} comes in lots of {size}.", "emp.P5", thing.name, (line,))


_AS_WALKED = Choice[tuple[Position, ...]]("as they walked", (), "the longest way that your coolies went on turn 1")


class _Along(Way):
    """Where lines lie, which goes without saying: a part of a way that coolies walked."""

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[tuple[Position, ...]]]:
        yield _AS_WALKED

    def asked(
        self, state: Empire, seat: Seat, got: Got, leads: Leads[tuple[Position, ...]]
    ) -> Asking[tuple[Position, ...]]:
        """From where, and as far as where."""

        def ends(way: tuple[Position, ...]) -> list[Choice[tuple[Position, ...]]]:
            parts = (way[:end] for end in range(len(way), 0, -1))
            return [Choice(part[-1], part, "", part[-1]) for part in parts if leads(part)]

        ways = _walked(state, seat) if any(pick in LINES for pick in got["picks"]) else []
        from_each = {way[at]: way[at:] for way in reversed(ways) for at in range(len(way))}
        starts = [Choice(at, way, "", at) for at, way in from_each.items() if ends(way)]
        way = (yield from one("along", [_AS_WALKED, *starts])) if ways else ()
        return (yield from one("as far as", ends(way))) if way else ()


class TakePicks(Deed, frozen=True):
    """The two picks of the start (emp.P5)."""

    picks: tuple[str, ...]
    path: tuple[str, ...] = ()

    words = Words(
        "PICK",
        "take your two picks of the start; ALONG says where lines lie, on squares your coolies walked on turn 1",
        "emp.P5",
        "PICK truck, cargo ship",
        ("TAKE",),
    )
    plain = Plain("Choose your picks", theme="Start")
    fields = (_Picks("picks", ("pick",), say=" and ".join), _Along("path", "ALONG", ", ".join, needed=False))
    says = "Take {picks} as your picks."

    def act(self, stage: Stage, seat: Seat) -> None:
        """Noted on turn 1, there at once on turn 2."""
        empire, country, rule = stage.state, str(seat), self.words.rule
        if country not in empire.countries or empire.turn > 2 or empire.picks.get(country) == TAKEN:
            raise ForGood("Picks are taken once, on turn 1 or 2.", rule, "TAKE")
        strange = [pick for pick in self.picks if pick not in PICKS and pick not in LINES]
        if strange:
            raise ForGood(f"{strange[0]} is none of the picks.", rule, strange[0], (*PICKS, *LINES))
        count = how_many(empire)
        if len(self.picks) != count:
            raise ForGood(f"Take {count} picks; the same one twice is allowed.", rule, "TAKE")
        walked = empire.walked.get(country, ())
        for here in self.path:
            if here not in empire.board.grid:
                raise ForGood(f"{here} is not on the board.", rule, here)
            if empire.turn == 2 and here not in walked:
                raise ForGood(f"None of your coolies was in {here} on turn 1.", rule, here, walked[:3])
        for here, there in pairwise(self.path):
            if empire.board.grid.direction(here, there) is None:
                raise ForGood(f"{there} does not border {here}.", rule, there)
        stage.emit(PicksChosen(country, self.picks, self.path))
        if empire.turn == 2:
            show_picks(stage, country)

    def sensible(self, empire: Empire, seat: Seat) -> bool:
        """Whether every line finds a place."""
        return wholly(empire, str(seat), self.picks, self.path)


def _walked(empire: Empire, seat: Seat) -> list[tuple[Position, ...]]:
    """The ways on which the coolies of a country went on turn 1, as far as they have gone, each square of one once."""
    if empire.turn > 1:
        ways = {longest_walk(empire, str(seat))}
    else:
        ways = {empire.trails.get(unit.number, ()) for unit in empire.units_of(str(seat), "coolie")}
    return sorted(tuple(dict.fromkeys(way)) for way in ways)
