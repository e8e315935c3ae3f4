"""The desk: a member's letter is read, what can be done is done, and one receipt says what stands and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from referee.core.names import Seat
from referee.core.position import parted as in_two
from referee.core.record import Acted, Filed, Record
from referee.core.vocabulary import Vocabulary
from referee.kit.wording import counted
from referee.mail import Skipped, Stripped
from referee.orders import AFTER_END, IgnoredLine, Reading, Sentence, read
from referee.service.answering.corrections import remember, to_pass_on, tried, waiting
from referee.service.answering.halted import attend_halted, attend_sealed
from referee.service.answering.on_the_way import READS_SO, Undone, letters_to_quote, passed_over, undone, unmarked
from referee.service.answering.others_words import for_onlookers, of_others
from referee.service.answering.plain import by_a_machine
from referee.service.answering.player_names import by_seats
from referee.service.answering.receipts import post_receipt, says_something, tell_what_was_sent
from referee.service.answering.remarks import like_orders, remarks_aside, says_yes
from referee.service.answering.situation import answered_plainly, answers_another
from referee.service.answering.unread import not_read
from referee.service.commands.course import become, tell_of_becoming, writes_for_another
from referee.service.commands.obeying import ONLY_ASK, obey, until_they_fell
from referee.service.commands.weighing import weigh
from referee.service.commands.words import block_kinds, desk_words
from referee.service.letters import Ignored, Refused
from referee.service.match.binding import Bound, at_line, bind, meaning_of, refused
from referee.service.match.history import known_to
from referee.service.match.playing import Playing
from referee.service.press.blocks import GAME_MASTER, Block, blocks_apart
from referee.service.press.press import do_blocks, shortened
from referee.service.press.replies import answered, as_press, parted
from referee.service.press.replies import like_orders as order_lines
from referee.service.remembered import Written
from referee.service.sheets.filing import blocks_of, filed_sheet, filing, off_the_file, orders_question
from referee.service.sheets.mending import note_refused
from referee.service.sheets.preview import preview_page
from referee.service.sheets.slots import set_going
from referee.service.sheets.sure import look_ahead
from referee.service.sheets.visit import Visit

_AGAIN = "write it again in a reply to the latest letter of the match."


def attend(visit: Visit, text: str, stripped: Stripped) -> Playing:
    """Read a letter's text, do what it says, post the receipt; returns the match afterwards."""
    kinds = block_kinds(_desk_here(visit)) if visit.seat or visit.game_master else ()
    whole, (blocks, text) = text, blocks_apart(text, kinds)
    blocks = tuple(_closed(visit, block, whole) for block in blocks)
    visit.unread = _unread(visit, False)
    stopped = visit.playing.fault or (visit.playing.outcome.sealed and visit.playing.row.status == "shunted")
    if visit.playing.outcome.sealed and not stopped:
        attend_sealed(visit)
        return visit.playing
    if stopped:
        attend_halted(visit, whole, _understood(visit, whole), partial(_words_here, visit))
        return visit.playing
    limit = visit.office.limits.orders
    if (written := _written(text, limit)) > limit:
        visit.deny(
            "", f"your letter has {written:,} lines and I read up to {limit:,}; none was taken. Send fewer orders."
        )
        post_receipt(visit, whole, tuple)
        return visit.playing
    reply, text = _reply_to_press(visit, text)
    received, found = text, _undone(visit, text)
    text, reading = found.text, _as_his(visit, found.reading)
    visit.passed_over = passed_over(
        (*stripped.ignored, *_after_end(reading)), partial(_understood, visit), partial(letters_to_quote, visit)
    )
    becomes = visit.game_master and writes_for_another(text)
    remarks = says_yes(reading, bool(waiting(visit) or to_pass_on(visit)) and not answers_another(visit))
    if (
        reply is None
        and not blocks
        and not visit.refused
        and not visit.passed_over
        and answered_plainly(visit, text, reading, remarks is not None)
    ):
        return visit.playing
    if remarks is not None:
        reading, corrected = _corrected(visit, text)
        visit.passed_over = {}
    if visit.asks(weigh(reading, visit.game_master, becomes=becomes)):
        return visit.playing
    do_blocks(visit, blocks)
    if reply is not None:
        do_blocks(visit, (reply,), visit.replies_to)
        if not text.strip() and not blocks:
            tell_what_was_sent(visit, partial(_words_here, visit), whole)
            return visit.playing
    visit.done += (f"Sent to {sent.to}: “{sent.begins}”" for sent in visit.sent)
    visit.doubts += found.told
    visit.ignored += [_ignored(visit, line) for line in stripped.ignored]
    if remarks is not None:
        visit.ignored += remarks
        text = received = corrected
    elif becomes:
        text = received = become(visit, text)
        reading = read_lines(visit, text)
    _do(visit, reading, text, received)
    if visit.became:
        tell_of_becoming(visit, text)
    if visit.receipt:
        if not says_something(visit):
            visit.unread = _unread(visit, True)
        post_receipt(visit, whole, partial(_words_here, visit))
    return visit.playing


def attend_closed(visit: Visit, text: str, why: str) -> bool:
    """A letter to the reply address of a closed turn: what it asks is answered, and its orders that are lawful now wait for
    a YES; whether there is any of either. Nothing else is done, for the reason `why`.
    """
    _, text = blocks_apart(text, block_kinds(_desk_here(visit)))
    found = _undone(visit, text)
    asks = [sentence for sentence in found.reading.desk if sentence.order.verb in ONLY_ASK]
    visit.passed_over = _lawful_now(visit, found.text, found.reading)
    if not asks and not visit.passed_over:
        return False
    if visit.passed_over:
        remember(visit, "\n" * found.text.count("\n"), (), ())
    for sentence in asks:
        obey(visit, sentence)
    lines = {number: row.strip() for number, row in enumerate(found.text.split("\n"), 1) if row.strip()}
    rest = [row for number, row in lines.items() if number not in {sentence.line for sentence in asks}]
    if rest:
        visit.deny(rest[0] if asks else "", why)
    post_receipt(visit, text, partial(_words_here, visit))
    return True


def _lawful_now(visit: Visit, text: str, reading: Reading) -> dict[int, str]:
    """The lines of a letter with orders for the sheet that is owed now, by their numbers; with blocks all or nothing."""
    asked = orders_question(visit) if visit.seat else None
    if asked is None:
        return {}
    whole = bind(visit.playing, visit.seat, reading.sheet)
    if not in_two(visit.playing.codec, whole.sheet, asked)[0]:
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


def _closed(visit: Visit, block: Block, whole: str) -> Block:
    """A block; of one that no END closes the lines that read like orders are held: they may be meant for the referee."""
    if block.closed:
        return block
    lines, reads = whole.split("\n")[block.number :], partial(_understood, visit)
    orders = order_lines(unmarked("\n".join(lines), reads), reads)
    visit.held |= {block.number + 1 + at: lines[at] for at in orders}
    text = "\n".join(line.rstrip() for at, line in enumerate(lines) if at not in orders).strip("\n")
    return msgspec.structs.replace(block, text=text, closed=True)


def _reply_to_press(visit: Visit, text: str) -> tuple[Block | None, str]:
    """What of a reply to a letter of press goes back to its writer, and what of it is for the referee."""
    before = answered(visit)
    if before is None:
        return None, text
    reads = partial(_understood, visit)
    said, rest = parted(text, unmarked(text, reads), reads)
    if visit.closed and rest.strip():
        first = rest.strip().partition("\n")[0].strip()
        visit.deny(first, f"It came to the reply address of turn {visit.closed}, which is closed; {_AGAIN}")
        rest = ""
    if not said:
        return None, rest
    block, wrong = as_press(visit, before, said), _why_not_answered(before, said)
    if wrong:
        visit.deny(shortened(said), wrong)
        return None, rest
    return block, rest


def _why_not_answered(before: Written, said: str) -> str:
    """Why a reply to press is not sent; "" where it is."""
    if before.grey:
        return "What you answer is not signed, so nobody knows to whom it should go; BROADCAST reaches everybody."
    if by_a_machine(said):
        whom = before.by or GAME_MASTER
        return (
            f"It reads like an automatic answer, so it was not sent; PRESS TO {whom}, the text and a line END send it."
        )
    return ""


def _unread(visit: Visit, read_nothing: bool) -> tuple[str, ...]:
    """What of the letter was not read; nothing where there is no letter."""
    return not_read(visit.letter, read_nothing, partial(_understood, visit)) if visit.letter else ()


def _written(text: str, limit: int) -> int:
    """How many lines a text has, counted where they may be more than the limit.

    What is known to be no order, press or a note to oneself, does not count.
    """
    if text.count("\n") < limit:
        return 0
    return sum(1 for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#"))


def _corrected(visit: Visit, text: str) -> tuple[Reading, str]:
    """The letter that a YES takes: the last one of this turn with its corrections."""
    corrected = waiting(visit)
    if not corrected:
        visit.nothing_waits = True
        return Reading(), text
    return read_lines(visit, corrected), corrected


def _desk_here(visit: Visit) -> Vocabulary:
    """The words of the desk that the writer may use in this match."""
    playing, games = visit.playing, visit.office.games
    seats = tuple(playing.created.seats)
    game = playing.game.vocabulary(playing.outcome.state)
    return desk_words(games, (visit.match,), seats, bool(visit.seat), visit.game_master, game)


def _undone(visit: Visit, text: str) -> Undone:
    """The text as it was before it went through mail programs; what is said at the counter went through none."""
    if visit.letter is None:
        return Undone(text, _understood(visit, text))
    return undone(text, visit.letter.otherwise, partial(_understood, visit), partial(_words_here, visit))


def _after_end(reading: Reading) -> list[Skipped]:
    return [Skipped(line.number, line.text, line.why) for line in reading.ignored if line.why == AFTER_END]


def _without_end(visit: Visit, reading: Reading, text: str) -> str:
    """The text up to its END where what stands below that is offered: of that a YES takes no other line."""
    below = {line.number for line in _after_end(reading)}
    if not below & visit.passed_over.keys():
        return text
    rows = text.split("\n")
    end = max(at for at, row in enumerate(rows[: min(below) - 1]) if row.strip())
    return "\n".join(rows[:end] + [""] * (len(rows) - end))


def _ignored(visit: Visit, line: Skipped | IgnoredLine) -> Ignored:
    """A line that was not read; one that reads as an order is told as such, before the others."""
    if line.number in visit.passed_over:
        return Ignored(line.number, line.text, f"{line.why}; {READS_SO}", True)
    return Ignored(line.number, line.text, line.why)


def read_lines(visit: Visit, text: str) -> Reading:
    """The letter's text against the words this writer may use."""
    return _as_his(visit, _understood(visit, text))


def _as_his(visit: Visit, found: Reading) -> Reading:
    """What a letter says, as far as it is its writer's to say."""
    reading = for_onlookers(visit, found)
    mistakes = [of_others(visit, mistake) for mistake in reading.mistakes]
    return msgspec.structs.replace(reading, mistakes=by_seats(visit, mistakes))


def _understood(visit: Visit, text: str) -> Reading:
    """What a text says in the words of the desk and of the game, where the writer has a part in it."""
    desk, *game = _words_here(visit)
    return read(text, next(iter(game), None), desk)


def _words_here(visit: Visit) -> tuple[Vocabulary, ...]:
    """The words of the desk, and those of the game for who plays it."""
    in_play = bool(visit.seat) and not visit.playing.outcome.over and visit.playing.row.status != "over"
    game = (visit.playing.game.vocabulary(visit.playing.outcome.state),) if in_play else ()
    return (_desk_here(visit), *game)


def _do(visit: Visit, reading: Reading, text: str, received: str) -> None:
    """What a letter says; `received` is its text as it came, of which the log keeps the digest."""
    whole = bind(visit.playing, visit.seat, reading.sheet) if visit.seat else Bound()
    visit.afresh = _clears_first(reading)
    inputs: list[Record] = [Acted(Seat(visit.seat), visit.playing.codec.raw(intent)) for intent in whole.asides]
    mistakes = [*reading.mistakes, *whole.mistakes]
    visit.done += [meaning_of(visit.playing.game, visit.playing.outcome.state, intent) for intent in whole.asides]
    visit.ignored += [_ignored(visit, line) for line in reading.ignored]
    adds = reading.adds and not visit.afresh
    if whole.sheet:
        inputs += filing(visit, whole, adds, received)
    for drawer, nodes in blocks_of(reading):
        block = bind(visit.playing, visit.seat, nodes, asides_allowed=False, later=drawer.startswith("turn:"))
        mistakes += block.mistakes
        if block.sheet or not nodes:
            inputs.append(filed_sheet(visit, drawer, block.sheet, received))
            visit.filed = True
    if reading.preview is not None:
        _preview(visit, bind(visit.playing, visit.seat, reading.preview, asides_allowed=False))
    visit.dropped = off_the_file(visit.playing, inputs)
    _kept_out(visit, whole, text, visit.take(inputs))
    mistakes, prose = remarks_aside(tried(visit, mistakes, reading, lambda line: read_lines(visit, line)), reading)
    for game in _words_here(visit)[1:] if prose else ():
        prose, visit.like_orders = like_orders(prose, game)
    visit.ignored += prose
    visit.like_orders += len(visit.passed_over)
    mistakes.sort(key=lambda mistake: mistake.line)
    visit.refused += [refused(mistake) for mistake in mistakes]
    visit.complete = not mistakes
    _hold(visit)
    if whole.sheet and not blocks_of(reading):
        note_refused(visit, orders_question(visit), reading.sheet, mistakes)
    remember(visit, _without_end(visit, reading, text), (*whole.aside_lines, *(s.line for s in reading.desk)), mistakes)
    _doubts(visit, inputs)
    for sentence in reading.desk:
        before = len(visit.refused)
        obey(visit, sentence)
        visit.refused[before:] = at_line(sentence.line, visit.refused[before:])
    visit.refused.sort(key=lambda refusal: refusal.number)
    set_going(visit)


def _kept_out(visit: Visit, whole: Bound, text: str, acts: int) -> None:
    """The last acts of a letter were not done, since the dice of one before them are waited for."""
    lines, place = text.split("\n"), len(whole.asides) - acts
    for line, intent in zip(whole.aside_lines[place:], whole.asides[place:], strict=True):
        visit.done.remove(meaning_of(visit.playing.game, visit.playing.outcome.state, intent))
        visit.refused.append(Refused(line, lines[line - 1].strip(), "", "not allowed", until_they_fell(visit.match)))


def _clears_first(reading: Reading) -> bool:
    """Whether CLEAR stands before the first order."""
    cleared = [sentence.line for sentence in reading.desk if sentence.order.verb == "CLEAR"]
    return bool(cleared and reading.sheet) and cleared[0] < reading.sheet[0].line


def _hold(visit: Visit) -> None:
    """Lines of press without an END that read like orders wait for a YES."""
    if visit.held:
        number, line = min(visit.held.items())
        lines = counted(len(visit.held), "lines")
        read_like = "reads like an order" if len(visit.held) == 1 else "read like orders"
        sentence = f"{lines} of your press {read_like}, and no END stands before: neither sent nor filed. YES files what is meant."
        visit.refused.append(Refused(number, line.strip(), "", "not allowed", sentence))
        visit.complete = False


def _preview(visit: Visit, bound: Bound) -> None:
    """What these orders would do by themselves; nothing is stored."""
    playing, seat = visit.playing, Seat(visit.seat)
    known = known_to(visit.step, playing, seat)
    visit.pages.append(preview_page(playing, seat, bound.sheet, known, not playing.open_information))
    visit.refused += [refused(mistake) for mistake in bound.mistakes]


def _doubts(visit: Visit, taken: Sequence[Record]) -> None:
    """What may disappoint in the sheets that this letter leaves on file, as things stand after what it did at once.

    Who gives something away, or accepts something, is told what that does to the orders he has on file already.
    """
    filed = [f.drawer for f in taken if isinstance(f, Filed)]
    acted = any(isinstance(record, Acted) for record in taken)
    drawers = [(name, lines) for (seat, name), lines in visit.playing.outcome.drawers.items() if seat == visit.seat]
    looked_at = [lines for name, lines in drawers if _runs(name) and (acted or name in filed)]
    sheet = tuple(item for lines in looked_at for item in lines)
    if sheet and not visit.playing.outcome.over:
        look_ahead(visit, sheet)


def _runs(drawer: str) -> bool:
    """Whether what lies in a drawer is carried out when its turn comes, whatever else happens."""
    return drawer.startswith(("orders:", "next"))
