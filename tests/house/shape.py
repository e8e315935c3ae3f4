"""Sizes of functions and modules: `python -m tests.house.shape`. A mirror, never a verdict."""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from types import FrameType

from referee.core.game import AnyGame
from referee.core.position import start
from referee.games import GAMES
from tests.contract.bots import plans
from tests.house.sources import ROOT, functions, modules, tree_of
from tests.match import create
from tests.service.conftest import ANNA, begin
from tests.world import World

LONG_FUNCTION, LONG_MODULE = 40, 300


def figures(sizes: Sequence[int]) -> tuple[int, int, int]:
    """Median, ninetieth percentile and maximum; zeros of nothing."""
    if not sizes:
        return (0, 0, 0)
    ordered = sorted(sizes)
    return ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)], ordered[-1]


def _functions(path: Path) -> list[tuple[int, str]]:
    """Length and place of every function of a file."""
    place = path.relative_to(ROOT)
    found = functions(tree_of(path))
    return [((f.end_lineno or f.lineno) - f.lineno + 1, f"{place}:{f.lineno} {f.name}") for f in found]


def _modules(paths: Sequence[Path]) -> list[tuple[int, str]]:
    return [(len(path.read_text(encoding="utf-8").splitlines()), str(path.relative_to(ROOT))) for path in paths]


def _shape(folder: str) -> list[str]:
    long_functions = [found for path in modules(folder) for found in _functions(path)]
    long_modules = _modules(modules(folder))
    lines = []
    for what, found, limit in (("functions", long_functions, LONG_FUNCTION), ("modules", long_modules, LONG_MODULE)):
        median, ninetieth, most = figures([size for size, _ in found])
        lines.append(f"{folder}: {len(found)} {what}, lines median {median}, p90 {ninetieth}, max {most}")
        lines += [f"  {size:4} lines  {place}" for size, place in sorted(found, reverse=True) if size > limit]
    return lines


def _net(text: str) -> int:
    """Bytes of code and docstrings, comments and empty lines apart."""
    lines = (line.strip() for line in text.splitlines())
    return sum(len(line) + 1 for line in lines if line and not line.startswith("#"))


BEFORE = {
    "adapters": (100, 9_985, 348),
    "bootstrap": (14, 1_747, 65),
    "cli": (18, 1_906, 70),
    "config": (5, 591, 20),
    "core": (24, 3_898, 129),
    "demo": (10, 979, 35),
    "games/empire": (159, 24_535, 969),
    "games/newworld": (62, 6_198, 237),
    "games/war": (157, 19_480, 766),
    "games/war17": (50, 4_223, 167),
    "kit": (24, 2_110, 74),
    "mail": (24, 2_973, 111),
    "moments": (4, 791, 30),
    "orders": (22, 3_426, 126),
    "page_engine": (3, 472, 18),
    "service": (210, 30_436, 1_214),
    "setup": (8, 1_067, 37),
}
"""Modules, lines and net KB of each part on 28 November 2026, before rooms became files (decision 047)."""


def _parts() -> list[str]:
    """Modules, lines and net KB of each part, beside what they were; the games one by one."""
    sizes: dict[str, list[str]] = {}
    for path in modules("referee"):
        first, *rest = path.relative_to(ROOT / "referee").parts
        part = f"games/{rest[0]}" if first == "games" and len(rest) > 1 else first if rest else "."
        sizes.setdefault(part, []).append(path.read_text(encoding="utf-8"))
    told = [f"{'part':16} {'modules':>14} {'lines':>18} {'net KB':>14}   (28 November, then now)"]
    for part, texts in sorted(sizes.items(), key=lambda item: -sum(map(len, item[1]))):
        now = len(texts), sum(len(text.splitlines()) for text in texts), sum(map(_net, texts)) // 1000
        was = BEFORE.get(part, ("-", "-", "-"))
        cells = [f"{before:>6} {after:>6}" for before, after in zip(was, now, strict=True)]
        told.append(f"{part:16} {cells[0]:>14} {cells[1]:>18} {cells[2]:>14}")
    return told


def _orders(game: AnyGame) -> list[str]:
    """How many files of its folder name each order of a game, and how often the least of them."""
    folder = "/".join(type(game).__module__.split(".")[:-1])
    texts = [path.read_text(encoding="utf-8") for path in modules(folder)]
    plan = next(plans(game, 1))
    words = game.vocabulary(start(game, create(game, plan.players, {}, bytes(32))).state).verbs
    named = {
        verb.word: sum(re.search(rf"\"[^\"]*\b{verb.word}\b", text) is not None for text in texts) for verb in words
    }
    median, ninetieth, most = figures(list(named.values()))
    worst = max(named, key=lambda word: named[word])
    return [
        f"{game.name}: {len(named)} orders, each named in files: median {median}, p90 {ninetieth}, max {most} ({worst})"
    ]


def _one_more(game: AnyGame) -> Iterator[str]:
    """What an order costs: the lines of its class, and the lines of other modules of the game that name the class."""
    book = getattr(game, "book", None)
    if book is None:
        return
    folder = "/".join(type(game).__module__.split(".")[:-1])
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in modules(folder)}
    own, elsewhere = list[int](), list[int]()
    for kind in book.orders.values():
        home = Path(inspect.getfile(kind)).resolve()
        own.append(len(inspect.getsourcelines(kind)[0]))
        others = [line for path, text in lines.items() if path.resolve() != home for line in text]
        elsewhere.append(sum(re.search(rf"\b{kind.__name__}\b", line) is not None for line in others))
    if own:
        told = (f"lines median {m}, p90 {n}, max {x}" for m, n, x in map(figures, (own, elsewhere)))
        yield f"{game.name}: {len(own)} orders declared, {next(told)} each; named elsewhere in {next(told)}"


MOST = 4
"""So many modules name a rule at most, but for those that are listed."""


def rules_named(folder: Path) -> dict[str, int]:
    """How many modules name each rule of a game that any names; those of an edition name the rules of the other, too."""
    texts = [path.read_text(encoding="utf-8") for path in modules(str(folder.parent.relative_to(ROOT)))]
    ids = [rule["id"] for rule in tomllib.loads((folder / "rules.toml").read_text(encoding="utf-8"))["rule"]]
    found = {rule: re.compile(rf"(?<![\w.\-]){re.escape(rule)}(?![\w\-]|\.\d)") for rule in ids}
    named = {rule: sum(said.search(text) is not None for text in texts) for rule, said in found.items()}
    return {rule: number for rule, number in named.items() if number}


def _rules() -> Iterator[str]:
    for folder in sorted(path.parent for path in (ROOT / "referee" / "games").glob("*/rules.toml")):
        named = rules_named(folder)
        median, ninetieth, most = figures(list(named.values()))
        above = ", ".join(f"{rule} {number}" for rule, number in named.items() if number > MOST) or "none"
        yield f"{folder.name}: {len(named)} rules, each named in modules: median {median}, p90 {ninetieth}, max {most}"
        yield f"  in more than {MOST}: {above}"


def passed() -> tuple[list[str], list[str]]:
    """The modules that a letter with one order passes, in the order in which it comes to them; and where its text then stays."""
    order, root = "HIRE 1 worker", str(ROOT / "referee") + "/"
    seen, stays = dict[str, None](), list[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root):
            place = code.co_filename.removeprefix(root)
            seen.setdefault(place)
            given = (frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
            if any(isinstance(each, str) and order in each for each in given) and stays[-1:] != [place]:
                stays.append(place)

    with tempfile.TemporaryDirectory() as folder:
        world = begin(World(Path(folder)))
        world.reply(ANNA, "RAISE 1 army")  # what is remembered after the first letter is not made anew
        sys.setprofile(note)
        world.reply(ANNA, order)
        sys.setprofile(None)
        world.close()
    return list(seen), stays


def of_text(stays: Sequence[str]) -> list[str]:
    """The rooms of the service in which the text of a letter stays, each once."""
    return list(dict.fromkeys(filter(of_service, stays)))


def of_service(place: str) -> bool:
    """Whether a module is one of the service."""
    return place.startswith("service/")


def _passed() -> list[str]:
    seen, stays = passed()
    rooms: Counter[str] = Counter(str(Path(place).parent) for place in seen)
    told = ", ".join(f"{room} {number}" for room, number in rooms.most_common())
    texts = (
        f"its text is in {len(set(stays))} modules, of the service in {len(of_text(stays))}: {', '.join(of_text(stays))}; "
        f"there it stays {len([place for place, _ in groupby(filter(of_service, stays))])} times"
    )
    return [f"one letter with one order passes {len(seen)} modules: {told}", texts, *(f"  {place}" for place in seen)]


def main() -> None:
    """Print the shape of the package and of its tests."""
    for folder in ("referee", "tests"):
        print("\n".join(_shape(folder)))
    print("\n".join(_parts()))
    for game in GAMES:
        print("\n".join((*_orders(game), *_one_more(game))))
    print("\n".join(_rules()))
    print("\n".join(_passed()))


if __name__ == "__main__":
    main()
