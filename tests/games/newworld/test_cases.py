"""Runs the cases of the rules list. (The generic runner of tests/contract takes over where it is present.)"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from referee.core.chance import Keyed, Scripted
from referee.core.names import Seat
from referee.core.order import Intent, Refusal
from referee.core.question import Source
from referee.core.record import Acted, Answered, Given, If, Item, Record
from referee.core.stage import Position, intents_in, resume
from referee.core.vocabulary import Vocabulary
from referee.games.newworld import rules_markdown
from referee.games.newworld.state import World
from referee.orders import Branch, Node, read
from tests.games.newworld.bots import CODEC, GAME, options
from tests.games.newworld.staging import expect, given, stage

HERE = Path(__file__).parent
DESK = Vocabulary((), ())


class Case(msgspec.Struct):
    """A case as written: its id, its title, and its lines by their first word."""

    id: str
    title: str
    lines: list[tuple[str, str]]

    def of(self, word: str) -> list[str]:
        """The rest of every line that begins with a word."""
        return [rest for first, rest in self.lines if first == word]


def cases() -> list[Case]:
    found: list[Case] = []
    for path in sorted(HERE.glob("*.case")):
        for line in path.read_text(encoding="utf-8").splitlines():
            word, _, rest = line.partition(" ")
            if word == "CASE":
                name, _, title = rest.partition("  ")
                found.append(Case(name, title, []))
            elif line and not line.startswith("#"):
                found[-1].lines.append((word, rest))
    return found


class Bound(msgspec.Struct):
    """What became of the order lines: items of sheets by seat, asides, refusals."""

    sheet: dict[Seat, list[Item]]
    asides: list[Record]
    refused: list[str]


def bound(world: World, lines: list[str]) -> Bound:
    result = Bound({}, [], [])
    texts: dict[str, list[str]] = {}
    for line in lines:
        seat, _, text = line.partition(": ")
        texts.setdefault(seat, []).extend(text.split("; "))
    for seat, sentences in texts.items():
        reading = read("\n".join(sentences), GAME.vocabulary(world), DESK)
        result.refused += [mistake.refusal.sentence for mistake in reading.mistakes]
        result.sheet[Seat(seat)] = [i for node in reading.sheet for i in _items(world, Seat(seat), node, result)]
    return result


def _items(world: World, seat: Seat, node: Node, result: Bound) -> list[Item]:
    if isinstance(node, Branch):
        sides = [tuple(i for n in side for i in _items(world, seat, n, result)) for side in (node.then, node.otherwise)]
        return [If(node.text, node.condition, sides[0], sides[1])]
    intent = GAME.bind(world, seat, node.order)
    if isinstance(intent, Refusal):
        result.refused.append(intent.sentence)
        return []
    if GAME.is_aside(intent):
        result.asides.append(Acted(seat, CODEC.raw(intent)))
        return []
    return [Given(node.text, CODEC.raw(intent), intent.meaning())]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    chosen = dict(line.split(" ") for line in case.of("OPTIONS"))
    world = stage(options(**chosen))
    for fact in case.of("GIVEN"):
        world = given(world, fact)
    orders, standing = bound(world, case.of("ORDERS")), bound(world, case.of("STANDING"))
    drawers = {(seat, "standing"): tuple(sheet) for seat, sheet in standing.sheet.items()}
    faces = [int(face) for line in case.of("DICE") for face in line.split() if face.isdecimal()]
    position = Position(world, drawers, 1)
    log: list[Record] = []
    inputs: tuple[Record, ...] = tuple(orders.asides)
    while True:
        scripted = Scripted(faces, Keyed(b"cases", 0))
        out = resume(GAME, CODEC, position, log, inputs, lambda _, s=scripted: s, lambda q: False, phases=1)
        log += out.written
        if out.ended:
            break
        (question,) = out.open
        sheet: tuple[Intent, ...] = question.menu.default
        if question.key.endswith("/orders"):
            sheet = intents_in(GAME, CODEC, out.state, question.seat, tuple(orders.sheet.get(question.seat, ())))
        inputs = (Answered(question.key, question.seat, msgspec.Raw(question.menu.encode(sheet)), Source.PLAYER),)
    (ended,) = out.ended
    assert GAME.audit(world, ended.events, ended.after) == ()
    told = [event.sentence() for event in ended.events]
    for claim in case.of("EXPECT"):
        assert _wrong(claim, told, orders.refused, lambda f: expect(world, ended.events, ended.after, f)) is None
    if not any(claim.startswith("refused") for claim in case.of("EXPECT")):
        assert not orders.refused


def _wrong(claim: str, told: list[str], refused: list[str], look: Callable[[str], str | None]) -> str | None:
    quoted = re.fullmatch(r'(not )?(event|refused) "(.+)"', claim)
    if not quoted:
        found = look(claim)
        return None if found is None else f"expected: {claim}; but {found}"
    among = told if quoted[2] == "event" else refused
    there = any(quoted[3] in sentence for sentence in among)
    return None if there is not bool(quoted[1]) else f"expected: {claim}; but there is: {' '.join(among)}"


def test_every_rule_has_a_case() -> None:
    tried = {case.id.rpartition(".")[0] for case in cases()}
    assert {rule.id for rule in GAME.rules} == tried


def test_the_rules_page_is_the_rules_list() -> None:
    page = HERE.parents[2] / "docs" / "rules" / "newworld.md"
    assert page.read_text(encoding="utf-8") == rules_markdown()
