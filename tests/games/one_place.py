"""Rules changed at one place of the source, and what of the game follows: run in a process of its own, over a copy of the package.

python -m tests.games.one_place GAME FOLDER looks at positions in FOLDER and writes what it finds into FOLDER/found.json.
"""

from __future__ import annotations

import os
import pickle
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.choices import Picked, Step, walk
from referee.core.event import Event, PhaseBegan
from referee.core.game import AnyGame, Rehearses
from referee.core.names import Seat
from referee.core.order import Intent, bare
from referee.core.table import Table
from referee.games import game_named
from referee.kit.declared import at_random
from referee.kit.game import BaseGame
from tests.contract.bots import plans, play_bots, understood
from tests.contract.choosing import can_be_chosen
from tests.contract.scenes import with_scenes
from tests.contract.test_choices import beginnings, happened, offered_lines, undone

POSITIONS = int(os.environ.get("ONE_PLACE", "76"))
"""So many positions of each verb, with which the mutations of all games see 10,000 between them; ONE_PLACE=8 looks less long."""

_MATCHES, _PHASES, _LINES, _FORTUNES = 24, 60, 4, 6

SHORT = ("OrderFellShort", "OrderRefused", "RunFellShort")
"""Events that tell that an order was not carried out, or not wholly."""


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In a file (its path from `referee/games`), what `was` there once `becomes` something else.

    `verbs` are the orders on which the rule bears, `shows` the views in which the change must be seen.
    """

    name: str
    file: str
    was: str
    becomes: str
    verbs: tuple[str, ...]
    shows: tuple[str, ...]

    def applied(self, source: str) -> str:
        """The file with the change."""
        assert source.count(self.was) == 1, (
            f"{self.name}: {self.was!r} stands {source.count(self.was)} times in {self.file}"
        )
        return source.replace(self.was, self.becomes)


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a game: its mutations, and the verbs of whose orders cards or dice decide whether they can be done."""

    mutation: tuple[Mutation, ...] = ()
    luck: tuple[str, ...] = ()


def listed(name: str) -> Listed:
    """The table `tests/games/NAME/one_place.toml`, where there is one."""
    table = Path(__file__).parent / name / "one_place.toml"
    return msgspec.toml.decode(table.read_text(encoding="utf-8"), type=Listed) if table.exists() else Listed()


class Position(msgspec.Struct, frozen=True):
    """Where an order of a verb can be given: who is asked for it, then and when the phase began; lines like it, lawful or not.

    `played`: what is ordered then is carried out by the phase that begins there, as it would be in the match; under changed
    rules only where that phase still comes to it (a wider hunger may have killed who was to go).
    """

    number: int
    verb: str
    seat: Seat
    asked: Any
    began: Any
    played: bool
    lines: tuple[str, ...]


class Disagreement(msgspec.Struct, frozen=True):
    """At a position (by its number; -1: in a match of the rules as they stand), what two views say of a line differs."""

    position: int
    why: str
    line: str
    told: str = ""

    def is_like(self, other: Disagreement) -> bool:
        """Whether it is the same of a line like it."""
        return (self.position, self.why) == (other.position, other.why)


class Found(msgspec.Struct, frozen=True):
    """What the views of each verb come to, by `verb view`; what does not agree; how many orders of bots fall short."""

    views: dict[str, str]
    wrong: tuple[Disagreement, ...]
    short: float = 0.0


def positions(game: AnyGame) -> list[Position]:
    """Of matches of random players, and of scenes that they do not come to."""
    begun = [play_bots(game, plan.players, dict(plan.options), plan.seed, _PHASES) for plan in plans(game, _MATCHES)]
    rng, found, made, luck = random.Random(3), list[Position](), Counter[str](), listed(game.name).luck
    asked = list(beginnings(with_scenes(tuple(begun))))
    rng.shuffle(asked)
    able = list[tuple[Any, Any, Any, str]]()

    def looked(question: Any, state: Any, began: Any, verb: str) -> bool:
        intent = walk(game.asking(state, question.seat, verb), _few(rng)) if made[verb] < POSITIONS else None
        if intent is not None:
            made[verb] += 1
            lines = tuple(dict.fromkeys(_alike(game, state, game.line(state, intent), rng)))
            apart = verb in luck or game.is_aside(intent)
            position = Position(len(found), verb, question.seat, state, began, not apart, lines)
            found.append(replace(position, played=not apart and _still_played(game, position)))
        return intent is not None

    for question, state, began in asked:
        for verb in sorted({*question.menu.words(), *game.aside_verbs()} & set(game.declared())):
            able += [(question, state, began, verb)] if looked(question, state, began, verb) else []
    for again in able * 3:  # what is rare is ordered otherwise where it can be
        looked(*again)
    return found


def _few(rng: random.Random) -> Callable[[Step], Picked]:
    """Any choice of a step, but few of many: long lists say nothing that short ones do not."""
    pick = at_random(rng.randrange, 3)

    def answer(step: Step) -> Picked:
        few = min(step.most, max(step.least, rng.choice((step.least, step.least + 1, step.least + 3))))
        return pick(replace(step, most=few, usual=step.usual if step.counts else step.usual[:few]))

    return answer


def _comes_to(game: AnyGame, asked: Any, began: Any, seat: Seat) -> bool:
    """Whether the phase has come to no more than its beginning where the question is put."""
    phase = game.next_phase(began)
    assert phase is not None
    table = Table(phase.key, began, Keyed(bytes(32), 0), game.evolve)
    table.emit(PhaseBegan(phase.key, phase.title))
    first = next(phase.script(table))
    return table.state == asked and any(question.seat == seat for question in first)


def _alike(game: AnyGame, state: Any, line: str, rng: random.Random) -> Iterator[str]:
    """A line, and others with other numbers, and other names of the same kind."""
    kinds = {noun.name: noun.kind for noun in game.vocabulary(state).nouns}
    named = [
        name for name in sorted(kinds, key=len, reverse=True) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line)
    ]
    yield line
    for _ in range(_LINES):
        other = re.sub(r"(?<!\w)\d+(?!\w)", lambda said: str(max(0, int(said[0]) + rng.randint(-1, 2))), line)
        if named and rng.random() < 0.6:
            name = rng.choice(named)
            other = other.replace(name, rng.choice([n for n, kind in kinds.items() if kind == kinds[name]]))
        yield other


# ---------------------------------------------------------------- what is looked at


def looked_at(game: AnyGame, of: Sequence[Position]) -> Found:
    """What the views of these positions come to under the rules as they stand, and where they do not agree."""
    views, wrong, forms = dict[str, Any](), list[Disagreement](), dict[tuple[int, Seat], Any]()
    for position in of:
        asked = id(position.asked), position.seat
        if asked not in forms:  # many verbs are looked at where the same was asked
            forms[asked] = (
                game.order_form(position.asked, position.seat),
                game.examples(position.asked, position.seat),
            )
        form, examples = forms[asked]
        saw, disagrees = _one(game, position)
        wrong += disagrees
        for view, seen in {**saw, "form": (form, examples.get(position.verb))}.items():
            views.setdefault(f"{position.verb} {view}", sha256()).update(repr(seen).encode())
    told = (game.rules, [verb for p in of[:1] for verb in game.vocabulary(p.asked).verbs])
    views["printed"] = sha256(repr(told).encode())
    return Found({view: digest.hexdigest() for view, digest in views.items()}, tuple(wrong))


def _one(game: AnyGame, p: Position) -> tuple[dict[str, Any], list[Disagreement]]:
    """The views of one position, and where they do not agree."""
    steps, wrong, pick = list[object](), list[Disagreement](), _few(random.Random(p.number))
    played = p.played and _still_played(game, p)

    def verb_of(intent: Intent) -> str:
        return game.book.verb_of(bare(intent)) if isinstance(game, BaseGame) else p.verb

    def answered(step: Step) -> Picked:
        steps.append((step.field, step.least, step.most, step.usual, [(c.word, c.meaning) for c in step.choices]))
        return pick(step)

    def disagrees(line: str, why: str, told: object = "") -> None:
        wrong.append(Disagreement(p.number, why, line, str(told)))

    def played_out(intent: Intent, done: bool) -> tuple[Sequence[Event], bool]:
        """What comes of an order, and whether some dice bear out that it is done, or that it falls short."""
        aside, first = game.is_aside(intent), list[Event]()
        for fortune in range(_FORTUNES if aside or played else 1):
            dice = Keyed(bytes(32), p.number * _FORTUNES + fortune)
            heard = happened(game, p.asked if aside else p.began, p.seat, dice, intent)
            first = first or heard
            if (bool(heard) and not any(_is_short(event, p.seat) for event in heard)) is done:
                return first, True
        return first, not (aside or played)

    chosen = walk(game.asking(p.asked, p.seat, p.verb), answered)
    if chosen is not None:
        line = game.line(p.asked, chosen)
        meant, why = understood(game, p.asked, p.seat, line), undone(game, p.asked, p.seat, chosen)
        if meant != chosen:
            disagrees(line, "offered, and not read so", meant)
        elif why:
            disagrees(line, "offered, and foreseen not to be done", why[0])
        elif not played_out(chosen, True)[1] and not _called_off(game, p, chosen):
            disagrees(line, "offered, and never done")
    read, foreseen, deeds = list[object](), list[object](), list[object]()
    for line in p.lines:
        meant = understood(game, p.asked, p.seat, line)
        read.append(meant)
        if not isinstance(meant, Intent):
            continue
        why = undone(game, p.asked, p.seat, meant)
        odds = game.odds(p.asked, p.seat, (meant,), ()) if isinstance(game, Rehearses) else ()
        foreseen.append((game.doubts(p.asked, p.seat, (meant,)), odds))
        deed, agrees = played_out(meant, not why)
        deeds.append(deed)
        if why and not agrees:
            disagrees(line, "foreseen not to be done, and done always", why[0])
        elif not agrees and not _called_off(game, p, meant):
            disagrees(line, "not foreseen to fall short, and never done")
        if why or verb_of(meant) != p.verb or can_be_chosen(game, p.asked, p.seat, meant):
            continue
        if not _told_of_no_use(game, p, meant):
            disagrees(line, "lawful, and not offered")
    return {"choices": steps, "lines": read, "preview": foreseen, "deed": deeds}, wrong


def _told_of_no_use(game: AnyGame, p: Position, intent: Intent) -> bool:
    """Whether a lawful order is not offered since nothing comes of it, and who writes it is told so for that very reason."""
    assert isinstance(game, BaseGame)
    order = bare(intent)
    why = getattr(order, "idle", lambda *_: None)(game.ahead(p.asked, p.seat)(p.verb), p.seat)
    return why is not None and any(str(why) in doubt.sentence for doubt in game.doubts(p.asked, p.seat, (intent,)))


def _called_off(game: AnyGame, p: Position, intent: Intent) -> bool:
    """Whether who writes an order is told that its own caution would call it off."""
    return any("called off" in doubt.sentence for doubt in game.doubts(p.asked, p.seat, (intent,)))


def _still_played(game: AnyGame, p: Position) -> bool:
    return bool(p.asked == p.began) or _comes_to(game, p.asked, p.began, p.seat)


def _is_short(event: Event, seat: Seat) -> bool:
    return type(event).__name__ in SHORT and getattr(event, "seat", getattr(event, "country", seat)) == seat


def played_anew(game: AnyGame) -> tuple[list[Disagreement], float]:
    """In matches that random players play under the rules as they stand: what of their sheets, the form and HELP is not
    read; and how many of their orders fall short in their own sheets.
    """
    seen, short, given, wrong, refused = 0, 0, 0, list[Disagreement](), list[Disagreement]()
    for plan in plans(game, 3):
        record = play_bots(game, plan.players, dict(plan.options), 500 + plan.seed, _PHASES)
        asked = [one for one in record.asked if one[0].wants_orders]
        for number, (question, state) in enumerate(asked[:: max(1, len(asked) // 8)]):
            seat, sheet = question.seat, question.menu.sample(random.Random(number).randrange)
            given, short = given + len(sheet), short + sum(doubt.undone for doubt in game.doubts(state, seat, sheet))
            for line, intent in ((game.line(state, intent), intent) for intent in sheet):
                if (meant := understood(game, state, seat, line)) != intent:
                    wrong.append(Disagreement(-1, "a bot orders what is not read so", line, str(meant)))
            for line in offered_lines(game, state, seat, question.menu.words()):
                meant, seen = understood(game, state, seat, line.lstrip("# ")), seen + 1
                if not isinstance(meant, Intent):
                    refused.append(Disagreement(-1, "the form or HELP has what is refused", line, str(meant)))
    return [*wrong, *(refused if len(refused) > seen / 100 else ())], short / max(1, given)


def main(name: str, folder: Path) -> None:
    """Look, and write down what was found."""
    game: AnyGame = game_named(name)
    found, (wrong, short) = looked_at(game, pickle.loads((folder / "positions").read_bytes())), played_anew(game)
    found = replace(found, wrong=(*found.wrong, *wrong), short=short)
    (folder / "found.json").write_bytes(msgspec.json.encode(found))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
