"""The boards that matches can be played on: whether a board is sound, and who plays which country of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.games.empire.boards.draft import (
    Draft,
    Fault,
    Misdrawn,
    board_names,
    drawing_named,
    read_board,
    read_draft,
    write_board,
)
from referee.games.empire.position import RESOURCES, WATERS, Board
from referee.games.empire.reckoning.distance import Ways, apart, walk
from referee.games.empire.rulebook import ABSENT, FARMS, FOOD_SQUARES, KINDS_PRESENT, RICH, SINGLES, SIZES
from referee.games.empire.rulebook.kinds import ALLOWANCE, in_bta
from referee.kit.seats_and_ranks import first_come
from referee.kit.wording import counted

AREA = 4
"""A start area reaches so many borders from its heart, as far as no other heart is nearer (emp.H-08)."""


BASIC = tuple(kind for kind in RESOURCES if kind != "power")
"""The eight resources of which every area lacks something."""


_PLAYERS = 2
"""The fewest who play a match."""


def start_areas(board: Board) -> dict[str, tuple[str, ...]]:
    """The squares of every start area; one as near to two hearts belongs to the first."""
    areas: dict[str, list[str]] = {start: [] for start in board.starts}
    for name in board.squares:
        far, _, start = min(
            ((board.grid.apart(name, s), at, s) for at, s in enumerate(board.starts)), default=(99, 0, "")
        )
        if far <= AREA:
            areas[start].append(name)
    return {start: tuple(names) for start, names in areas.items()}


def lacks(board: Board, area: tuple[str, ...]) -> tuple[str, ...]:
    """The guarantees that a start area lacks, in sentences; empty when it has them all (emp.H-08)."""
    squares = [board.squares[name] for name in area]
    grades = [r.grade for square in squares for r in square.resources if r.kind in BASIC]
    kinds = [kind for kind in BASIC if any(r.kind == kind for square in squares for r in square.resources)]
    food, rich, singles = sum(bool(s.food) for s in squares), sum(g > 1 for g in grades), grades.count(1)
    told = (
        (food < FOOD_SQUARES, f"it has {food} food squares, not {FOOD_SQUARES}"),
        (rich < RICH, f"it has {rich} double or triple resources, not {RICH}"),
        (singles < SINGLES, f"it has {singles} single resources, not {SINGLES}"),
        (len(kinds) < KINDS_PRESENT, f"it has {len(kinds)} kinds of resource, not {KINDS_PRESENT}"),
        (
            len(kinds) > len(BASIC) - ABSENT,
            f"it has {len(kinds)} kinds of resource; {ABSENT} of {len(BASIC)} are absent",
        ),
        (not any(board.coastal(name) for name in area), "it has no coast"),
    )
    return tuple(text for wrong, text in told if wrong)


def examine(text: str) -> tuple[Fault, ...]:
    """The faults of a drawing with their places: it cannot be read, or the board contradicts the rules.

    A remark names a fault that a match can be played with: start areas poorer than those of a generated board.
    """
    draft = read_draft(text)
    if draft.board is None:
        return draft.faults
    found = [_placed(draft, at, sentence) for at, sentence in (*_unlawful(draft.board), *_too_few(draft.board))]
    found += [msgspec.structs.replace(_placed(draft, at, text), remark=True) for at, text in _poor(draft.board)]
    return tuple(sorted(found, key=lambda fault: (fault.remark, fault.line, fault.column)))


def _placed(draft: Draft, at: str, sentence: str) -> Fault:
    return Fault(sentence, *draft.places.get(at, (0, 0)))


def unlawful(board: Board) -> tuple[str, ...]:
    """Everything on a board that contradicts the rules, in sentences."""
    return tuple(sentence for _, sentence in _unlawful(board))


def faults(board: Board) -> tuple[str, ...]:
    """Everything on a board that contradicts the rules or falls short of the guarantees of emp.H-08, in sentences."""
    return (*unlawful(board), *(sentence for _, sentence in _poor(board)))


_Found = Iterator[tuple[str, str]]
"""Where something is wrong, as in Draft.places, and the sentence."""


def _unlawful(board: Board) -> _Found:
    for name, square in board.squares.items():
        kinds = [resource.kind for resource in square.resources]
        if len(dict.fromkeys(kinds)) < len(kinds):
            yield name, f"{name} names one resource twice; give it a grade instead, such as Fe2."
        if square.water and any(kind != "O" for kind in kinds):
            yield name, f"{name} is {square.terrain}; only oil (O) and fish (+) are found in water (I.J)."
    yield from _on_borders(board)
    for start in board.starts:
        if board.squares[start].water:
            yield f"start {start}", f"The start {start} is in the water; name a land square."
    for one, other in combinations(board.starts, 2):
        far = apart(board, one, other)
        if far is not None:
            near = f"The starts {one} and {other} are {in_bta(far)} BTA apart"
            yield (
                f"start {other}",
                f"{near}; capitals lie more than {in_bta(ALLOWANCE)} BTA apart (P3), so move one of them away.",
            )


def _on_borders(board: Board) -> _Found:
    ways = Ways(board, {}, frozenset())
    for name, features in board.borders.items():
        here, side = name[:-1], name[-1]
        there = board.grid.step(here, side)
        if there is None:
            yield (
                f"{name} {features[0]}",
                f"The border {name} lies at the edge of the board, where nothing is crossed; take it away.",
            )
            continue
        for what, sentence in _wrong_border(
            name, features, sum(board.squares[s].terrain in WATERS for s in (here, there))
        ):
            yield f"{name} {what}", sentence
        if ways.river(here, side) and "falls" not in features and not _flows_out(ways, name):
            river = next(what for what in features if what.endswith("river"))
            yield f"{name} {river}", f"The river at {name} reaches neither sea nor lake; lead it on, border by border."


def _wrong_border(name: str, features: tuple[str, ...], wet: int) -> _Found:
    """The faults on it, with their reasons; `wet`: how many of its two squares are water."""
    rivers = [what for what in features if what.endswith("river")]
    if len(rivers) > 1:
        yield rivers[1], f"The border {name} has both a single and a double river; keep one."
    if rivers and wet:
        yield rivers[0], f"The river at {name} runs where there is water already; rivers lie between two land squares."
    if "falls" in features and not rivers:
        yield "falls", f"The falls at {name} are on no river; draw the river too."
    if "reef" in features and wet < 2:
        yield "reef", f"The reef at {name} is not between two water squares; take it away."
    if "divided" in features and not ("mountain" in features or "double river" in features):
        right = "draw one of them there too"
        yield "divided", f"The border {name} divides a square with neither mountains nor a double river; {right}."


def _flows_out(ways: Ways, river: str) -> bool:
    """Falls stop ships, not the water: a river above them need not reach the sea by ship."""
    seen = [river]
    for water in seen:
        if water[-1].isdigit() or _above_falls(ways, water):
            return True
        seen += [more for more in ways.next_waters(water) if more not in seen]
    return False


def _above_falls(ways: Ways, river: str) -> bool:
    here, side = river[:-1], river[-1]
    order = ("N", "E", "Q", "S", "W", "P")
    at = order.index(side)
    there = ways.grid.step(here, side)
    around = [(here, order[at - 1]), (here, order[(at + 1) % 6])]
    around += [(there, order[(at + 2) % 6]), (there, order[(at + 4) % 6])] if there else []
    return any("falls" in ways.board.border(name, way) for name, way in around)


def _too_few(board: Board) -> _Found:
    if len(board.starts) < _PLAYERS:
        right = f"name at least {_PLAYERS} land squares, as in `starts: c5r5 c16r4`"
        yield (
            "",
            f"The board has {counted(len(board.starts), 'starts')}, and a match needs one for each player; {right}.",
        )


def _poor(board: Board) -> _Found:
    for start, area in start_areas(board).items():
        # Farms that coolies of the heart reach in their first turn; its own square and deserts are none.
        near = (board.squares[at] for at in walk(board, start) if at in area and at != start)
        farms = sum(square.food == "farm" and square.terrain != "desert" for square in near)
        few = (f"coolies reach {farms} of its farms in one turn, not {FARMS}",) if farms < FARMS else ()
        for lack in (*lacks(board, area), *few):
            yield f"start {start}", f"The start area of {start} is poor: {lack} (H-08)."


# ---------------------------------------------------------------- who plays which country, and which matches can be


NAMES = ("Arcadia", "Borealis", "Cascadia", "Dorado", "Elysia", "Fenmark", "Galatia", "Hesperia")
"""Starting countries; a seat goes by the name of its starting country."""


def size_for(players: int) -> str:
    """The size of board that so many players use unless they agree otherwise (emp.H-08)."""
    return "small" if players <= 4 else "medium" if players <= 6 else "large"


_DRAWN = "drawn:"


def boards(drawings: Mapping[str, str]) -> tuple[str, ...]:
    """Every board a match may have, the default first; `drawings` are those of this house by name."""
    names = dict.fromkeys([*board_names(), *sorted(drawings)])
    return ("by players", *SIZES, *(f"{_DRAWN}{name}" for name in names))


def with_drawing(options: Options, drawings: Mapping[str, str]) -> dict[str, str] | str:
    """The options and, for a drawn board, its drawing: so the log needs no file. Or why the board cannot be played on.

    A drawing of this house goes before one of the same name that comes with the game.
    """
    board = options["board"]
    if not board.startswith(_DRAWN) or "drawing" in options:
        return dict(options)
    name = board.removeprefix(_DRAWN)
    try:
        text = drawings[name] if name in drawings else drawing_named(name)
    except KeyError:
        return f"There is no board {board}; there are {', '.join(boards(drawings))}."
    drawing, wrong = _judged(text)
    if wrong:
        more = f" That is one of {len(wrong)} faults." if len(wrong) > 1 else ""
        return f"No match can be played on {board}: {wrong[0]}{more} `referee examine board` tells them all."
    return {**options, "drawing": drawing}


@lru_cache(maxsize=16)
def _judged(text: str) -> tuple[str, tuple[str, ...]]:
    """A drawing as a match keeps it, and why no match can be played on it; options are looked at again and again."""
    try:
        board = read_board(text)
    except Misdrawn as misdrawn:
        return "", misdrawn.faults
    return write_board(board), unlawful(board)


def refuse_options(options: Options, players: int) -> str | None:
    """Two to eight players, on a board with room for them (emp.H-08); the options have their drawing."""
    if not 2 <= players <= len(NAMES):
        return f"Empire is for 2 to {len(NAMES)} players, not {players}."
    board = options["board"]
    if "drawing" in options:
        starts = len(read_board(options["drawing"]).starts)
        return f"The board {board} has room for {starts} players, not {players}." if starts < players else None
    if board in SIZES and SIZES[board] < SIZES[size_for(players)]:
        return f"A {board} board is too small for {players} players; take {size_for(players)}."
    return None


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """First come, first served; who names no free country gets the first that nobody wished for first."""
    return first_come(NAMES, wishes)
