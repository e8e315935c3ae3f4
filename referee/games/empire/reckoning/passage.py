"""What a border lets through: which media a land unit crosses it by, and which water a ship follows.

Rivers run along borders, so a ship on a river, at a coast or in a dock stands in a land square, on the harbour of that
square. Lines are kept by border name, canals by square; see `Ways`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from referee.games.empire.position.board import Board, edge
from referee.kit.hexes import opposite, turned

BY_SQUARE = ("canal",)
"""Networks kept by the name of their square; others by the border they cross (`board.edge`), a widening by its river's."""

_TURNS = tuple((way, turned(way, 1), turned(way, -1)) for way in ("N", "E", "Q", "S", "W", "P"))
_BLOCKS_SHIPS = frozenset({"reef", "mountain", "falls"})


def _blocks(features: tuple[str, ...]) -> bool:
    """Whether something on a border stops ships; most borders are bare."""
    return bool(features) and not _BLOCKS_SHIPS.isdisjoint(features)


class Ways:
    """A board with its lines and cities: what every border lets through. Pure; build it once per state of the networks."""

    def __init__(self, board: Board, lines: Mapping[str, tuple[str, ...]], cities: frozenset[str]) -> None:
        self.board, self.lines, self.cities = board, lines, cities
        self.grid = board.grid
        self._land: dict[tuple[str, str], tuple[str, ...]] = {}
        self._harbours: dict[str, tuple[str, ...]] = {}
        self._joined_to: dict[str, tuple[str, ...]] = {}

    def on(self, here: str, direction: str) -> tuple[str, ...]:
        """The lines that cross a border."""
        return self.lines.get(edge(self.grid, here, direction), ()) if self.lines else ()

    def canal(self, here: str) -> bool:
        """Whether a canal runs through a square."""
        return "canal" in self.lines.get(here, ())

    def water(self, here: str) -> bool:
        """Whether a square is sea or lake."""
        return here in self.board.waters

    # land

    def land(self, here: str, direction: str) -> tuple[str, ...]:
        """By what a land unit crosses a border: the terrain entered, road, rail; nothing when it cannot (emp.H-09).

        Mountains need a mountain road, a double river a bridge; a city gives road and rail to who enters it, and to who
        leaves it for a square that has them. Between sub-squares made one again it is "joined", and free (II.D).
        """
        key = (here, direction)
        found = self._land.get(key)
        if found is None:
            found = self._land[key] = self._crossed(here, direction)
        return found

    def _crossed(self, here: str, direction: str) -> tuple[str, ...]:
        there = self.grid.step(here, direction)
        if there is None or self.water(there):
            return ()
        features, lines = self.board.border(here, direction), self.on(here, direction)
        over = "mountain road" in lines or "tunnel" in lines
        if ("mountain" in features and not over) or ("double river" in features and "bridge" not in lines):
            return ()
        road = over or self._joined("road", here, there, lines)
        rail = self._joined("rail", here, there, lines)
        if self.merged(here, direction):
            return ("joined", "rail") if rail else ("joined",)
        terrain = self.board.squares[there].terrain
        paved = "ice-road" if terrain == "ice" and there not in self.cities else "road"
        return (terrain, *((paved,) if road else ()), *(("rail",) if rail else ()))

    def _joined(self, what: str, here: str, there: str, lines: tuple[str, ...]) -> bool:
        return what in lines or there in self.cities or (here in self.cities and self._has(what, there))

    def _has(self, what: str, here: str) -> bool:
        return any(what in self.on(here, way) for way, _ in self.grid.around(here))

    def merged(self, here: str, direction: str) -> bool:
        """Whether a border inside a divided square has been bridged or tunnelled: both sides are one square again (II.D)."""
        if "divided" not in self.board.border(here, direction):
            return False
        lines = self.on(here, direction)
        joined = any(line in lines for line in ("mountain road", "tunnel", "bridge", "road", "rail"))
        return joined and not self.barrier(here, direction)

    def one_square(self, here: str) -> tuple[str, ...]:
        """The sub-squares that are one square with this one, itself first."""
        found = [here]
        for name in found:
            ways = (there for way, there in self.grid.around(name) if self.merged(name, way))
            found += [there for there in ways if there not in found]
        return tuple(found)

    def barrier(self, here: str, direction: str) -> str:
        """What stops land units at a border, in words; empty when nothing does."""
        there = self.grid.step(here, direction)
        if there is None:
            return "the edge of the board"
        if self.water(there):
            return f"the {self.board.squares[there].terrain}"
        features, lines = self.board.border(here, direction), self.on(here, direction)
        if "mountain" in features and not ("mountain road" in lines or "tunnel" in lines):
            return "mountains without a mountain road"
        return "a double river without a bridge" if "double river" in features and "bridge" not in lines else ""

    def ridge(self, here: str, direction: str) -> bool:
        """Whether mountains without a road or tunnel through them lie on a border."""
        lines = self.on(here, direction)
        open_ = "mountain road" in lines or "tunnel" in lines
        return "mountain" in self.board.border(here, direction) and not open_

    # water

    def wet(self, here: str, direction: str) -> str:
        """The water at a border of a land square: the water square beyond it or the name of the river; empty: none."""
        there = self.grid.step(here, direction)
        features = self.board.border(here, direction)
        if there is None or _blocks(features):
            return ""
        if self.water(there):
            return there
        return edge(self.grid, here, direction) if "river" in features or "double river" in features else ""

    def river(self, here: str, direction: str) -> str:
        """The kind of river on a border as ships see it: river, double-river (also a widened one), or none."""
        features = self.board.border(here, direction)
        if "double river" in features or ("river" in features and "widening" in self.on(here, direction)):
            return "double-river"
        return "river" if "river" in features else ""

    def harbour(self, here: str) -> tuple[str, ...]:
        """The borders of a land square at which a ship in it lies (emp.board.harbour, a house rule).

        The longest unbroken stretch of its water, the first clockwise from north among equals; with a canal all of it.
        """
        found = self._harbours.get(here)
        if found is None:
            found = self._harbours[here] = self._stretch(here)
        return found

    def _stretch(self, here: str) -> tuple[str, ...]:
        wet = [way for way, _, _ in _TURNS if self.wet(here, way)]
        heads = [way for way in wet if not self._joins(here, turned(way, -1))]
        if self.canal(here) or not heads:
            return tuple(wet)
        return max((self._run(here, head) for head in heads), key=len)

    def _run(self, here: str, way: str) -> tuple[str, ...]:
        run = [way]
        while self._joins(here, run[-1]):
            run.append(turned(run[-1], 1))
        return tuple(run)

    def _joins(self, here: str, way: str) -> bool:
        """Whether the water on a border of a land square goes on at the next border clockwise, with no reef between."""
        after = turned(way, 1)
        first, second = self.wet(here, way), self.wet(here, after)
        if not first or not second:
            return False
        both_squares = first == self.grid.step(here, way) and second == self.grid.step(here, after)
        return not both_squares or not _blocks(self.board.border(first, turned(way, 2)))

    def sea(self, here: str, direction: str) -> str:
        """By what water a ship crosses a border: sea, lake, river, double-river, canal; empty when it cannot."""
        there = self.grid.step(here, direction)
        if there is None or _blocks(self.board.border(here, direction)):
            return ""
        back = opposite(direction)
        if self.water(here) and self.water(there):
            return self.board.squares[there].terrain
        if self.water(there):
            return self.board.squares[there].terrain if direction in self.harbour(here) else ""
        if self.water(here):
            open_ = self.canal(there) or back in self.harbour(there)
            return ("canal" if self.canal(there) else self.board.squares[here].terrain) if open_ else ""
        way = self._along(here, direction, there, back)
        return "canal" if self.canal(there) and (way or self.canal(here)) else way

    def _along(self, here: str, direction: str, there: str, back: str) -> str:
        """From one bank or shore to the next, by water that both harbours touch."""
        mine, theirs = self.harbour(here), self.harbour(there)
        if direction in mine and back in theirs:
            return self.river(here, direction)
        for side in (1, -1):
            near, far = turned(direction, side), turned(back, -side)
            if near not in mine or far not in theirs:
                continue
            corner = self.grid.step(here, near)
            if corner is not None and self.water(corner):
                return self.board.squares[corner].terrain
            both = (self.river(here, near), self.river(there, far))
            return "double-river" if both == ("double-river", "double-river") else "river"
        return ""

    # bodies of water

    def berth(self, here: str) -> tuple[str, ...]:
        """The waters a ship in a square is on: the water square itself, or those of its harbour."""
        if self.water(here):
            return (here,)
        return ((here,) if self.canal(here) else ()) + tuple(self.wet(here, way) for way in self.harbour(here))

    def next_waters(self, water: str) -> tuple[str, ...]:
        """The waters joined to one: a water square or canal square by its name, a river by that of its border."""
        found = self._joined_to.get(water)
        if found is None:
            found = self._joined_to[water] = tuple(self._flowing(water))
        return found

    def _flowing(self, water: str) -> Iterator[str]:
        if not water[-1].isdigit():
            return self._from_river(water[:-1], water[-1])
        return self._from_canal(water) if self.canal(water) else self._from_water(water)

    def _from_water(self, here: str) -> Iterator[str]:
        for way, after, _ in _TURNS:
            there = self.grid.step(here, way)
            if there is None:
                continue
            free = not _blocks(self.board.border(here, way))
            if free and (self.water(there) or self.canal(there)):
                yield there
            corner = self.grid.step(here, after)
            mouth = turned(way, 2)
            if corner is not None and not self.water(there) and not self.water(corner) and self.wet(there, mouth):
                yield self.wet(there, mouth)

    def _from_river(self, here: str, direction: str) -> Iterator[str]:
        there = self.grid.step(here, direction)
        if there is None:
            return
        yield from (bank for bank in (here, there) if self.canal(bank))
        for side in (1, -1):
            joined = (self.wet(here, turned(direction, side)), self.wet(there, turned(opposite(direction), -side)))
            yield from (water for water in joined if water)

    def _from_canal(self, here: str) -> Iterator[str]:
        for way, there in self.grid.around(here):
            if self.wet(here, way):
                yield self.wet(here, way)
            elif self.canal(there) and "mountain" not in self.board.border(here, way):
                yield there

    def waters(self, ships: Iterable[str], closed: frozenset[str] = frozenset()) -> frozenset[str]:
        """All water that ships in these squares can reach, never through closed squares; see `next_waters` for names."""
        todo = [water for here in ships for water in self.berth(here) if water not in closed]
        found = dict.fromkeys(todo)
        while todo:
            for water in self.next_waters(todo.pop()):
                if water not in found and water not in closed:
                    found[water] = None
                    todo.append(water)
        return frozenset(found)
