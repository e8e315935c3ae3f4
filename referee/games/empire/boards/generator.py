"""A board nobody has drawn, out of chance handed in: land and sea, terrain, rivers, mountains and reefs.

Then farms, fish and resources: enough in every start area, each lacking two kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from hashlib import sha256
from itertools import count

from msgspec.structs import replace

from referee.games.empire.boards.survey import BASIC, faults, start_areas
from referee.games.empire.position import Board, Resource, Square, edge
from referee.games.empire.reckoning.distance import walk
from referee.games.empire.rulebook import ABSENT, FARMS, FOOD_SQUARES, RICH, SINGLES, SIZES
from referee.kit.hexes import DIRECTIONS, Grid, grid_of, place_of, turned

Pick = Callable[[int], int]
"""A whole number from 0 to one less than the number handed in."""

_LAND_SHARE = 44
_HEART_LAND = 3
_LAKE = 7
_TRIES = 20


def hearts(grid: Grid, number: int, pick: Pick) -> tuple[str, ...]:
    """Places for start areas, each the farthest from the others of many candidates, clear of the northern and southern edge."""
    margin = min(4, grid.rows // 4)
    inner = [name for name in grid.cells() if margin < place_of(name)[1] <= grid.rows - margin]
    found = [inner[pick(len(inner))]]
    while len(found) < number:
        candidates = [inner[pick(len(inner))] for _ in range(60)]
        found.append(max(candidates, key=lambda name: min(grid.apart(name, other) for other in found)))
    return tuple(found)


def heights(grid: Grid, pick: Pick, rounds: int = 3) -> dict[str, int]:
    """Rolling heights: chance for every square, evened out with its neighbours a few times."""
    high = {name: pick(1000) * 100 for name in grid.cells()}
    for _ in range(rounds):
        high = {name: _mean([high[name], *(high[there] for _, there in grid.around(name))]) for name in high}
    return high


def _mean(numbers: Sequence[int]) -> int:
    return sum(numbers) // len(numbers)


def shores(grid: Grid, starts: Sequence[str], pick: Pick) -> dict[str, str]:
    """Every square as land, sea or lake: land round every heart, and a sea coast in its area."""
    high = heights(grid, pick)
    order = sorted(high, key=lambda name: (-high[name], name))
    land = dict.fromkeys(order[: len(order) * _LAND_SHARE // 100])
    near = {name: min(grid.apart(name, start) for start in starts) for name in high}
    land.update(dict.fromkeys(name for name in high if near[name] <= _HEART_LAND))
    for start in starts:
        _open_coast(grid, start, land, near)
    return _lakes(grid, {name: "land" if name in land else "sea" for name in high})


def _open_coast(grid: Grid, start: str, land: dict[str, None], near: Mapping[str, int]) -> None:
    """Cuts an inlet from the nearest sea to the edge of a start area that has none."""
    came: dict[str, str] = {start: ""}
    todo = [start]
    for here in todo:
        if here not in land:
            break
        for _, there in grid.around(here):
            if there not in came:
                came[there] = here
                todo.append(there)
    else:
        return
    while near[here] > _HEART_LAND:
        land.pop(here, None)
        here = came[here]


def _lakes(grid: Grid, ground: dict[str, str]) -> dict[str, str]:
    """Small waters without a way to the sea are lakes."""
    left = dict.fromkeys(name for name in ground if ground[name] == "sea")
    while left:
        body = [next(iter(left))]
        left.pop(body[0])
        for here in body:
            joined = [there for _, there in grid.around(here) if there in left]
            for there in joined:
                left.pop(there)
            body += joined
        if len(body) < _LAKE:
            ground.update(dict.fromkeys(body, "lake"))
    return ground


def terrains(grid: Grid, ground: Mapping[str, str], starts: Sequence[str], pick: Pick) -> dict[str, str]:
    """The terrain of every square: ice at the poles, forest where it is wet, desert where it is dry, swamps low at water."""
    wet = heights(grid, pick)
    dry = sorted((name for name in ground if ground[name] == "land"), key=lambda name: (wet[name], name))
    rank = {name: at * 100 // len(dry) for at, name in enumerate(dry)}
    near = {name: min(grid.apart(name, start) for start in starts) for name in dry}
    found = dict(ground)
    for name in dry:
        shore = any(ground[there] != "land" for _, there in grid.around(name))
        found[name] = "plain" if near[name] <= 1 else _terrain(grid, name, rank[name], shore, near[name], pick)
    return found


def _terrain(grid: Grid, name: str, rank: int, shore: bool, near: int, pick: Pick) -> str:
    row = place_of(name)[1]
    pole = min(row, grid.rows + 1 - row)
    if near > 3 and pole <= max(1, grid.rows // 20) and pick(3):
        return "ice"
    if rank < 14 and near > 2:
        return "desert"
    if rank >= 72:
        return "swamp" if shore and not pick(4) else "forest"
    return "swamp" if shore and near > 2 and not pick(24) else "plain"


# ---------------------------------------------------------------- borders

_Corner = tuple[str, str, str]
"""Where three squares meet, in the order of their names."""


def _corner(grid: Grid, here: str, direction: str, side: int) -> _Corner | None:
    """One end of a border: `side` 1 clockwise, -1 the other."""
    one, other = grid.step(here, direction), grid.step(here, turned(direction, side))
    if one is None or other is None:
        return None
    a, b, c = sorted((here, one, other))
    return a, b, c


def _walls(grid: Grid, corner: _Corner) -> list[tuple[str, str]]:
    """The three borders that end in a corner, each as square and direction."""
    pairs = ((corner[0], corner[1]), (corner[0], corner[2]), (corner[1], corner[2]))
    return [(one, way) for one, other in pairs if (way := grid.direction(one, other))]


def _far_end(grid: Grid, wall: tuple[str, str], corner: _Corner) -> _Corner | None:
    ends = (_corner(grid, *wall, side) for side in (1, -1))
    return next((end for end in ends if end != corner), None)


def _onward(grid: Grid, corner: _Corner, name: str, origin: str, pick: Pick) -> tuple[str, str]:
    """The next border beyond a corner: mostly the one that leads away from where it all began, now and then the other."""
    walls = [wall for wall in _walls(grid, corner) if edge(grid, *wall) != name]
    ends = [_far_end(grid, wall, corner) or corner for wall in walls]
    far = [sum(grid.apart(origin, square) for square in end) for end in ends]
    best = far.index(max(far)) if len(dict.fromkeys(far)) > 1 and pick(5) else pick(len(walls))
    return walls[best]


def rivers(grid: Grid, ground: Mapping[str, str], pick: Pick) -> dict[str, tuple[str, ...]]:
    """Rivers from the shore inland along borders, double for the first third when they are long, now and then with falls."""
    walls: dict[str, tuple[str, ...]] = {}
    land = [name for name in ground if ground[name] == "land"]
    mouths = [mouth for name in land for mouth in _mouths(grid, ground, name)]
    for _ in range(len(land) // 45 if mouths else 0):
        course = _course(grid, ground, mouths[pick(len(mouths))], walls, pick)
        double = len(course) // 3 if len(course) >= 6 else 0
        for at, name in enumerate(course):
            walls[name] = ("double river",) if at < double else ("river",)
        if len(course) >= 5 and not pick(3):
            walls[course[-2]] = ("river", "falls")
    return walls


def _mouths(grid: Grid, ground: Mapping[str, str], here: str) -> list[tuple[str, str, _Corner]]:
    """Borders of a land square with land that end at water, with that end."""
    found = []
    for way in DIRECTIONS:
        there = grid.step(here, way)
        corner = _corner(grid, here, way, 1)
        if there and corner and ground[there] == "land" and any(ground[name] != "land" for name in corner):
            found.append((here, way, corner))
    return found


def _course(
    grid: Grid,
    ground: Mapping[str, str],
    mouth: tuple[str, str, _Corner],
    taken: Mapping[str, tuple[str, ...]],
    pick: Pick,
) -> list[str]:
    """The borders of one river from its mouth up, until it would touch water or another river again."""
    here, way, corner = origin = mouth
    course: list[str] = []
    for _ in range(5 + pick(10)):
        name = edge(grid, here, way)
        end = _far_end(grid, (here, way), corner)
        touched = [] if end is None else [edge(grid, *wall) for wall in _walls(grid, end)]
        if name in taken or any(other in taken or other in course for other in touched):
            break
        course.append(name)
        if end is None or any(ground[square] != "land" for square in end):
            break
        (here, way), corner = _onward(grid, end, name, origin[0], pick), end
    return course if len(course) > 1 else []


def mountains(
    grid: Grid, ground: Mapping[str, str], taken: Mapping[str, tuple[str, ...]], starts: Sequence[str], pick: Pick
) -> dict[str, tuple[str, ...]]:
    """Ranges along borders between land squares; away from hearts, clear of rivers."""
    walls: dict[str, tuple[str, ...]] = {}
    land = [name for name in ground if ground[name] == "land" and min(grid.apart(name, s) for s in starts) > 1]
    for _ in range(len(land) // 24):
        here, way = land[pick(len(land))], DIRECTIONS[pick(6)]
        corner, origin = _corner(grid, here, way, 1), here
        for _ in range(3 + pick(5)):
            there, name = grid.step(here, way), edge(grid, here, way)
            if corner is None or there is None or name in taken or "land" not in (ground[here], ground[there]):
                break
            if ground[here] == ground[there]:
                walls[name] = ("mountain",)
            end = _far_end(grid, (here, way), corner)
            if end is None:
                break
            (here, way), corner = _onward(grid, end, name, origin, pick), end
    return _passable(grid, ground, {**taken, **walls}, walls, starts)


def _passable(
    grid: Grid,
    ground: Mapping[str, str],
    all_walls: Mapping[str, tuple[str, ...]],
    walls: dict[str, tuple[str, ...]],
    starts: Sequence[str],
) -> dict[str, tuple[str, ...]]:
    """The ranges without those that shut a square in: every land square keeps two ways out over land, if it had them."""
    for name in [name for name in ground if ground[name] == "land"]:
        ways = [(way, there) for way, there in grid.around(name) if ground[there] == "land"]
        shut = [edge(grid, name, way) for way, _ in ways if edge(grid, name, way) in walls]
        while shut and len(ways) - len(shut) < min(2, len(ways)):
            walls.pop(shut.pop())
    return walls


def reefs(grid: Grid, ground: Mapping[str, str], pick: Pick) -> dict[str, tuple[str, ...]]:
    """A few reefs between sea squares, one beside another."""
    sea = [name for name in ground if ground[name] == "sea"]
    walls: dict[str, tuple[str, ...]] = {}
    for _ in range(len(sea) // 60):
        here, way = sea[pick(len(sea))], DIRECTIONS[pick(6)]
        for side in (way, turned(way, 1)):
            there = grid.step(here, side)
            if there is not None and ground[there] == "sea":
                walls[edge(grid, here, side)] = ("reef",)
    return walls


_WILD_FOOD, _WILD_ORE, _WILD_RICH, _POWER = 6, 5, 6, 60
"""Outside start areas, one square in so many has food, a resource, that resource a higher grade, power."""


def enrich(board: Board, areas: Mapping[str, Sequence[str]], pick: Pick) -> dict[str, Square]:
    """Every square of a bare board with its food and resources."""
    squares = dict(board.squares)
    kinds = _shuffled(BASIC, pick)
    for at, (heart, area) in enumerate(areas.items()):
        lacked = [kinds[(ABSENT * at + step) % len(kinds)] for step in range(ABSENT)]
        near = {name: True for name in walk(board, heart) if name != heart}
        _start(squares, area, near, [kind for kind in BASIC if kind not in lacked], pick)
    inside = dict.fromkeys(name for area in areas.values() for name in area)
    for name in squares:
        if name not in inside:
            squares[name] = _wild(squares[name], pick)
        elif not pick(_POWER) and not squares[name].water:
            _add(squares, name, "power", 1)
    return squares


def _shuffled(things: Sequence[str], pick: Pick) -> list[str]:
    """The same things in an order of chance."""
    left = list(things)
    return [left.pop(pick(len(left))) for _ in things]


def _start(
    squares: dict[str, Square], area: Sequence[str], near: Container[str], kinds: Sequence[str], pick: Pick
) -> None:
    """Farms lie where a first turn's coolies walk to, and on plain where they can."""
    land = _shuffled([name for name in area if not squares[name].water], pick)
    shore = [name for name in area if squares[name].water]
    fish = _shuffled(shore, pick)[: min(3, len(shore))]
    best = sorted(land, key=lambda name: (name not in near, squares[name].terrain != "plain"))
    farms = best[: max(FARMS, FOOD_SQUARES + 1 - len(fish) + pick(3))]
    for name in farms + fish:
        squares[name] = Square(squares[name].terrain, "fish" if squares[name].water else "farm")
    spots = [name for name in land if name not in farms] + farms
    order = _shuffled(kinds, pick)
    for number in range(RICH + SINGLES + pick(3)):
        rich = number < RICH
        name = spots[number % len(spots)]
        kind = order[number % len(order)]
        grade = 1 if not rich else 3 if not pick(4) else 2
        _add(squares, name, kind, grade)
    if "O" in kinds and shore:
        _add(squares, shore[pick(len(shore))], "O", 1)


def _add(squares: dict[str, Square], name: str, kind: str, grade: int) -> None:
    old = squares[name]
    if all(resource.kind != kind for resource in old.resources):
        squares[name] = Square(old.terrain, old.food, (*old.resources, Resource(kind, grade)))


def _wild(square: Square, pick: Pick) -> Square:
    if square.water:
        oil = (Resource("O", 1 + (not pick(_WILD_RICH))),) if not pick(30) else ()
        return Square(square.terrain, "" if pick(9) else "fish", oil)
    food = "farm" if square.terrain in ("plain", "forest") and not pick(_WILD_FOOD) else ""
    if not pick(_POWER):
        return Square(square.terrain, food, (Resource("power"),))
    if pick(_WILD_ORE):
        return Square(square.terrain, food)
    grade = 1 if pick(_WILD_RICH) else 2 + (not pick(3))
    return Square(square.terrain, food, (Resource(BASIC[pick(len(BASIC))], grade),))


def picker(seed: int) -> Pick:
    """A stream of chance that one number decides, for a board that is to cost a single roll."""
    counter = count()

    def pick(sides: int) -> int:
        """Eight bytes for a few sides: what is uneven about it nobody could ever measure."""
        told = sha256(f"empire board {seed} {next(counter)}".encode()).digest()
        return int.from_bytes(told[:8], "big") % sides

    return pick


def generate(size: str, starts: int, pick: Pick, name: str = "") -> Board:
    """A sound board of a size with so many start areas.

    Raises ValueError when the size is none or cannot hold so many start areas more than 12 BTA apart.
    """
    if size not in SIZES or starts < 1:
        raise ValueError(f"no board of size {size!r} with {starts} starts; sizes are {', '.join(SIZES)}")
    grid = grid_of(*SIZES[size])
    for _ in range(_TRIES):
        board = _attempt(grid, starts, pick, name or f"generated, {size}")
        if not faults(board):
            return board
    raise ValueError(f"a {size} board has no room for {starts} start areas")


def _attempt(grid: Grid, number: int, pick: Pick, name: str) -> Board:
    starts = hearts(grid, number, pick)
    ground = shores(grid, starts, pick)
    water = rivers(grid, ground, pick)
    ranges = mountains(grid, ground, water, starts, pick)
    borders = {**water, **ranges, **reefs(grid, ground, pick)}
    terrain = terrains(grid, ground, starts, pick)
    bare = {square: Square(what) for square, what in terrain.items()}
    board = Board(name, grid.columns, grid.rows, grid.wraps, bare, dict(sorted(borders.items())), starts)
    return replace(board, squares=enrich(board, start_areas(board), pick))
