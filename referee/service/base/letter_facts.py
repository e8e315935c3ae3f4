"""Letters out, as data: what the templates are handed. Facts stand here; their wording is the template's."""

from __future__ import annotations

from typing import Literal

import msgspec

from referee.core.page import Form, Page, Sheet, Tally


class Deadline(msgspec.Struct, frozen=True):
    """A moment as its reader needs it: in his own zone, in UTC, and how long from the writing of the letter.

    In a subject it is `short`, in his own zone.
    """

    local: str
    utc: str
    left: str
    short: str = ""


Duty = Literal["", "orders", "on file", "answer"]
"""A seat's debt: nothing, orders, orders that are on file until they run, an answer in the middle of a turn."""


class Frame(msgspec.Struct, frozen=True):
    """The frame round every letter of a match.

    `owes` is one sentence: what the reader owes, or that he owes nothing; `duty` is that in a word. `at_deadline` says what
    happens if nothing more comes. `head` is the hash of the log's last entry, `commitment` that of the dice secret.

    `left_out` names the files that its reader did not wish to be sent unasked. `going` are the words that set his turn going or
    hold it now; `writes_to` are the headings under which he may write to others. `answer` is the receipt of the letter that
    brought this one about, for its writer.
    """

    match: str
    game: str
    title: str
    name: str
    seat: str = ""
    owes: str = ""
    duty: Duty = ""
    deadline: Deadline | None = None
    at_deadline: str = ""
    head: str = ""
    commitment: str = ""
    left_out: str = ""
    going: tuple[str, ...] = ()
    writes_to: tuple[str, ...] = ()
    answer: Receipt | None = None
    page: str = ""
    """The address of the match's page on the web, at the door that of the house; "" where the house names none."""
    play: str = ""
    """The link that opens the reader's turn on the page on which one plays; "" where nothing is asked, or there is no page."""
    enclosed: str = ""
    """The file of his turn that goes with the letter in its stead."""


class OnFile(msgspec.Struct, frozen=True):
    """A line of a sheet on file, with its meaning; `depth` indents the lines of an IF block."""

    text: str
    meaning: str = ""
    depth: int = 0


class Drawer(msgspec.Struct, frozen=True):
    """A sheet on file under its heading ("Orders for turn 5", "Standing orders", "If late")."""

    title: str
    lines: tuple[OnFile, ...]


class Refused(msgspec.Struct, frozen=True):
    """A line that was not taken, or not all of it.

    `caret` has spaces and ^ to stand under `text`; `instead` are corrected lines.
    """

    number: int
    text: str
    caret: str
    kind: Literal["not understood", "not allowed", "ambiguous", "taken in part"]
    sentence: str
    rule: str = ""
    instead: tuple[str, ...] = ()


class Ignored(msgspec.Struct, frozen=True):
    """A line that was not read, and why. `alone` lines are always shown, never gathered with their neighbours.

    After it `hidden` lines that were not read for the same reason are not shown.
    """

    number: int
    text: str
    why: str
    alone: bool = False
    hidden: int = 0


class Proof(msgspec.Struct, frozen=True):
    """The letter that is answered: its Message-ID, date, arrival, SHA-256 of the order text as received."""

    message_id: str
    dated: str
    received: str
    digest: str


class Receipt(msgspec.Struct, frozen=True):
    """The answer to a letter with orders or words for the desk. `done` says in sentences what was done at once.

    `map`, here and below: the sentence for those who cannot see the map that goes with the letter; "" without a map. `unread`
    tells in sentences what of the letter was not read, beside its lines: files, what was cut off.

    `more` tells of lines for which the lists have no room. `last` says that no more answers come for now. `dropped` are lines
    that this letter took off the file; its orders `ran` with it. `later` says what waits for another sheet.
    """

    frame: Frame
    verdict: Literal["COMPLETE", "LOOK AGAIN", "INCOMPLETE", "NOTHING USABLE", "NOTHING WAITS", "NOT DONE", "DONE"]
    verdict_why: str
    on_file: tuple[Drawer, ...]
    refused: tuple[Refused, ...]
    doubts: tuple[str, ...]
    done: tuple[str, ...]
    ignored: tuple[Ignored, ...]
    proof: Proof
    yes_takes: tuple[str, ...] = ()
    form: Form | None = None
    documents: tuple[Page, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    help: HelpPage | None = None
    map: str = ""
    unread: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    last: str = ""
    dropped: tuple[str, ...] = ()
    ran: bool = False
    later: tuple[str, ...] = ()
    sure: str = ""
    """The line that a YES does all the same."""
    web: tuple[tuple[str, str], ...] = ()
    """Pages of the house on the web that were asked for, each with what it is."""


class Witnessed(msgspec.Struct, frozen=True):
    """A witness's act, in a sentence, and the head that it signed as a note; "" for none, or where another has it."""

    sentence: str
    note: str = ""


class DiceProof(msgspec.Struct, frozen=True):
    """The facts by which a reader can check dice: facts with their names, and the head of the log as a signed note; "" for none.

    `witnessed` are the heads that others signed last. `key` is that which signs now, where the reader was told of another,
    and `changes` the notes by which that other one led to it.
    """

    facts: tuple[tuple[str, str], ...] = ()
    note: str = ""
    witnessed: tuple[Witnessed, ...] = ()
    key: str = ""
    changes: tuple[str, ...] = ()


class TurnReport(msgspec.Struct, frozen=True):
    """A turn was played: what happened, what is owed next, the next order sheet (None for those not on turn).

    It is `sheetless` where its reader wished no record sheets; those that are `unchanged` since the last report are named,
    and `part` says that of others only the lines are shown that are not.
    `delivery`, here and in a reminder, says when his last letter came. Of several turns that were played at one go it tells
    together: these are `turns`.
    """

    frame: Frame
    page: Page
    sheets: tuple[Sheet, ...]
    form: Form | None
    automatic: tuple[str, ...] = ()
    press: tuple[str, ...] = ()
    map: str = ""
    sheetless: bool = False
    unchanged: tuple[str, ...] = ()
    delivery: str = ""
    part: bool = False
    proof: DiceProof = DiceProof()
    turns: tuple[int, ...] = ()


class QuestionLetter(msgspec.Struct, frozen=True):
    """A decision in the middle of a turn: what happened so far, the question, its default.

    The possible answers stand in the `form`; of an order sheet `words` tell what its words do. `lines` are answers ready
    to send.
    """

    frame: Frame
    news: tuple[str, ...]
    text: str
    rule: str
    default: str
    form: Form
    words: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class Reminder(msgspec.Struct, frozen=True):
    """The deadline is near; what is on file and what would be played."""

    frame: Frame
    on_file: tuple[Drawer, ...]
    form: Form | None = None
    delivery: str = ""


class Notice(msgspec.Struct, frozen=True):
    """Something about the match changed: an override with its reason, a pause, a replacement, a rewind; `last` as in a receipt.

    `ways` are lines that may be meant, each with what it does.
    """

    frame: Frame
    title: str
    sentences: tuple[str, ...]
    reason: str = ""
    by: str = ""
    form: Form | None = None
    lines: tuple[str, ...] = ()
    last: str = ""
    ways: tuple[tuple[str, str], ...] = ()


class SentOn(msgspec.Struct, frozen=True):
    """The answer to a reply that was press and nothing else: to whom it went, and how it begins. `last` as in a receipt.

    `about` is the frame of the match.
    """

    title: str
    sentences: tuple[str, ...]
    last: str = ""
    about: Frame | None = None


class PressLetter(msgspec.Struct, frozen=True):
    """Another player's text, relayed as it is. `answer` says how to answer, or what became of it.

    `heading` is the line under which the answer is written.
    """

    frame: Frame
    title: str
    sender: str
    to: str
    text: str
    answer: str = ""
    heading: str = ""
    lines: tuple[str, ...] = ()


class Started(msgspec.Struct, frozen=True):
    """The match began: seats and players, the commitment, and how to check it.

    `options` are those that were chosen, with what they mean; `usual` says whether others are as they usually are. A player who
    comes later reads another `title`, and `page` tells him the last events.

    The `guide` is for newcomers to the game; the `zone` in which times are given is told to newcomers. `anchor` is the end of
    the chain of secrets that keys the dice, `key` the one that heads are signed with. Without a `beacon` it is said what a host
    could do.
    """

    frame: Frame
    seats: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str, str], ...]
    page: Page | None
    sheets: tuple[Sheet, ...]
    form: Form | None
    map: str = ""
    usual: bool = True
    title: str = ""
    guide: Page | None = None
    zone: str = ""
    anchor: str = ""
    key: str = ""
    proof: DiceProof = DiceProof()
    beacon: bool = True


class Farewell(msgspec.Struct, frozen=True):
    """The match ended: final standings, who played, how it went, the dice secret, how to verify everything.

    `turns` tell where the match turned, `honours` what the log proves to anybody's credit; `curve` is the sentence for
    those who cannot see the chart of the points, `rematch` the line that asks for another match.
    """

    frame: Frame
    page: Page
    tally: Tally
    secret: str
    verify: tuple[str, ...]
    players: tuple[tuple[str, str], ...] = ()
    turns: tuple[str, ...] = ()
    honours: tuple[str, ...] = ()
    curve: str = ""
    map: str = ""
    diaries: int = 0
    rematch: str = ""
    proof: DiceProof = DiceProof()


class RefusalLetter(msgspec.Struct, frozen=True):
    """A letter that could not be used at all: one clear sentence, what would be right, and the proof it arrived.

    `about` is the frame of the match it was for, where its writer is known to be a member. `lines`, here, in a notice and in
    press, are answers ready to send.
    """

    title: str
    sentence: str
    instead: tuple[str, ...]
    proof: Proof | None = None
    match: str = ""
    name: str = ""
    last: str = ""
    about: Frame | None = None
    lines: tuple[str, ...] = ()
    site: str = ""
    """The address of the house on the web, for a reader without a match here."""


class Confirmation(msgspec.Struct, frozen=True):
    """The question whether a letter in somebody's name is his: the letter is shown, and YES or NO is wanted.

    `why` it was not taken at once; `answered` says what came of an answer that was neither, "" at first. Of the letter
    there are `facts`, the `lines` that would be read and how many `more` there are; it waits until `lapses`. So many `others`
    wait for the same address and are asked about later. `last` as in a receipt.
    """

    why: str
    answered: str
    facts: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    more: int
    lapses: str
    others: int = 0
    match: str = ""
    name: str = ""
    title: str = "Please confirm your letter"
    last: str = ""


class EntryQuestion(msgspec.Struct, frozen=True):
    """The question to an address that has proved nothing, whether a letter is from there, or whether it wants what another `asks`.

    The `lines` are what was understood, in our own words; `answered` says what came of an answer that was neither YES
    nor NO, "" at first. It waits until `lapses`. `guessed`: the letter is his, and plain words were taken for these lines. `means`
    has a sentence on each of their words that a newcomer may not know.
    """

    address: str
    lines: tuple[str, ...]
    lapses: str
    answered: str = ""
    title: str = "Was this you?"
    asks: str = ""
    guessed: bool = False
    site: str = ""
    means: tuple[str, ...] = ()


class Offered(msgspec.Struct, frozen=True):
    """Something to play: a game, or a match that can be joined or watched. `line` is what to write for it."""

    title: str
    facts: str
    line: str
    about: str = ""
    page: str = ""
    """Its page on the web."""


class Welcome(msgspec.Struct, frozen=True):
    """The answer to a letter to the referee's own address without a word that could be obeyed.

    `answers` are to what he seems to have asked, `web` pages that tell more of it. `ways` are a few things to write next, each
    with what it does; `keeper` is the address of the person who looks after all. `unread` tells what of his letter was not read.
    """

    frame: Frame
    answers: tuple[str, ...]
    games: tuple[Offered, ...]
    matches: tuple[Offered, ...]
    ways: tuple[tuple[str, str], ...]
    keeper: str = ""
    unread: tuple[str, ...] = ()
    last: str = ""
    web: tuple[tuple[str, str], ...] = ()


class LessonLetter(msgspec.Struct, frozen=True):
    """A lesson: what came of the last letter, in sentences, whether a try has `done` it, and the task.

    `shown` are lines that may be sent as they stand, `ways` words that do.
    """

    frame: Frame
    title: str
    theme: str
    task: str
    done: bool | None = None
    said: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    last: str = ""


class HelpEntry(msgspec.Struct, frozen=True):
    """A word of the order language: what it means, an example, its rule."""

    word: str
    meaning: str
    example: str
    rule: str = ""


class HelpPage(msgspec.Struct, frozen=True):
    """HELP: entries under headings; or one screen of `ways`, each a line to send and what it does, with what else is to be said."""

    title: str
    intro: tuple[str, ...]
    groups: tuple[tuple[str, tuple[HelpEntry, ...]], ...]
    ways: tuple[tuple[str, str], ...] = ()
    more: tuple[str, ...] = ()


class Documents(msgspec.Struct, frozen=True):
    """The documents asked for with SEND: pages and record sheets."""

    frame: Frame
    title: str
    pages: tuple[Page, ...]
    sheets: tuple[Sheet, ...]
    lines: tuple[str, ...] = ()
    map: str = ""
