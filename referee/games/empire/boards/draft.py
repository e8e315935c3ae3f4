"""A drawing as it stands in the text: the board, where each square and border was written, and what cannot be read.

A drawing names its size, its start areas and then every square, one token each: two lines a row, first the odd columns,
then the even ones, which lie half a square lower. A token is the terrain, `+` where food grows or fish are caught, and the
resources with their grades: `.+` a farm on plain, `fFe2` forest with double iron, `~O` oil at sea. Borders follow as lists:

    river: c3r4 N E, c4r4 P

docs/boards.md tells how one is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files

import msgspec

from referee.games.empire.position import BORDERS, Board, Resource, Square, edge
from referee.kit.hexes import DIRECTIONS, Grid, cell, place_of
from referee.kit.wording import counted

TERRAIN = {
    ".": "plain", "f": "forest", "d": "desert", "s": "swamp", "i": "ice", "~": "sea", "o": "lake",
}  # fmt: skip
"""The meaning of the first sign of a square."""

SHORT = {"D": "delta", "P": "power"}
"""Resources that are drawn by another sign than their name."""

LARGEST = 200
"""A board has at most so many columns and so many rows."""

_HEAD = ("board", "size", "starts")
_RESOURCE = re.compile(r"(Fe|Cu|Rr|Bx|C|O|X|D|P)([123]?)")
_SIZE = re.compile(r"columns (\d+), rows (\d+)(, wraps)?")
_WORD = re.compile(r"\S+")
_PART = re.compile(r"[^,]+")


class Fault(msgspec.Struct, frozen=True):
    """A fault of a drawing, the way to mend it, and its place in the text; line 0: the whole of it.

    A remark is nothing that a match cannot be played with.
    """

    sentence: str
    line: int = 0
    column: int = 0
    remark: bool = False

    def __str__(self) -> str:
        return f"Line {self.line}, column {self.column}: {self.sentence}" if self.line else self.sentence


class Draft(msgspec.Struct, frozen=True):
    """A drawing as it was read: the board if all of it could be read, the faults, and where things stand as line and column.

    `places` knows squares ("c3r4"), borders with what is on them ("c3r4N river") and starts ("start c3r4").
    """

    board: Board | None
    faults: tuple[Fault, ...]
    places: dict[str, tuple[int, int]]


class _Line(msgspec.Struct, frozen=True):
    """A line without its comment; `key` is what stands before its colon, "" for a line of squares."""

    number: int
    text: str
    key: str
    begins: int
    """Where the text after the colon begins, counted from 0."""

    @property
    def rest(self) -> str:
        return self.text[self.begins :]

    def fault(self, at: int, sentence: str) -> Fault:
        """A fault at a place of the line, counted from 0."""
        return Fault(sentence, self.number, at + 1)


def read_draft(text: str) -> Draft:
    """Reads a drawing as far as it goes."""
    lines = list(_lines(text))
    faults = list(_strange(lines))
    sized = _size(lines)
    if isinstance(sized, Fault):
        return Draft(None, (sized, *faults), {})
    grid = sized
    places: dict[str, tuple[int, int]] = {}
    squares = _squares(lines, grid, places, faults)
    borders = _borders(lines, grid, places, faults)
    starts = _starts(lines, grid, places, faults)
    if faults:
        return Draft(None, tuple(sorted(faults, key=lambda fault: (fault.line, fault.column))), places)
    name = next((line.rest.strip() for line in lines if line.key == "board"), "unnamed")
    board = Board(name, grid.columns, grid.rows, grid.wraps, squares, borders, starts)
    return Draft(board, (), places)


def _lines(text: str) -> Iterator[_Line]:
    for number, whole in enumerate(text.splitlines(), 1):
        line = whole.partition("#")[0].rstrip()
        if line:
            before, colon, _ = line.partition(":")
            yield _Line(number, line, before.strip() if colon else "", len(before) + 1 if colon else 0)


# ---------------------------------------------------------------- the head


def _strange(lines: list[_Line]) -> Iterator[Fault]:
    """Lines with a colon whose word means nothing, and those of the head that stand twice."""
    seen: dict[str, int] = {}
    for line in lines:
        if line.key and line.key not in (*_HEAD, *BORDERS):
            yield line.fault(len(line.text) - len(line.text.lstrip()), _no_word(line.key))
        if line.key in _HEAD and line.key in seen:
            yield line.fault(0, f"{line.key} stands in line {seen[line.key]} already; keep one of them.")
        seen.setdefault(line.key, line.number)


def _no_word(word: str) -> str:
    close = get_close_matches(word.casefold(), (*_HEAD, *BORDERS), n=1)
    if close:
        return f"{word} is no border and no word of the head; did you mean {close[0]}?"
    return f"{word} is no border; there are {', '.join(BORDERS)}, and before them {', '.join(_HEAD)}."


def _size(lines: list[_Line]) -> Grid | Fault:
    line = next((line for line in lines if line.key == "size"), None)
    if line is None:
        return Fault("A drawing says its size; write a line such as `size: columns 24, rows 18, wraps`.", 1, 1)
    said, at = line.rest.strip(), line.begins + 1
    found = _SIZE.fullmatch(said)
    if found is None:
        return line.fault(at, f"`{said}` is no size; write it as in `size: columns 24, rows 18, wraps`.")
    columns, rows = int(found[1]), int(found[2])
    if not (1 <= columns <= LARGEST and 1 <= rows <= LARGEST):
        return line.fault(at, f"A board has 1 to {LARGEST} columns and rows, not {columns} and {rows}.")
    if found[3] and columns % 2:
        right = f"{columns - 1} or {columns + 1}"
        return line.fault(at, f"A board that wraps has an even number of columns, such as {right}; this has {columns}.")
    return Grid(columns, rows, found[3] is not None)


def _starts(lines: list[_Line], grid: Grid, places: dict[str, tuple[int, int]], faults: list[Fault]) -> tuple[str, ...]:
    line = next((line for line in lines if line.key == "starts"), None)
    found: list[str] = []
    for word in _WORD.finditer(line.rest) if line else ():
        assert line is not None  # or there would be no words
        name, at = word[0], line.begins + word.start()
        if not _lies_on(grid, name):
            faults.append(line.fault(at, f"The start {name} is no square of the board; {_in_reach(grid)}"))
        elif name in found:
            faults.append(line.fault(at, f"The start {name} is named twice; keep one."))
        places[f"start {name}"] = (line.number, at + 1)
        found.append(name)
    return tuple(found)


def _lies_on(grid: Grid, name: str) -> bool:
    """Whether a square of this name, spelt as squares are, is on the board."""
    return name in grid and name == cell(*place_of(name))


def _in_reach(grid: Grid) -> str:
    return f"name one from c1r1 to {cell(grid.columns, grid.rows)}."


# ---------------------------------------------------------------- squares


def _squares(
    lines: list[_Line], grid: Grid, places: dict[str, tuple[int, int]], faults: list[Fault]
) -> dict[str, Square]:
    rows = [line for line in lines if not line.key]
    found: dict[str, Square] = {}
    if len(rows) != 2 * grid.rows:
        faults.append(_wrong_number(rows, grid))
    for at, line in enumerate(rows[: 2 * grid.rows]):
        row, first = at // 2 + 1, at % 2 + 1
        words, columns = list(_WORD.finditer(line.text)), range(first, grid.columns + 1, 2)
        if len(words) != len(columns):
            faults.append(_wrong_length(line, [word.start() for word in words], row, first, len(columns)))
        for column, word in zip(columns, words, strict=False):
            name = cell(column, row)
            places[name] = (line.number, word.start() + 1)
            found[name] = _square(line, word.start(), word[0], faults)
    return {name: found[name] for name in Grid(grid.columns, grid.rows, False).cells() if name in found}


def _wrong_number(rows: list[_Line], grid: Grid) -> Fault:
    wanted = 2 * grid.rows
    at = rows[min(wanted, len(rows) - 1)].number if rows else 1
    return Fault(
        f"{grid.rows} rows need {wanted} lines of squares, for each row first the odd columns, then the even ones; "
        f"there are {len(rows)}.",
        at,
        1,
    )


def _wrong_length(line: _Line, begins: list[int], row: int, first: int, wanted: int) -> Fault:
    kind = "even" if first == 2 else "odd"
    more = wanted - len(begins)
    right = f"add {more}" if more > 0 else f"take {-more} away"
    at = len(line.text) if more > 0 else begins[wanted]
    return line.fault(
        at, f"Row {row} has {wanted} {kind} columns, but {counted(len(begins), 'squares')} here; {right}."
    )


def _square(line: _Line, at: int, token: str, faults: list[Fault]) -> Square:
    """A square of its token; of one that cannot be read, whatever can."""
    terrain = TERRAIN.get(token[0])
    if terrain is None:
        known = ", ".join(f"{sign} {what}" for sign, what in TERRAIN.items())
        faults.append(line.fault(at, f"{token} is no square: {token[0]} is no terrain; write {known}."))
        return Square("plain")
    fed = token[1:2] == "+"
    food = "" if not fed else "fish" if terrain in ("sea", "lake") else "farm"
    resources, read = [], 2 if fed else 1
    while read < len(token) and (found := _RESOURCE.match(token, read)):
        resources.append(Resource(SHORT.get(found[1], found[1]), int(found[2] or 1)))
        read = found.end()
    if read < len(token):
        faults.append(line.fault(at + read, _no_resource(token, token[read:])))
    return Square(terrain, food, tuple(resources))


def _no_resource(token: str, rest: str) -> str:
    if rest[0] == "+":
        return f"{token} is no square: + for food stands right behind the terrain, as in .+Fe2."
    if rest[0].isdigit():
        return f"{token} is no square: {rest[0]} is no grade; write 2 for double and 3 for triple, nothing for single."
    known = "Fe, C, O, X, Cu, Rr, Bx, D for delta, P for power"
    return f"{token} is no square: {rest} is no resource; write {known}, as in .+Fe2."


# ---------------------------------------------------------------- borders


def _borders(
    lines: list[_Line], grid: Grid, places: dict[str, tuple[int, int]], faults: list[Fault]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        for part in _PART.finditer(line.rest) if line.key in BORDERS else ():
            words = [(word[0], line.begins + part.start() + word.start()) for word in _WORD.finditer(part[0])]
            for name, at in _walls(line, words, grid, faults):
                here = found.setdefault(name, [])
                if line.key not in here:
                    here.append(line.key)
                    places[f"{name} {line.key}"] = (line.number, at + 1)
    return {name: tuple(what for what in BORDERS if what in found[name]) for name in sorted(found)}


def _walls(line: _Line, words: list[tuple[str, int]], grid: Grid, faults: list[Fault]) -> Iterator[tuple[str, int]]:
    """The borders that one part names, each with the place of its side: a square, then its sides."""
    if not words:
        return
    (here, at), sides = words[0], words[1:]
    if not _lies_on(grid, here):
        faults.append(line.fault(at, f"{here} is no square of the board; {_in_reach(grid)}"))
        return
    if not sides:
        faults.append(line.fault(at, f"{here} stands without a side; write its sides behind it, such as {here} N E."))
    for side, place in sides:
        if side in DIRECTIONS:
            yield edge(grid, here, side), place
        else:
            right = "N (top), E, Q, S (bottom), W and P, clockwise"
            faults.append(line.fault(place, f"{side} is no side of a square; sides are {right}."))


_SIGN = {terrain: sign for sign, terrain in TERRAIN.items()}
_LONG = {long: short for short, long in SHORT.items()}


class Misdrawn(ValueError):
    """A drawing that cannot be read; `faults` are sentences, each with its line and column."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def board_names() -> tuple[str, ...]:
    """The drawn boards that come with the game."""
    drawings = files(__package__).iterdir()
    return tuple(sorted(path.name.removesuffix(".txt") for path in drawings if path.name.endswith(".txt")))


def drawing_named(name: str) -> str:
    """The drawing of a board that comes with the game. Raises KeyError when there is none."""
    if name not in board_names():
        raise KeyError(name)
    return files(__package__).joinpath(f"{name}.txt").read_text("utf-8")


def drawn_board(name: str) -> Board:
    """A board that comes with the game. Raises KeyError when there is none."""
    return read_board(drawing_named(name))


@lru_cache(maxsize=16)
def read_board(text: str) -> Board:
    """The board of a drawing. Raises Misdrawn, which names every fault found.

    The same text gives the very same board, so that what is worked out about it is found again when a match is replayed.
    """
    draft = read_draft(text)
    if draft.board is None:
        raise Misdrawn(*map(str, draft.faults))
    return draft.board


# ---------------------------------------------------------------- writing


def write_board(board: Board) -> str:
    """The drawing of a board; reading it again gives the same board."""
    wraps = ", wraps" if board.wraps else ""
    head = [f"board: {board.name}", f"size: columns {board.columns}, rows {board.rows}{wraps}"]
    starts = [f"starts: {' '.join(board.starts)}"] if board.starts else []
    width = max(len(_token(square)) for square in board.squares.values()) + 1
    return "\n".join([*head, *starts, "", *_drawn_rows(board, width), "", *_drawn_borders(board)]).rstrip() + "\n"


def _drawn_rows(board: Board, width: int) -> Iterator[str]:
    for row in range(1, board.rows + 1):
        for first in (1, 2):
            tokens = [_token(board.squares[cell(column, row)]) for column in range(first, board.columns + 1, 2)]
            yield (" " * (width if first == 2 else 0) + "".join(token.ljust(2 * width) for token in tokens)).rstrip()


def _token(square: Square) -> str:
    resources = "".join(f"{_LONG.get(r.kind, r.kind)}{r.grade if r.grade > 1 else ''}" for r in square.resources)
    return f"{_SIGN[square.terrain]}{'+' if square.food else ''}{resources}"


def _drawn_borders(board: Board) -> Iterator[str]:
    """Every kind of border, a line for each few squares so that a person can find them."""
    for what in BORDERS:
        sides: dict[str, list[str]] = {}
        for name in sorted(board.borders):
            if what in board.borders[name]:
                sides.setdefault(name[:-1], []).append(name[-1])
        walls = [f"{here} {' '.join(sorted(ways, key=DIRECTIONS.index))}" for here, ways in sides.items()]
        for at in range(0, len(walls), 8):
            yield f"{what}: {', '.join(walls[at : at + 8])}"
