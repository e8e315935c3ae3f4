"""The orders open to a seat, asked step by step or piece by piece, as data; and the table file, which has them all."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from inspect import cleandoc
from itertools import islice
from typing import Any

import msgspec

from referee.core.choices import Choice, Picked, Step, Unknown, after, every
from referee.core.game import AnyGame, PlaysSteadily, Reasoned
from referee.core.names import Seat
from referee.core.order import Intent, Verb
from referee.core.page import Block, Bullets, Heading, Page, Paragraph, Tally
from referee.core.position import intents_in
from referee.core.question import Amount, Menu, OneOf, Several
from referee.kit.game import BaseGame
from referee.kit.opponents import Opponent
from referee.kit.pieces import Index, Option, Pieces, Wish
from referee.kit.wording import capital
from referee.mail import Attachment
from referee.service.base.letter_facts import Drawer, Duty
from referee.service.match.playing import Playing
from referee.service.match.result import Denial, need, understood
from referee.service.match.sheets import debts, draft_of, meaning_of, sheet_owed

# ---------------------------------------------------------------- what a seat may order or answer now, as data
# For SEND choices, `referee show choices`, and programs of others.
#
# The form is that of docs/choices.md; whatever changes it in a way that a reader could stumble over raises VERSION.


VERSION = 1

_LINES, _SHOWN, _TRIED = 12, 5, 48
"""So many lawful lines of a verb stand in the file; so many in a letter; so many are looked at for them."""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """The next decision: from `least` to `most` of the options, or a number of what `counts` names."""

    field: str
    options: tuple[Option, ...] = ()
    least: int = 1
    most: int = 1
    counts: str = ""
    usual: tuple[str, ...] = ()


class OrderChoices(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that can be given now: the first decision, and some lines that can be sent as they stand."""

    verb: str
    meaning: str
    rule: str
    lines: tuple[str, ...]
    first: Decision | None = None
    at_once: bool = False


class QuestionChoices(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question that waits for an answer, and the answers there are."""

    key: str
    text: str
    rule: str
    answers: Decision


class Choices(msgspec.Struct, frozen=True):
    """The orders and answers open to a seat now; `owed`: its orders are asked for, else they wait for its next turn."""

    version: int
    match: str
    seat: str
    game: str
    phase: str
    owed: bool
    questions: tuple[QuestionChoices, ...]
    orders: tuple[OrderChoices, ...]


class Decided(msgspec.Struct, frozen=True, omit_defaults=True):
    """After some answers: the next decision, or the line they make."""

    next: Decision | None = None
    line: str = ""


def schema() -> dict[str, Any]:
    """JSON Schema of what is sent."""
    return msgspec.json.schema(Choices)


# ---------------------------------------------------------------- all of it


def choices_now(playing: Playing, seat: str) -> Choices:
    """The orders and answers open to a seat now, after those it has on file."""
    owed = debts(playing, seat)
    phase = playing.outcome.phase.title if playing.outcome.phase else ""
    questions = tuple(
        QuestionChoices(question.key, question.text, question.rule, _answers(question.menu))
        for question in owed
        if not question.wants_orders
    )
    orders = tuple(orders_after(playing, Seat(seat), on_file(playing, Seat(seat)), _LINES))
    asked = any(question.wants_orders for question in owed)
    return Choices(VERSION, playing.row.name, seat, playing.game.name, phase, asked, questions, orders)


def wanted_verbs(playing: Playing, seat: Seat) -> tuple[str, ...]:
    """The verbs of the sheet that is asked for and of standing orders; of a seat that is not asked, all for its next sheet."""
    sheets = [question.menu.words() for question in debts(playing, seat) if question.wants_orders]
    if sheets:
        return (*sheets[0], *playing.game.standing_verbs())
    alive = seat in playing.game.living(playing.outcome.state)
    return tuple(verb.word for verb in playing.game.vocabulary(playing.outcome.state).verbs) if alive else ()


def orders_after(
    playing: Playing, seat: Seat, sheet: Sequence[Intent], most: int = 0, among: Sequence[str] | None = None
) -> Iterator[OrderChoices]:
    """The orders that can be given after those of a sheet, each with at `most` so many lines that can be sent as they stand.

    `among`: of no other verbs.
    """
    game, state = playing.game, playing.outcome.state
    asides = game.aside_verbs()
    wanted = {*wanted_verbs(playing, seat), *asides}.intersection(among if among is not None else game.declared())
    for verb in game.vocabulary(state).verbs:
        if verb.word in wanted:
            try:
                found = _of_verb(game, state, seat, verb, sheet, most)
            except Unknown as problem:  # all that is picked here is on offer, so they are broken
                found = OrderChoices(verb.word, f"{verb.meaning}. {problem}".removesuffix("."), verb.rule, ())
            if found is not None:
                yield msgspec.structs.replace(found, at_once=verb.word in asides)


def _of_verb(
    game: AnyGame, state: Any, seat: Seat, verb: Verb, sheet: Sequence[Intent], most: int
) -> OrderChoices | None:
    def ask(so_far: Sequence[Picked]) -> Step | Intent | None:
        return after(game.asking(state, seat, verb.word, sheet), so_far)

    first = ask(())
    if _leads_nowhere(first, ask):
        return None
    lines = dict[str, None]()
    for order in islice(every(ask), _TRIED if most else 0):
        if isinstance(order, Intent):
            lines[game.line(state, order, seat, sheet)] = None
        if len(lines) == most:
            break
    step = _decision(first) if isinstance(first, Step) else None
    return OrderChoices(verb.word, verb.meaning, verb.rule, tuple(lines), step)


def _leads_nowhere(found: Step | Intent | None, ask: Callable[[Sequence[Picked]], Step | Intent | None]) -> bool:
    """Whether nothing can be chosen, perhaps after steps that offer nothing."""
    passed = list[Picked]()
    while isinstance(found, Step) and not found.choices and not found.counts:
        passed.append(())
        found = ask(passed) if found.least == 0 else None
    return found is None


def on_file(playing: Playing, seat: Seat) -> tuple[Intent, ...]:
    """The orders that a seat has on file for the sheet it owes."""
    owed = sheet_owed(playing, seat)
    sheet = (draft_of(playing, owed) or ()) if owed else ()
    return intents_in(playing.game, playing.codec, playing.outcome.state, seat, sheet)


# ---------------------------------------------------------------- step by step


def decided(
    playing: Playing, seat: str, verb: str, picked: Sequence[Picked], sheet: Sequence[Intent] | None = None
) -> Decided:
    """The decision after these answers, or the line they make; after a sheet, or else what is on file. Raises Denial."""
    before = on_file(playing, Seat(seat)) if sheet is None else sheet
    game, word = playing.game, verb.upper()
    wanted = (*wanted_verbs(playing, Seat(seat)), *game.aside_verbs())
    need(word in wanted, f"{seat} cannot order {word} now, but {', '.join(sorted(wanted)) or 'nothing'}.")
    state = playing.outcome.state
    with understood():
        found = after(game.asking(state, Seat(seat), word, before), picked)
    if found is None:
        raise Denial(f"There is nothing that {seat} could {word} now.")
    return (
        Decided(_decision(found))
        if isinstance(found, Step)
        else Decided(line=game.line(state, found, Seat(seat), before))
    )


def _decision(step: Step) -> Decision:
    return Decision(step.field, _options(step.choices), step.least, step.most, step.counts, step.usual)


def _options(choices: Sequence[Choice[Any]]) -> tuple[Option, ...]:
    return tuple(Option(choice.word, choice.meaning, choice.at) for choice in choices)


def _answers(menu: Menu[Any]) -> Decision:
    default = msgspec.json.decode(menu.encode(menu.default))
    usual = tuple(map(str, default)) if isinstance(default, list) else (str(default),)
    match menu:
        case OneOf():
            return Decision("answer", _options(menu.options), usual=usual)
        case Several():
            return Decision("answer", _options(menu.options), 0, menu.at_most, usual=usual)
        case Amount():
            return Decision("answer", (), menu.low, menu.high, "number", usual)
    return Decision("answer", tuple(map(Option, menu.words())), usual=usual)


# ---------------------------------------------------------------- piece by piece


def pieces_of(playing: Playing, seat: Seat, sheet: Sequence[Intent]) -> Pieces:
    """The deeds of a seat's pieces after a sheet."""
    game, state = playing.game, playing.outcome.state
    assert isinstance(game, BaseGame)
    verbs = (*wanted_verbs(playing, seat), *game.aside_verbs())
    return Pieces(game, state, seat, verbs, sheet, partial(meaning_of, game, state))


def sound_turn(playing: Playing, seat: Seat, known: Any) -> tuple[Reasoned, ...]:
    """The orders of a steady player for the sheet that is asked for, by his knowledge; without those that end his turn."""
    game, asked = playing.game, sheet_owed(playing, seat)
    if asked is None or not isinstance(game, PlaysSteadily):
        return ()
    return tuple(one for one in game.steady(known, seat) if asked.takes(one.order) and not one.order.closes)


def in_lines(game: AnyGame, known: Any, sound: Iterable[Reasoned]) -> tuple[Wish, ...]:
    """A sound turn line by line, each with its reason."""
    return tuple(Wish(game.line(known, one.order), one.why) for one in sound)


def index_of(playing: Playing, seat: Seat, known: Any) -> Index | None:
    """All first taps of a sheet that is owed: after what is on file, or else after a sound turn. None where none is owed."""
    if not sheet_owed(playing, seat) or not isinstance(playing.game, BaseGame):
        return None
    sound = sound_turn(playing, seat, known)
    sheet = on_file(playing, seat) or tuple(one.order for one in sound)
    return pieces_of(playing, seat, sheet).index(in_lines(playing.game, known, sound))


# ---------------------------------------------------------------- as it is sent


def choices_file(choices: Choices) -> tuple[Attachment, ...]:
    """The choices as a file for programs."""
    data = msgspec.json.format(msgspec.json.encode(choices), indent=1)
    return (Attachment(f"{choices.match}-choices-{choices.seat}.json", "application/json", data),)


def choices_page(choices: Choices) -> Page:
    """The choices for people: lines of each order that can be sent as they stand."""
    said = f"Orders that {choices.seat} could send as they stand; HELP and a word tells more about each."
    return Page(f"Orders open to {choices.seat} now", said, tuple(_blocks(choices)))


def _blocks(choices: Choices) -> Iterator[Block]:
    for question in choices.questions:
        yield Heading(question.text)
        yield Bullets(tuple(f"{o.word}: {o.meaning}" if o.meaning else o.word for o in question.answers.options))
    for order in choices.orders:
        yield Heading(order.verb)
        when = "; done at once" if order.at_once and "at once" not in order.meaning else ""
        yield Paragraph(f"{capital(order.meaning)}{when}.")
        yield Bullets(order.lines[:_SHOWN])
    if choices.orders and not choices.owed:
        yield Paragraph("Nothing is owed now; orders that are not done at once wait for the next turn.")
    if not choices.orders and not choices.questions:
        yield Paragraph("Nothing is asked of you now, and nothing can be done at once.")


# ---------------------------------------------------------------- the table file
# A seat's turn as data, for the page on which one plays and for programs of others. SEND table.
#
# It holds what its seat may know and nothing else: no address, token or sheet of anybody else. The form is that of
# docs/table-format.md; whatever changes it in a way that a reader could stumble over raises VERSION.


TABLE_VERSION, PRESSED_VERSION = 1, 2
"""The form of a file; that of a large one that goes with a letter, in which these are pressed."""

PRESSED = ("map", "index", "told", "press")


class Chair(msgspec.Struct, frozen=True):
    """A seat of the match, in the order of play; `colour` as #RRGGBB, or "" where the game gives none; its `bot`, if any."""

    seat: str
    colour: str
    living: bool
    bot: Opponent | None = None


class Map(msgspec.Struct, frozen=True):
    """The map as the seat knows it, as SVG, and the sentence for those who see no pictures."""

    svg: str
    instead: str


class Known(msgspec.Struct, frozen=True):
    """The values that the referee's own rules need to go on from here, in their own form, which may change with any release.

    `position` is what the seat knows of the position, pressed (`pressed`), since a large one would be most of the file; `hidden`
    says that it was not told all. `before` is what it knew when the phase under way began, null where that is the same. `drawers`
    are its sheets on file, `asked` is the key of the question that asks for orders, `rules` the fingerprint of what wrote it.
    """

    rules: str
    options: dict[str, str]
    position: Any
    hidden: bool
    drawers: Any
    asked: str = ""
    before: Any = None


_LARGEST = 8_000_000


def pressed(value: Any) -> str:
    """A value as JSON, deflated (RFC 1951), in Base64."""
    press = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return base64.b64encode(press.compress(msgspec.json.encode(value)) + press.flush()).decode()


def as_json(known: Any) -> bytes:
    """A value that was pressed, as JSON; another one as it stands, since files of earlier releases have it so.

    Raises ValueError, zlib.error for what is none.
    """
    if not isinstance(known, str):
        return msgspec.json.encode(known)
    return zlib.decompressobj(wbits=-zlib.MAX_WBITS).decompress(base64.b64decode(known), _LARGEST)


class TableFile(msgspec.Struct, frozen=True):
    """A seat's turn: what it owes and until when, what it may order, what it has on file, where its letter goes.

    `program` is the version of the referee; `written` and `until` are times in UTC, `until` "" where nothing is owed by a time.
    `duty` is what is owed in a word: "orders", "on file" (orders that may be changed still), "answer" or "" for nothing. A
    letter goes to `reply_to` under `subject`.

    `takes` are the verbs of the sheet that is asked for, `going` the words that set it going or hold it. `form` is a sheet half
    filled in, `on_file` are the sheets on file. `index` says what can be done at each place of the map, null where no sheet is
    owed.

    `mark` is what the archive calls the turn that waits, as `turn` of its match.json; "" where none is on the web. In form 2
    `map`, `index`, `told` and `press` are pressed (`pressed`). `told` are the last reports as this seat was sent them, the
    oldest first, and `press` is what it may read of the last press.
    """

    version: int
    program: str
    match: str
    game: str
    title: str
    seat: str
    seats: tuple[Chair, ...]
    turn: int
    phase: str
    written: str
    duty: Duty
    owes: str
    until: str
    at_deadline: str
    reply_to: str
    subject: str
    takes: tuple[str, ...]
    going: tuple[str, ...]
    choices: Choices
    form: tuple[str, ...]
    on_file: tuple[Drawer, ...]
    standings: Tally
    map: Map | str | None
    known: Known
    index: Index | str | None = None
    mark: str = ""
    told: tuple[Page, ...] | str = ()
    press: Page | str | None = None


def table_schema() -> dict[str, Any]:
    """JSON Schema of what is sent; the same on each Python, of which some keep the indentation of docstrings."""
    found = msgspec.json.schema(TableFile)
    for each in found["$defs"].values():
        each["description"] = cleandoc(each["description"])
    return found
