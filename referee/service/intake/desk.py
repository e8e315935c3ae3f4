"""The desk: what happens to a member's letter, as a table of steps.

At the end of the module they stand in their order, each with what it needs of the ones before it, what it finds, and why it
stands where it stands. A step hands the letter on with what it found and what came of it, or answers it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Literal

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Invalid, Vocabulary
from referee.core.position import parted as in_two
from referee.core.record import Acted, Filed, Record
from referee.kit.game import why_missing
from referee.kit.wording import counted, in_a_row
from referee.mail import Skipped, Stripped
from referee.orders import AFTER_END, IgnoredLine, Mistake, Reading, Sentence, orders_something, read
from referee.service.base.letter_facts import Ignored, Refused
from referee.service.base.note_values import Written
from referee.service.base.office import WayStep, go, way_step
from referee.service.house.filing import displaced, filed_sheet, filing, note_refused, off_the_file, set_going
from referee.service.house.press import do_blocks, shortened
from referee.service.house.press_blocks import GAME_MASTER, Block, answered, as_press, blocks_apart, parted
from referee.service.house.press_blocks import like_orders as order_lines
from referee.service.intake.answers_to_members import answered_plainly, answers_another, plainly_meant
from referee.service.intake.commands.caller import ONLY_ASK, obey, until_they_fell, weigh
from referee.service.intake.commands.command import block_kinds, desk_words
from referee.service.intake.commands.course import become, tell_of_becoming, writes_for_another
from referee.service.intake.corrections import blocks_of, bound, corrected, is_known, with_offers
from referee.service.intake.foreign_lines import by_seats, for_onlookers, not_read, of_others
from referee.service.intake.kept_for_yes import remember, to_pass_on, waiting
from referee.service.intake.mangled_lines import READS_SO, Undone, letters_to_quote, passed_over, undone, unmarked
from referee.service.intake.plain_words import asks as asks_in_words
from referee.service.intake.plain_words import by_a_machine, like_orders, nodes_of, remarks_aside, says_yes
from referee.service.intake.receipts import post_receipt, says_something, tell_what_was_sent
from referee.service.match.history import known_to
from referee.service.match.result import NOTHING, Came, Enclosed, denied
from referee.service.match.sheets import Bound, at_line, bind, meaning_of, refused, sheet_owed
from referee.service.turn.absences import end_autoplay
from referee.service.turn.preview import look_ahead, preview_page
from referee.service.turn.writer import Hand, Weight

# ---------------------------------------------------------------- a letter on its way


class Read(msgspec.Struct, frozen=True):
    """The parts read of a letter. `text` is the part for the referee, by now; `unread` tells of parts beside its lines.

    `received` is the text as it came, of which the log keeps the digest. `held` are lines of press without an END that read
    like orders, by their numbers, `passed_over` those that were not read, as a signature or a quote, and read as orders.

    `reply` goes to the writer of a press letter. `remarks` stand after a YES that means the whole letter, None where it says no
    such YES. `taken` are the orders as they were bound, `wrong` the lines that were refused.
    """

    text: str
    received: str = ""
    blocks: tuple[Block, ...] = ()
    held: tuple[tuple[int, str], ...] = ()
    passed_over: tuple[tuple[int, str], ...] = ()
    unread: tuple[str, ...] = ()
    reply: Block | None = None
    lines: Reading = Reading()
    remarks: tuple[Ignored, ...] | None = None
    corrected: str = ""
    becomes: bool = False
    taken: Bound = Bound()
    records: tuple[Record, ...] = ()
    wrong: tuple[Mistake, ...] = ()
    mends: bool = False

    @property
    def nothing_waits(self) -> bool:
        """Whether it says YES where no question of ours is open."""
        return self.remarks is not None and not self.corrected

    @property
    def missed(self) -> Literal["", "refused", "passed over"]:
        """The fault that keeps it from being done whole."""
        return "refused" if self.wrong or self.held else "passed over" if self.passed_over else ""

    @property
    def afresh(self) -> bool:
        """Whether CLEAR stands before its orders, so that they mend nothing."""
        cleared = [sentence.line for sentence in self.lines.desk if sentence.order.verb == "CLEAR"]
        return bool(cleared and self.lines.sheet) and cleared[0] < self.lines.sheet[0].line


class SoFar(msgspec.Struct, frozen=True):
    """A letter on its way: the hand of its writer, the whole of it as it was written, what was read and what came of it."""

    hand: Hand
    whole: str
    stripped: Stripped
    read: Read
    came: Came = NOTHING

    def with_(self, came: Came = NOTHING, **found: object) -> SoFar:
        """The letter with what a step found in it, and what came of it there."""
        return replace(self, read=replace(self.read, **found), came=self.came + came)


class Answer(msgspec.Struct, frozen=True):
    """The end of a letter's way: its receipt; a letter of its own that was posted; that it is kept until its match goes on,
    or until its writer says YES, for words of this weight."""

    by: Literal["receipt", "letter", "keep", "ask"]
    came: Came = NOTHING
    read: Read = Read("")
    weight: Weight = Weight()
    shown: tuple[str, ...] = ()
    """The lines that its plain words seem to ask for, which its writer is asked about."""


class Fact(Enum):
    """A fact known of a letter when it has passed a step."""

    APART = "its press apart from the words for the referee"
    OPEN = "its match waits for no dice"
    AWAKE = "its match stands still for no fault"
    SHORT = "it has no more lines than are read"
    REPLY = "its answer to a letter of press"
    READ = "the meaning of each line"
    YES = "whether it is a YES, and to what"
    ORDERS = "it is no plain words to a person"
    MEANT = "its meaning: its own lines, or those that its YES takes"
    LIGHT = "nothing in it weighs more than its proof"
    SENT = "its press has gone"
    REPLIED = "its answer to press has gone"
    SEAT = "for which seat it is written"
    FILED = "its acts are done and its sheets lie on file"
    REFUSED = "which lines are refused, with corrections that stand"
    FORESEEN = "doubts about the orders on file"
    OBEYED = "the words for the desk are done"
    SLOT = "whether its slot is ended, held or runs"
    TOLD = "nothing is left to do"


# ---------------------------------------------------------------- the steps


def _press_apart(so: SoFar) -> SoFar:
    """Press, notes to oneself and treaties are cut out; of one that no END closes the lines that read like orders are held."""
    hand, whole = so.hand, so.whole
    kinds = block_kinds(_desk_here(hand)) if hand.seat or hand.game_master else ()
    found, text = blocks_apart(whole, kinds)
    closed, held = [], dict[int, str]()
    for block in found:
        done, orders = _closed(hand, block, whole)
        closed.append(done)
        held |= orders
    return so.with_(text=text, blocks=tuple(closed), held=tuple(held.items()), unread=_unread(hand, False))


def _sealed(so: SoFar) -> SoFar | Answer:
    """While a match waits for its dice a letter is kept without a word."""
    playing = so.hand.playing
    if not playing.outcome.sealed or playing.fault or so.hand.status == "shunted":
        return so
    if so.hand.writer.keeps:
        return Answer("keep")
    return Answer(
        "receipt", so.came + denied("", f"{so.hand.match} waits for its dice; try again in a minute."), so.read
    )


def _halted(so: SoFar) -> SoFar | Answer:
    """Where a match stands still for a fault, what only asks or goes back is done; any other letter is kept.

    A game master's other lines are refused if he wrote a word that works: he may send them again when it goes on.
    """
    hand = so.hand
    if not (hand.playing.fault or hand.playing.outcome.sealed):
        return so
    reading, works = _understood(hand, so.whole), _works(hand)
    named = ", ".join(sorted(works))
    asking = [sentence for sentence in reading.desk if sentence.order.verb in works]
    waits = _meant(reading, _words_here(hand)) - {sentence.line for sentence in asking}
    if not asking or (waits and not hand.game_master):
        if hand.writer.keeps:
            return Answer("keep")
        trouble = hand.playing.fault or hand.playing.row.trouble
        wrong = f"{hand.match} stands still, so nothing is taken but {named}. {trouble}"
        return Answer("receipt", so.came + denied("", wrong.rstrip()), so.read)
    weight = weigh(reading, hand.game_master)
    if hand.writer.asks(weight):
        return Answer("ask", weight=weight)
    came, lines = so.came, so.whole.split("\n")
    for sentence in asking:
        came += obey(hand, sentence)
    for number in sorted(waits):
        came += denied(lines[number - 1].strip(), f"{hand.match} stands still, so nothing is taken but {named}.")
    return Answer("receipt", came, so.read)


def _too_long(so: SoFar) -> SoFar | Answer:
    """A letter of more lines than are read is refused whole: half of a sheet is worse than none."""
    limit = so.hand.office.limits.orders
    if (written := _written(so.read.text, limit)) <= limit:
        return so
    wrong = f"your letter has {written:,} lines and I read up to {limit:,}; none was taken. Send fewer orders."
    return Answer("receipt", so.came + denied("", wrong), so.read)


def _reply(so: SoFar) -> SoFar:
    """Of a reply to a letter of press what is no order goes back to its writer."""
    hand = so.hand
    before = answered(hand)
    if before is None:
        return so
    reads = partial(_understood, hand)
    said, rest = parted(so.read.text, unmarked(so.read.text, reads), reads)
    came = NOTHING
    if (turn := hand.writer.closed) and rest.strip():
        came += denied(_first_line(rest), f"It came to the reply address of turn {turn}, which is closed; {_AGAIN}")
        rest = ""
    if not said:
        return so.with_(came, text=rest)
    block, wrong = as_press(hand, before, said), _why_not_answered(before, said)
    if wrong:
        return so.with_(came + denied(shortened(said), wrong), text=rest)
    return so.with_(came, text=rest, reply=block)


def _lines_read(so: SoFar) -> SoFar:
    """Each line is read, as it was before mail programs, against the words that its writer may use; so are those passed over."""
    hand, received = so.hand, so.read.text
    found = _undone(hand, received)
    reading, came = _as_his(hand, found.reading)
    if hand.over and hand.seat:
        reading, too_late = _after_the_end(hand, found.text, reading)
        came += too_late
    over = passed_over(
        (*so.stripped.ignored, *_after_end(reading)),
        partial(_understood, hand, curt=True),
        partial(letters_to_quote, hand),
    )
    becomes = hand.game_master and writes_for_another(found.text)
    read_so = {"text": found.text, "received": received, "lines": reading, "passed_over": tuple(over.items())}
    return so.with_(came + Came(doubts=found.told), becomes=becomes, **read_so)


def _yes(so: SoFar) -> SoFar:
    """A YES that stands first means the whole letter, while corrections wait also in other words."""
    hand = so.hand
    waits = bool(waiting(hand) or to_pass_on(hand)) and not answers_another(hand)
    return so.with_(remarks=says_yes(so.read.lines, waits))


def _plain_words(so: SoFar) -> SoFar | Answer:
    """Thanks, a question to a person and the YES that passes one on are answered by a letter of their own."""
    got, hand = so.read, so.hand
    if got.reply is not None or got.blocks or so.came.refused or got.passed_over:
        return so
    meant = plainly_meant(hand, got.text, got.lines)
    if meant.does and not set(meant.lines) <= set(hand.writer.agreed):
        return Answer("ask", so.came, got, shown=meant.lines)
    if meant.lines:
        text = "\n".join(meant.lines)
        return so.with_(Came(meant.said), lines=_understood(hand, text), text=text)
    done = answered_plainly(so.hand, got.text, got.lines, got.remarks is not None)
    return so if done is None else Answer("letter", so.came + done, got)


def _corrected(so: SoFar) -> SoFar:
    """A YES takes the last letter of this turn with its corrections."""
    if so.read.remarks is None:
        return so
    corrected = waiting(so.hand)
    so = so.with_(passed_over=())
    return _reread(so, corrected).with_(corrected=corrected) if corrected else so.with_(lines=Reading())


def _weighed(so: SoFar) -> SoFar | Answer:
    """A letter that asks for more than it proves of its writer waits for his YES, and nothing of it is done."""
    weight = weigh(so.read.lines, so.hand.game_master, becomes=so.read.becomes)
    return Answer("ask", so.came, so.read, weight) if so.hand.writer.asks(weight) else so


def _press_sent(so: SoFar) -> SoFar:
    """Press is relayed to its readers, notes to oneself are kept."""
    return so.with_(do_blocks(so.hand, so.read.blocks))


def _reply_sent(so: SoFar) -> SoFar | Answer:
    """A reply to press goes; a letter that was nothing else is answered by one line."""
    if so.read.reply is None:
        return so.with_(Came(ignored=_not_read_of(so)))
    sent = do_blocks(so.hand, (so.read.reply,), so.hand.writer.replies_to)
    if so.read.text.strip() or so.read.blocks:
        return so.with_(sent + Came(ignored=_not_read_of(so)))
    came = so.came + sent
    return Answer("letter" if tell_what_was_sent(so.hand, came, so.read.unread) else "receipt", came, so.read)


def _for_a_seat(so: SoFar) -> SoFar:
    """A game master's BECOME makes the letter another player's."""
    if so.read.remarks is not None:
        text = so.read.corrected or so.read.text
        return so.with_(Came(ignored=so.read.remarks), text=text, received=text)
    if not so.read.becomes:
        return so
    text, came = become(so.hand, so.read.text)
    return _reread(so, text).with_(came, text=text, received=text)


def _filed(so: SoFar) -> SoFar:
    """Orders that act at once are done, and sheets go on file; a preview is drawn."""
    hand, reading, text, received = so.hand, so.read.lines, so.read.text, so.read.received
    state, game = hand.playing.outcome.state, hand.playing.game
    lines = bound(hand.playing, Seat(hand.seat), reading)
    whole = lines.whole
    inputs: list[Record] = [Acted(Seat(hand.seat), hand.playing.codec.raw(intent)) for intent in whole.asides]
    came, mends = NOTHING, False
    meant = [meaning_of(game, state, intent) for intent in whole.asides]
    if whole.sheet:
        drawn = filing(hand, whole, reading.adds and not so.read.afresh, so.read.afresh, received)
        inputs, came, mends = [*inputs, *drawn.records], drawn.came + Came(done=end_autoplay(hand)), drawn.mends
    for drawer, sheet in lines.drawers:
        inputs.append(filed_sheet(hand, drawer, sheet, received))
        came += Came(filed=True)
    if lines.preview is not None:
        came += _preview(hand, lines.preview)
    came += Came(dropped=off_the_file(hand.playing, inputs))
    undone = hand.take(inputs)
    came = Came(tuple(meant[: len(meant) - undone])) + came + _kept_out(hand, whole, text, undone)
    ignored = tuple(_ignored(so.read, line) for line in reading.ignored)
    found = {"taken": whole, "records": tuple(inputs), "wrong": lines.mistakes, "mends": mends}
    return so.with_(came + Came(ignored=ignored), **found)


def _lines_refused(so: SoFar) -> SoFar:
    """Corrections are tried on what now stands before they are offered, and kept for a YES."""
    hand, reading = so.hand, so.read.lines
    found, prose = corrected(hand.playing, Seat(hand.seat), so.read.wrong, reading, partial(read_lines, hand))
    found, alike = with_offers(hand.playing, Seat(hand.seat), found), 0
    for game in _words_here(hand)[1:] if prose else ():
        prose, alike = like_orders(prose, game)
    alike += len(so.read.passed_over)
    came = Came(refused=tuple(map(refused, found)), ignored=tuple(prose), like_orders=alike) + _hold(so.read.held)
    if so.read.taken.sheet and not blocks_of(reading) and so.came.filed and not so.read.mends:
        note_refused(hand, sheet_owed(hand.playing, hand.seat), reading.sheet, found)
    done_at_once = (*so.read.taken.aside_lines, *(sentence.line for sentence in reading.desk))
    takes = remember(hand, _without_end(so.read), done_at_once, found, dict(so.read.held) | dict(so.read.passed_over))
    return so.with_(came + Came(yes_takes=takes), wrong=tuple(found))


def _foreseen(so: SoFar) -> SoFar:
    """Likely disappointments in the sheets that this letter leaves on file are found, as things stand after its acts.

    A player who gives something away, or accepts something, is told what that does to his orders on file.
    """
    hand, taken = so.hand, so.read.records
    filed = [f.drawer for f in taken if isinstance(f, Filed)]
    acted = any(isinstance(record, Acted) for record in taken)
    drawers = [(name, lines) for (seat, name), lines in hand.playing.outcome.drawers.items() if seat == hand.seat]
    looked_at = [lines for name, lines in drawers if _runs(name) and (acted or name in filed)]
    sheet = tuple(item for lines in looked_at for item in lines)
    if not sheet or hand.playing.outcome.over:
        return so
    known = known_to(hand.step, hand.playing, Seat(hand.seat))
    return so.with_(look_ahead(hand.playing, Seat(hand.seat), sheet, known))


def _obeyed(so: SoFar) -> SoFar:
    """Words for the desk are done in their order, each by its writer."""
    came = NOTHING
    for sentence in so.read.lines.desk:
        if sentence.order.verb == "CLEAR" and so.read.afresh and so.came.filed:
            came += Came(("The orders on file before are off it; those of this letter stand.",))
            continue
        done = obey(so.hand, sentence)
        came += replace(done, refused=tuple(at_line(sentence.line, done.refused)))
    every = tuple(sorted((*so.came.refused, *came.refused), key=lambda refusal: refusal.number))
    return replace(so, came=replace(so.came + came, refused=every))


def _set_going(so: SoFar) -> SoFar:
    """Its turn runs at once, after a change of mind, or at the deadline."""
    return so.with_(set_going(so.hand, so.came, so.read.missed))


def _told(so: SoFar) -> Answer:
    """A player in whose name a game master wrote is told, and the letter is answered."""
    if so.hand.writer.became:
        tell_of_becoming(so.hand, so.read.text)
    said = says_something(so.hand, so.came) or so.read.nothing_waits
    return Answer("receipt", so.came, so.read if said else replace(so.read, unread=_unread(so.hand, True)))


# ---------------------------------------------------------------- the table


F = Fact
STEPS: tuple[WayStep[SoFar, SoFar | Answer], ...] = (
    way_step("press cut out", _press_apart, finds=F.APART,
             why="first of all: nothing that one player writes to another is ever read as an order"),
    way_step("a match that waits for its dice", _sealed, finds=F.OPEN,
             why="before anything is done: nothing may come between a seal and its dice"),
    way_step("a match that stands still", _halted, F.APART, F.OPEN, finds=F.AWAKE,
             why="after the dice, since it also takes a match that failed while it waited for them; it reads the whole letter, "
             "for press of it waits too"),
    way_step("too long", _too_long, F.APART, F.AWAKE, finds=F.SHORT,
             why="before the lines are read, which is what takes time; press does not count"),
    way_step("a reply to press", _reply, F.APART, F.SHORT, finds=F.REPLY,
             why="before the lines are read: words to another are not for us"),
    way_step("its lines", _lines_read, F.REPLY, F.SHORT, finds=F.READ,
             why="all that follows looks at what the lines say"),
    way_step("a YES", _yes, F.READ, finds=F.YES,
             why="of the letter itself, before a corrected one is read in its stead"),
    way_step("plain words", _plain_words, F.READ, F.YES, F.REPLY, finds=F.ORDERS,
             why="before a YES takes corrections, since it may pass on a question instead; not where anything was sent or refused"),
    way_step("corrections taken", _corrected, F.YES, F.ORDERS, finds=F.MEANT,
             why="before it is weighed: the lines that a YES takes weigh as much as if they stood there"),
    way_step("its weight", _weighed, F.MEANT, finds=F.LIGHT,
             why="the last step before anything is done: a letter that waits for a YES does nothing, not even its press"),
    way_step("press sent", _press_sent, F.APART, F.LIGHT, finds=F.SENT,
             why="before orders, which may run the turn: it was written in the turn before"),
    way_step("the reply sent", _reply_sent, F.REPLY, F.LIGHT, F.SENT, finds=F.REPLIED,
             why="after the other press, whose numbers it follows"),
    way_step("whose orders they are", _for_a_seat, F.MEANT, F.LIGHT, F.SENT, F.REPLIED, finds=F.SEAT,
             why="after press, which goes in a game master's own name, and before orders are bound, which is done for a seat"),
    way_step("acts and sheets", _filed, F.MEANT, F.SEAT, finds=F.FILED,
             why="before corrections, which are tried on what then stands, and before words such as ROLL OUT, which run it"),
    way_step("lines refused", _lines_refused, F.FILED, finds=F.REFUSED,
             why="on the position after the acts, and before words for the desk change it"),
    way_step("doubts", _foreseen, F.FILED, finds=F.FORESEEN,
             why="before words for the desk: they may end the slot, and what is lost by it must be known"),
    way_step("words for the desk", _obeyed, F.MEANT, F.FILED, F.REFUSED, F.FORESEEN, finds=F.OBEYED,
             why="after sheets, so that a letter's WAIT, CLEAR or WITHDRAW finds them there"),
    way_step("the slot", _set_going, F.FILED, F.REFUSED, F.FORESEEN, F.OBEYED, finds=F.SLOT,
             why="after all lines: one refused holds it, ROLL OUT runs it, and nothing of the letter may come after a turn that "
             "ran"),
    way_step("the receipt", _told, F.SLOT, finds=F.TOLD,
             why="from the match as it then stands"),
)  # fmt: skip
"""In this order. The needs of a step, one before it has found; each finds something of its own, so that none can be left out."""


def attend(hand: Hand, text: str, stripped: Stripped, came: Came = NOTHING) -> Answer:
    """Send a letter's text on its way, post the receipt; `came` is what came of it on its way here. Returns how it ended."""
    return _posted(hand, text, go(STEPS, SoFar(hand, text, stripped, Read(text), came), Answer))


def attend_closed(hand: Hand, text: str, why: str) -> Answer | None:
    """A letter to the reply address of a closed turn: what it asks is answered, and its orders that are lawful now wait for
    a YES; None where there is none of either. Nothing else is done, for the reason `why`.
    """
    _, said = blocks_apart(text, block_kinds(_desk_here(hand)))
    found = _undone(hand, said)
    asks = [sentence for sentence in found.reading.desk if sentence.order.verb in ONLY_ASK]
    over = _lawful_now(hand, found.text, found.reading)
    if not asks and not over:
        done = _question_answered(hand, found)
        return _posted(hand, said, done) if done else None
    came = _offered_now(hand, found, over) if over else NOTHING
    for sentence in asks:
        came += obey(hand, sentence)
    lines = {number: row.strip() for number, row in enumerate(found.text.split("\n"), 1) if row.strip()}
    rest = [row for number, row in lines.items() if number not in {sentence.line for sentence in asks}]
    if rest:
        came += denied(rest[0] if asks else "", why)
    return _posted(hand, said, Answer("receipt", came, Read(found.text, passed_over=tuple(over.items()))))


def _question_answered(hand: Hand, found: Undone) -> Answer | None:
    """A plain question to a closed turn, answered as to an open one; None where there is none."""
    reading, text = _as_his(hand, found.reading)[0], found.text
    if not ("?" in text or asks_in_words(text)):
        return None
    meant = plainly_meant(hand, text, reading)
    if meant.does or not meant.lines:
        done = None if meant.does else answered_plainly(hand, text, reading, False)
        return None if done is None else Answer("letter", done)
    came, text = Came(meant.said), "\n".join(meant.lines)
    for sentence in _understood(hand, text).desk:
        came += obey(hand, sentence)
    return Answer("receipt", came, Read(text))


def _offered_now(hand: Hand, found: Undone, over: Mapping[int, str]) -> Came:
    """The offer of these lines, by their numbers, with what on file they would take the place of."""
    rows = "\n" * found.text.count("\n")
    lines = bind(hand.playing, hand.seat, _understood(hand, "\n".join(over.values())).sheet).sheet
    gone = () if found.reading.adds else displaced(hand, lines)
    told = (
        (f"That YES takes off the file: {'; '.join(gone)}. ADD before the first line adds them instead.",)
        if gone
        else ()
    )
    return Came(yes_takes=remember(hand, rows, (), (), over), doubts=told)


def masters_words_in(hand: Hand, text: str) -> str:
    """The words for a game master in a letter of one that has no orders, as a sentence names them; "" where there are none."""
    reading = _undone(hand, blocks_apart(text, block_kinds(_desk_here(hand)))[1]).reading
    return in_a_row(weigh(reading, hand.game_master).masters) if not reading.sheet else ""


def _posted(hand: Hand, text: str, answer: Answer) -> Answer:
    """An answer whose receipt, if it is one, goes to the writer of the text."""
    got = answer.read
    if answer.by == "receipt" and hand.writer.answered:
        over = dict(got.passed_over)
        post_receipt(hand, answer.came, text, partial(_words_here, hand), got.unread, got.nothing_waits, over)
    return answer


# ---------------------------------------------------------------- what the steps look at

_AGAIN = "write it again in a reply to the latest letter of the match."
_ASKS = frozenset(("STATUS", "HELP", "WHO", "GAMES", "GUIDE", "RULES", "SEND", "VERIFY"))
_MASTERS = frozenset(("REWIND", "RESUME", "ANNOUNCE", "TERMINATE", "CONFIRM", "OBJECT"))
"""The words that need no phase to be played."""
_WITHOUT_RULES = frozenset(("STATUS", "HELP", "WHO", "GAMES", "ANNOUNCE"))
"""Those of them that a match is still asked whose game cannot be loaded."""


def _works(hand: Hand) -> frozenset[str]:
    """The words that are obeyed in a match that stands still: where it waits for its dice, too, those that log nothing."""
    if why_missing(hand.playing.game):
        return _WITHOUT_RULES
    return _ASKS | (frozenset(("REWIND", "RESUME")) if hand.playing.outcome.sealed else _MASTERS)


def _meant(reading: Reading, words: tuple[Vocabulary, ...]) -> set[int]:
    """The lines that were meant for the referee, understood or not."""
    mistakes, prose = remarks_aside(reading.mistakes, reading)
    meant = {node.line for node in nodes_of(reading)} | {mistake.line for mistake in mistakes}
    return meant | {line.number for line in prose for game in words[1:] if orders_something(line.text, game)}


def _lawful_now(hand: Hand, text: str, reading: Reading) -> dict[int, str]:
    """The lines of a letter with orders for the sheet that is owed now, by their numbers; with blocks all or nothing."""
    asked = sheet_owed(hand.playing, hand.seat) if hand.seat else None
    if asked is None:
        return {}
    whole = bind(hand.playing, hand.seat, reading.sheet)
    if not in_two(hand.playing.codec, whole.sheet, asked)[0]:
        return {}
    desk = {sentence.line: sentence.order.verb in _WITH_ORDERS for sentence in reading.desk}
    wrong = {mistake.line for mistake in (*reading.mistakes, *whole.mistakes)}
    plain = {node.line for node in reading.sheet if isinstance(node, Sentence)}
    blocks = len(plain) < len(reading.sheet) or bool(blocks_of(reading))
    rows = enumerate(text.split("\n"), 1)
    if blocks and wrong:
        return {}
    return {n: row for n, row in rows if row.strip() and n not in wrong and (n in plain or desk.get(n, blocks))}


_WITH_ORDERS = ("CLEAR", "ROLL OUT", "WAIT", "NO WAIT")


def _closed(hand: Hand, block: Block, whole: str) -> tuple[Block, dict[int, str]]:
    """A block; of one that no END closes the lines that read like orders apart: they may be meant for the referee."""
    if block.closed:
        return block, {}
    lines, reads = whole.split("\n")[block.number :], partial(_understood, hand)
    orders = order_lines(unmarked("\n".join(lines), reads), reads)
    text = "\n".join(line.rstrip() for at, line in enumerate(lines) if at not in orders).strip("\n")
    return replace(block, text=text, closed=True), {block.number + 1 + at: lines[at] for at in orders}


def _why_not_answered(before: Written, said: str) -> str:
    """Why a reply to press is not sent; "" where it is."""
    if before.grey:
        return "The letter you answer is not signed, so nobody knows to whom it should go; BROADCAST reaches everybody."
    if by_a_machine(said):
        whom = before.by or GAME_MASTER
        return (
            f"It reads like an automatic answer, so it was not sent; PRESS TO {whom}, the text and a line END send it."
        )
    return ""


def _first_line(text: str) -> str:
    return next(line.strip() for line in text.split("\n") if line.strip())


def _unread(hand: Hand, read_nothing: bool) -> tuple[str, ...]:
    """The parts of the letter that were not read; none where there is no letter."""
    return not_read(hand.letter, read_nothing, partial(_understood, hand)) if hand.letter else ()


def _not_read_of(so: SoFar) -> tuple[Ignored, ...]:
    return tuple(_ignored(so.read, line) for line in so.stripped.ignored)


def _ignored(got: Read, line: Skipped | IgnoredLine) -> Ignored:
    """A line that was not read; one that reads as an order is told as such, before the others."""
    if line.number in dict(got.passed_over):
        return Ignored(line.number, line.text, f"{line.why}; {READS_SO}", True)
    return Ignored(line.number, line.text, line.why)


def _after_end(reading: Reading) -> list[Skipped]:
    return [Skipped(line.number, line.text, line.why) for line in reading.ignored if line.why == AFTER_END]


def _without_end(got: Read) -> str:
    """The text up to its END where what stands below that is offered: of that a YES takes no other line."""
    below = {line.number for line in _after_end(got.lines)}
    if not below & dict(got.passed_over).keys():
        return got.text
    rows = got.text.split("\n")
    end = max(at for at, row in enumerate(rows[: min(below) - 1]) if row.strip())
    return "\n".join(rows[:end] + [""] * (len(rows) - end))


def _undone(hand: Hand, text: str) -> Undone:
    """The text as it was before it went through mail programs; what is said at the counter went through none."""
    if hand.letter is None:
        return Undone(text, _understood(hand, text))
    return undone(text, hand.letter.otherwise, partial(_understood, hand), partial(_words_here, hand))


def _written(text: str, limit: int) -> int:
    """How many lines a text has, also where a semicolon parts them, counted where they may be more than the limit.

    A line that is known to be no order, press or a note to oneself, does not count.
    """
    if text.count("\n") + text.count(";") < limit:
        return 0
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("#"))
    return sum(1 for line in lines for order in line.split(";") if order.strip())


def _desk_here(hand: Hand) -> Vocabulary:
    """The words of the desk that the writer may use in this match."""
    seats = tuple(hand.playing.created.seats)
    game = hand.playing.game.vocabulary(hand.playing.outcome.state)
    return desk_words(hand.office.games, (hand.match,), seats, bool(hand.seat), hand.game_master, game)


def _words_here(hand: Hand) -> tuple[Vocabulary, ...]:
    """The words of the desk, and those of the game for its players."""
    game = (hand.playing.game.vocabulary(hand.playing.outcome.state),) if hand.seat and not hand.over else ()
    return (_desk_here(hand), *game)


def _understood(hand: Hand, text: str, curt: bool = False) -> Reading:
    """The meaning of a text in the words of the desk and of the game, if the writer has a part in it."""
    desk, *game = _words_here(hand)
    return read(text, next(iter(game), None), desk, curt)


def read_lines(hand: Hand, text: str) -> Reading:
    """The letter's text against the words this writer may use."""
    return _as_his(hand, _understood(hand, text))[0]


def _as_his(hand: Hand, found: Reading) -> tuple[Reading, Came]:
    """The content of a letter, as far as it is its writer's to say."""
    reading, came = for_onlookers(hand, found)
    talk = [sentence for sentence in reading.desk if _only_talks(sentence)]
    mistakes = [of_others(hand, mistake) for mistake in (*reading.mistakes, *map(_no_word, talk))]
    desk = tuple(sentence for sentence in reading.desk if sentence not in talk)
    return replace(reading, desk=desk, mistakes=by_seats(hand, mistakes)), came


def _after_the_end(hand: Hand, text: str, found: Reading) -> tuple[Reading, Came]:
    """The content of a letter to a match that is over without its orders, of which one sentence tells."""
    game = hand.playing.game.vocabulary(hand.playing.outcome.state)
    orders = {node.line for node in nodes_of(read(text, game, Vocabulary((), ())))}
    orders |= {mistake.line for mistake in found.mistakes if orders_something(mistake.source, game)}
    first = next((mistake.source for mistake in found.mistakes if mistake.line in orders), "")
    if not first:
        return found, NOTHING
    mistakes = tuple(mistake for mistake in found.mistakes if mistake.line not in orders)
    desk = tuple(sentence for sentence in found.desk if sentence.order.verb not in _WITH_ORDERS)
    return replace(found, mistakes=mistakes, desk=desk), denied(
        first if desk else "", "the match is over, and takes no orders any more."
    )


_TALKS = 5
"""More words than these after a word of the desk, in small letters and none of them known to it, are a sentence."""


def _only_talks(sentence: Sentence) -> bool:
    words = sentence.source.split()
    return len(words) > _TALKS and not words[0].isupper() and not is_known(sentence)


def _no_word(sentence: Sentence) -> Mistake:
    first = sentence.source.split()[0]
    return Mistake(
        sentence.line, sentence.source, Invalid(f'"{first}" knows none of these words.', "", first), 0, len(first)
    )


def _reread(so: SoFar, text: str) -> SoFar:
    reading, came = _as_his(so.hand, _understood(so.hand, text))
    return so.with_(came, lines=reading)


def _kept_out(hand: Hand, whole: Bound, text: str, undone: int) -> Came:
    """The last acts of a letter were not done, since the dice of one before them are waited for."""
    lines, why = text.split("\n"), until_they_fell(hand.match)
    left = whole.aside_lines[len(whole.asides) - undone :]
    return Came(refused=tuple(Refused(at, lines[at - 1].strip(), "", "not allowed", why) for at in left))


def _hold(held: Sequence[tuple[int, str]]) -> Came:
    """Lines of press without an END that read like orders wait for a YES."""
    if not held:
        return NOTHING
    number, line = min(held)
    lines = counted(len(held), "lines")
    read_like = "reads like an order" if len(held) == 1 else "read like orders"
    sentence = (
        f"{lines} of your press {read_like}, and no END stands before: neither sent nor filed. YES files what is meant."
    )
    return Came(refused=(Refused(number, line.strip(), "", "not allowed", sentence),))


def _preview(hand: Hand, bound: Bound) -> Came:
    """The effect of these orders by themselves; nothing is stored."""
    known = known_to(hand.step, hand.playing, Seat(hand.seat))
    page = preview_page(hand.playing, Seat(hand.seat), bound.sheet, known, not hand.playing.open_information)
    return Came(refused=tuple(map(refused, bound.mistakes)), enclosed=Enclosed(pages=(page,)))


def _runs(drawer: str) -> bool:
    """Whether what lies in a drawer is carried out when its turn comes, whatever else happens."""
    return drawer.startswith(("orders:", "next"))
