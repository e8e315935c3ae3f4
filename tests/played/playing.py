"""A kept game, played again by letters to a real referee: the same letters and dice must lead to the same reports."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from referee.core.page import Page, Sheet
from referee.service.base.letter_facts import Documents, Frame
from referee.service.base.ports import Report
from referee.service.turn.knowledge import page_of, sheets_of
from tests.world import DRAWING, Mail, World

MASTER = "gina@players.example"
FOOTER = "\n" + "-" * 72
"""What parts a letter from the passages that stand under every letter."""


class Kept(msgspec.Struct, frozen=True):
    """match.toml of a kept game: what is played, by whom, with which dice, and what must be seen to happen."""

    game: str
    players: tuple[str, ...]
    dice: str
    shows: tuple[str, ...]
    options: dict[str, str] = {}


@dataclass(frozen=True)
class Phase:
    """A folder of a kept game, what its files must hold, by their names, and the letters that were written meanwhile."""

    folder: Path
    texts: dict[str, str]
    letters: tuple[Mail, ...]


class _Dice:
    """The Secrets port: the dice follow from a text alone, however many tokens were given out before."""

    def __init__(self, text: str) -> None:
        self._secret = hashlib.sha256(text.encode()).digest()
        self._count = itertools.count(1)

    def token(self) -> str:
        return f"{next(self._count):016}".translate(str.maketrans("0189", "abcd"))  # base32 has no 0, 1, 8 and 9

    def secret(self) -> bytes:
        return self._secret


def kept(folder: Path) -> Kept:
    """What the match.toml of a folder says."""
    return msgspec.toml.decode((folder / "match.toml").read_bytes(), type=Kept)


def play(folder: Path, place: Path) -> Iterator[Phase]:
    """Play the game of a folder, with its store at a place; each phase when it has ended.

    Raises AssertionError for a phase that does not end with its folder's letters, or ends before the last of them.
    """
    game, match = kept(folder), folder.name
    world = World(place)
    world.office = replace(world.office, secrets=_Dice(game.dice))
    _begin(world, game, match)
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    for number, phase in enumerate(folders):
        receipts = list(_letters(world, phase, match, number))
        reports = _reports(world, match)
        assert len(reports) == number + 1, f"{phase.name} does not end with its letters: {_owing(world, match)}"
        texts = {**({"receipts.txt": "".join(receipts)} if receipts else {}), **_texts(world, reports[number])}
        if phase == folders[-1]:
            texts["sheets.txt"] = _rendered(world, sheets=sheets_of(reports[number][""]))
        yield Phase(phase, texts, tuple(world.new_mail()))
    world.close()


def letters_sent(world: World, folder: Path) -> None:
    """Begin the game of a folder and send all of its letters, whatever comes of them by the dice of this world."""
    _begin(world, kept(folder), folder.name)
    for file in sorted(folder.glob("*/[0-9]*-*.txt"), key=lambda file: (file.parent, int(file.stem.partition("-")[0]))):
        who, body = file.stem.partition("-")[2], file.read_text("utf-8")
        if who == "clock":
            world.wait(hours=int(body.split()[0]))
        else:
            world.reply(_address(who), body)


def _begin(world: World, game: Kept, match: str) -> None:
    options = ", ".join(f"{name} {value}" for name, value in game.options.items())
    world.write(MASTER, f"CREATE {game.game} AS {match} {'WITH ' + options if options else ''}")
    for seat in game.players:
        world.write(_address(seat), f"JOIN {match} AS {seat}")
    world.reply(MASTER, f"START {match}")


def _address(seat: str) -> str:
    return f"{seat.lower()}@players.example"


def _letters(world: World, phase: Path, match: str, number: int) -> Iterator[str]:
    """Send the letters of a folder; a line for the receipt of each."""
    for file in sorted(phase.glob("[0-9]*-*.txt"), key=lambda file: int(file.stem.partition("-")[0])):
        assert len(_reports(world, match)) == number, f"{phase.name} ends before {file.name}"
        who, body = file.stem.partition("-")[2], file.read_text("utf-8")
        if who == "clock":
            yield f"{file.stem}: {_silence(world.wait(hours=int(body.split()[0])))}\n"
            continue
        answers = world.reply(_address(who), body)
        yield f"{file.stem}: {_verdict(answers, _address(who))}\n"


def _silence(mails: list[Mail]) -> str:
    """What everybody is told when nothing has come in time: what was played by default, or who is late."""
    for mail in mails:
        if mail.kind == "report":
            return "; ".join(re.findall(r"- ([^-]* played by default[^.]*)", mail.flat))
    return "; ".join(dict.fromkeys(_topic(mail) for mail in mails if mail.kind == "notice"))


def _verdict(answers: list[Mail], address: str) -> str:
    (receipt,) = [mail for mail in answers if mail.to == address and mail.is_a("receipt")]
    verdict = "" if receipt.kind in ("receipt", "refusal") else f"{receipt.flat.partition(':')[0]}: "
    return f"{verdict}{_topic(receipt)}"


def _topic(mail: Mail) -> str:
    return re.sub(r"^\[[^]]*\] ", "", mail.subject)


def _owing(world: World, match: str) -> str:
    return ", ".join(question.key for question in world.playing(match).outcome.open)


def _reports(world: World, match: str) -> list[dict[str, Report]]:
    """The reports so far, for each phase by reader; "" is everybody's."""
    phases: dict[int, dict[str, Report]] = {}
    with world.store.look() as step:
        for report in step.reports(match):
            phases.setdefault(report.turn, {})[report.reader] = report
    return [phases[turn] for turn in sorted(phases)]


def _texts(world: World, reports: dict[str, Report]) -> dict[str, str]:
    """The report of a phase by the name of its file; for a player only where it is not everybody's."""
    texts = {reader: _rendered(world, (page_of(report),)) for reader, report in reports.items()}
    own = {f"report-{reader}.txt": text for reader, text in texts.items() if reader and text != texts[""]}
    return {"report.txt": texts[""], **own}


def _rendered(world: World, pages: tuple[Page, ...] = (), sheets: tuple[Sheet, ...] = ()) -> str:
    """Pages and sheets as the letters show them, without what stands round every letter."""
    letter = Documents(Frame("", "", "", ""), "", pages, sheets)
    return world.office.renderer.render("documents", letter).text.rpartition(FOOTER)[0].strip("\n") + "\n"


def letters_of(folder: Path, place: Path, drawn: bool = False) -> list[Mail]:
    """Every letter that the referee writes in the game of a folder; `drawn`: with its maps as they are sent."""
    game, match = kept(folder), folder.name
    world = World(place)
    world.office = replace(world.office, secrets=_Dice(game.dice))
    if drawn:
        world.office = replace(world.office, renderer=DRAWING)
    _begin(world, game, match)
    for number, phase in enumerate(sorted(path for path in folder.iterdir() if path.is_dir())):
        deque(_letters(world, phase, match, number), maxlen=0)
    mails = world.all_mail()
    world.close()
    return mails
