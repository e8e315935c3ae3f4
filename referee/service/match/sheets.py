"""The sheets on file: sentences bound to orders, and the drawers of a seat."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Any, TypeAlias, TypeGuard

import msgspec

from referee.core.game import BindsAlike, Game, Phrases
from referee.core.names import Seat
from referee.core.order import Intent, Order, Refusal
from referee.core.position import closing_sheet, parted
from referee.core.question import Question, Source
from referee.core.record import Answered, Filed, Given, If, Sheet
from referee.core.record import Sheet as OrderSheet
from referee.kit.wording import capital, in_a_row
from referee.mail import Stripped
from referee.orders import Branch, Mistake, Node, Sentence, place_refusal
from referee.service.base.letter_facts import Drawer, Duty, OnFile, Refused
from referee.service.base.ports import MatchRow
from referee.service.match.playing import Playing
from referee.service.match.result import Denial, need

# ---------------------------------------------------------------- from sentences to a sheet on file
# Every line is bound alone, so that one bad line never changes another.


_KINDS = {"Invalid": "not understood", "Illegal": "not allowed", "Ambiguous": "ambiguous"}
_REMEMBERED = 1_024
"""Lines, for each of the circumstances remembered."""


class Bound(msgspec.Struct, frozen=True):
    """Lines that stand, what acts at once (and in which lines it stood), and lines that were refused."""

    sheet: Sheet = ()
    asides: tuple[Intent, ...] = ()
    aside_lines: tuple[int, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


class _Line(msgspec.Struct, frozen=True):
    """An order and what it was bound to; `given` is the line of a sheet it makes, None for one that makes none."""

    order: Order
    bound: Intent | Refusal
    given: Given | None


def bind(playing: Playing, seat: str, nodes: Iterable[Node], asides_allowed: bool = True, later: bool = False) -> Bound:
    """Bind lines for a seat against the position as it is now; those of an IF, or of a `later` turn, for form only."""
    before = _bound_before(playing, Seat(seat), later)
    sheet: list[Given | If] = []
    asides: list[tuple[int, Intent]] = []
    mistakes: list[Mistake] = []
    for node in nodes:
        if isinstance(node, Branch):
            then = bind(playing, seat, node.then, asides_allowed=False, later=True)
            otherwise = bind(playing, seat, node.otherwise, asides_allowed=False, later=True)
            mistakes += [*then.mistakes, *otherwise.mistakes]
            if then.sheet or otherwise.sheet:
                sheet.append(If(node.text, node.condition, then.sheet, otherwise.sheet))
            continue
        line = before.get(node.text)
        if line is None or line.order != node.order:
            line = before[node.text] = _line(playing, Seat(seat), node, later)
        if line.given is not None:
            sheet.append(line.given)
        elif isinstance(line.bound, Refusal):
            mistakes.append(place_refusal(node, line.bound))
        elif asides_allowed:
            asides.append((node.line, line.bound))
        else:
            mistakes.append(_not_in_a_block(node))
    lines, intents = tuple(line for line, _ in asides), tuple(intent for _, intent in asides)
    return Bound(tuple(sheet), intents, lines, tuple(mistakes))


def meaning_of(game: Game[Any], state: Any, intent: Intent) -> str:
    """The meaning of an order, in the game's words for a position if it has such."""
    return game.phrase(state, intent) if _phrases(game) else intent.meaning()


def _line(playing: Playing, seat: Seat, node: Sentence, later: bool) -> _Line:
    game, state = playing.game, playing.outcome.state
    bound = (game.bind_later if later else game.bind)(state, seat, node.order)
    if isinstance(bound, Refusal) or game.is_aside(bound):
        return _Line(node.order, bound, None)
    return _Line(node.order, bound, Given(node.text, playing.codec.raw(bound), meaning_of(game, state, bound)))


def _bound_before(playing: Playing, seat: Seat, later: bool) -> dict[str, _Line]:
    """By their canonical text the lines that were bound when nothing stood otherwise that binding looks at.

    Players write the same lines again and again. A game that cannot say what its binding looks at begins anew.
    """
    game = playing.game
    if not _binds_alike(game):
        return {}
    known = _remembered(playing.game.name, later, game.bound_by(playing.outcome.state, seat))
    if len(known) >= _REMEMBERED:
        known.clear()
    return known


def _binds_alike(game: Game[Any]) -> TypeGuard[BindsAlike]:
    """Asked of its class, which remembers the answer; an object is looked through anew each time."""
    return issubclass(type(game), BindsAlike)


def _phrases(game: Game[Any]) -> TypeGuard[Phrases]:
    """Asked of its class, as above: this is asked for every line."""
    return issubclass(type(game), Phrases)


@lru_cache(maxsize=64)
def _remembered(game: str, later: bool, bound_by: Hashable) -> dict[str, _Line]:
    """Filled by the caller."""
    return {}


def _not_in_a_block(node: Sentence) -> Mistake:
    sentence = (
        f"{node.order.verb} acts as soon as it is read, so it cannot stand in a block; write it on a line by itself."
    )
    return place_refusal(node, Refusal(sentence, "language.blocks", node.order.verb))


def refused(mistake: Mistake) -> Refused:
    """A mistake as the receipt shows it."""
    refusal = mistake.refusal
    kind = "taken in part" if mistake.stands else _KINDS.get(type(refusal).__name__, "not allowed")
    taken = f" Taken is: {mistake.stands}." if mistake.stands else ""
    return msgspec.convert(
        {
            "number": mistake.line,
            "text": mistake.source,
            "caret": mistake.caret(),
            "kind": kind,
            "sentence": capital(refusal.sentence) + taken,
            "rule": refusal.rule,
            "instead": refusal.instead,
        },
        Refused,
    )


def at_line(number: int, refusals: Iterable[Refused]) -> list[Refused]:
    """Refusals of a word for the desk, which knows of no lines, with the line of the letter it stood in."""
    return [msgspec.structs.replace(refusal, number=refusal.number or number) for refusal in refusals]


def text_to_read(stripped: Stripped) -> str:
    """The text of a letter to be read; lines not read stay as empty lines, so that line numbers stay true."""
    lines = [""] * (stripped.lines[-1].number if stripped.lines else 0)
    for line in stripped.lines:
        lines[line.number - 1] = line.text
    return "\n".join(lines)


def in_block(node: Node, line: int) -> bool:
    """Whether a line of the letter stands in a block, where what is done hangs on its condition."""
    return isinstance(node, Branch) and node.line <= line <= node.end


# ---------------------------------------------------------------- drafts
# A seat's debts, its orders on file for those and for later, and the answer that closes a question.


def debts(playing: Playing, seat: str) -> tuple[Question[Any], ...]:
    """The open questions a seat has to answer."""
    return tuple(question for question in playing.outcome.open if question.seat == seat)


def sheet_owed(playing: Playing, seat: str) -> Question[Any] | None:
    """The order sheet that a seat owes now, if it owes one."""
    return next((question for question in debts(playing, seat) if question.wants_orders), None)


def duty_of(playing: Playing, seat: str) -> Duty:
    """A seat's debt, in a word; while the match stands still nobody owes anything."""
    mine = debts(playing, seat)
    if not mine or how_it_stands(playing.row) or playing.outcome.over or playing.row.status == "over":
        return ""
    sheets = [q for q in mine if q.wants_orders]
    if not sheets:
        return "answer"
    return "on file" if all(draft_of(playing, q) is not None for q in sheets) else "orders"


def owes(playing: Playing, seat: str, knows: bool) -> str:
    """A seat's debt, in a sentence; `knows`: its player may know whom else everybody waits for."""
    if stands := how_it_stands(playing.row):
        return f"The match {stands}: nobody owes anything {until_when(playing.row)}."
    if playing.outcome.over or playing.row.status == "over":
        return "The match is over: you owe nothing."
    mine = debts(playing, seat)
    phase = playing.outcome.phase
    if mine and phase:
        match duty_of(playing, seat):
            case "on file":
                return f"Your orders for {phase.title} are on file; until they run you may change them."
            case "orders":
                return f"You owe orders for {phase.title}."
        return f"You owe an answer for {phase.title}. {mine[0].text}"
    return f"You owe nothing now. {_others_owe(playing, knows)}"


def _others_owe(playing: Playing, knows: bool) -> str:
    """One sentence that names the seats everybody waits for, for a reader who may know."""
    waiting = sorted({question.seat for question in playing.outcome.open})
    if not waiting:
        return "Nobody owes anything."
    if not knows and len(playing.created.seats) > 1:
        return "We wait for other players."
    return f"We wait for {in_a_row(waiting)}."


def how_it_stands(row: MatchRow) -> str:
    """In a sentence about a match, where it stands still; else ""."""
    return {"paused": "is paused", "sealed": "waits for its dice", "shunted": "stands still", "moved": "has moved"}.get(
        row.status, ""
    )


def until_when(row: MatchRow) -> str:
    """In a sentence about a match that stands still, until when it does."""
    return {"sealed": "until they have fallen", "moved": "here any more"}.get(row.status, "until it is resumed")


def drawers_of(playing: Playing, seat: str) -> tuple[Drawer, ...]:
    """Everything a seat has on file, the present orders first; of sheets asked for one after the other only the last.

    Where a further one is owed, those before it are done: none of them is on file.
    """
    every = {drawer: sheet for (owner, drawer), sheet in playing.outcome.drawers.items() if owner == seat}
    owed = [f"orders:{question.key}" for question in debts(playing, seat) if question.wants_orders]
    last = next((drawer for drawer in reversed(owed or [*every]) if drawer.startswith("orders:")), "")
    mine = {drawer: sheet for drawer, sheet in every.items() if drawer == last or not drawer.startswith("orders:")}
    order = sorted(mine, key=lambda d: (not d.startswith("orders:"), d != "next", not d.startswith("turn:"), d))
    return tuple(Drawer(drawer_title(drawer, playing), on_file(mine[drawer])) for drawer in order)


def drawer_title(drawer: str, playing: Playing) -> str:
    """A drawer's heading in a letter."""
    kind, _, rest = drawer.partition(":")
    phase = playing.outcome.phase
    match kind:
        case "orders":
            return f"Your orders for {phase.title}" if phase else "Your orders"
        case "standing":
            return "Your standing orders"
        case "late":
            return "Your orders if you are late"
        case "next":
            return "Your orders for your next turn"
        case _:
            return f"Your orders for turn {rest}"


def on_file(sheet: OrderSheet, depth: int = 0) -> tuple[OnFile, ...]:
    """A sheet printed back, IF blocks indented."""
    lines: list[OnFile] = []
    for item in sheet:
        if isinstance(item, Given):
            lines.append(OnFile(item.text, item.meaning, depth))
            continue
        lines.append(OnFile(f"IF {item.text}", "", depth))
        lines.extend(on_file(item.then, depth + 1))
        if item.otherwise:
            lines.append(OnFile("ELSE", "", depth))
            lines.extend(on_file(item.otherwise, depth + 1))
        lines.append(OnFile("END", "", depth))
    return tuple(lines)


def answered(playing: Playing, seat: Seat, typed: str, place: int = 0) -> Answered:
    """The answer that CHOOSE gives: to the question of this number, else to the first that waits. Raises Denial."""
    mine = [question for question in debts(playing, seat) if not question.wants_orders]
    need(mine, "No question waits for your answer; ORDERS shows what you have on file.")
    question = mine[place - 1] if 0 < place <= len(mine) else mine[0]
    value = question.menu.read(typed)
    if value is None:
        choices = "; ".join(question.menu.words())
        raise Denial(f"{typed} is not on the menu; the choices are: {choices}.", question.rule)
    return Answered(question.key, seat, msgspec.Raw(question.menu.encode(value)), Source.PLAYER)


# ---------------------------------------------------------------- the answer that closes a question


def draft_of(playing: Playing, question: Question[Any]) -> OrderSheet | None:
    """The order sheet on file that answers a question, or None."""
    return playing.outcome.drawers.get((question.seat, f"orders:{question.key}"))


def ends_slot(playing: Playing, item: Given | If) -> bool:
    """Whether a line of a sheet runs it as soon as it is read."""
    return isinstance(item, Given) and playing.codec.intent(item.intent).closes


def filed_ahead(playing: Playing, before: set[str]) -> list[Filed]:
    """Sheets filed for this turn or for the next one become the draft when the orders question opens.

    Lines that it does not ask for stay on file for a later question.
    """
    records: list[Filed] = []
    for question in playing.outcome.open:
        if question.key in before or not question.wants_orders or playing.outcome.phase is None:
            continue
        for drawer in (f"turn:{playing.outcome.phase.turn}", "next"):
            filed = playing.outcome.drawers.get((question.seat, drawer), ())
            sheet, rest = parted(playing.codec, filed, question)
            if sheet:
                records += [
                    Filed(question.seat, f"orders:{question.key}", sheet, "filed ahead"),
                    Filed(question.seat, drawer, rest),
                ]
                break
    return records


Instead: TypeAlias = "Callable[[Question[Any]], Any]"
"""The answer played for a seat in place of a question's default; None for that default."""


def closing(
    playing: Playing,
    question: Question[Any],
    at_deadline: bool,
    late: int,
    rings: bool = False,
    by: str = "",
    instead: Instead = lambda _: None,
) -> Answered:
    """The answer that closes a question now: the draft, the late instruction, standing orders, what is played `instead` of
    the default, the default."""
    outcome = playing.outcome
    value, source = closing_sheet(playing.game, playing.codec, outcome.state, outcome.drawers, question, at_deadline)
    if at_deadline and source is Source.DEFAULT and (other := instead(question)) is not None:
        value, source = other, Source.BOT
    raw = msgspec.Raw(question.menu.encode(value))
    return Answered(question.key, question.seat, raw, source, late + (rings and source is not Source.PLAYER), by)


def default_words(question: Question[Any]) -> str:
    """The default of a plain question, as one would write it."""
    decoded = msgspec.json.decode(question.menu.encode(question.menu.default))
    if isinstance(decoded, list):
        return ", ".join(map(str, decoded)) or "none"
    if isinstance(decoded, dict):  # so many of each kind
        return ", ".join(f"{number} {kind}" for kind, number in decoded.items()) or "none"
    return str(decoded)
