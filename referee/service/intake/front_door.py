"""The front door: letters without a token, and who comes in by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import partial
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from referee.core.order import Order, Vocabulary
from referee.kit.opponents import Strength
from referee.kit.wording import in_a_row
from referee.mail import Letter, strip, without_tokens
from referee.orders import Mistake, Reading, Sentence, did_you_mean, read
from referee.service.base.letter_facts import Frame, HelpEntry, HelpPage, Ignored, Receipt, Refused
from referee.service.base.office import At, WayStep, go, way_step
from referee.service.base.ports import LetterIn, MatchRow, Player, Step
from referee.service.base.times import guessed_zone
from referee.service.house.documents import DOCUMENTS
from referee.service.house.match_lists import known_matches
from referee.service.house.people import refuse_entry
from referee.service.house.press_blocks import Block, blocks_apart
from referee.service.house.replacements import read_wishes
from referee.service.intake.answers_to_strangers import asked_line, lines_of, welcome, wishes_of
from referee.service.intake.commands.caller import (
    TOOK_OUT,
    Caller,
    for_a_stranger,
    obey_at_the_door,
    of_a_match,
    only_in_a_match,
)
from referee.service.intake.commands.command import By, Command, command, desk_words, every_word
from referee.service.intake.commands.help import help_at_first, help_page
from referee.service.intake.commands.lessons import answer, begin, learning
from referee.service.intake.confirmations import keep, welcome_token
from referee.service.intake.foreign_lines import not_read
from referee.service.intake.mangled_lines import undone
from referee.service.intake.plain_words import Wish, asks, remarks_aside, says
from referee.service.intake.receipts import brief, room_for
from referee.service.match.members import name_from
from referee.service.match.result import NOTHING, Came, said_of
from referee.service.match.sheets import at_line, refused, text_to_read
from referee.service.post.answer_limits import Answering, Purse, gist_of
from referee.service.post.post import About, Mail, Reply, Thread, post, reply_token
from referee.service.post.refusals import proof_of, refuse_letter
from referee.service.turn.knowledge import how_it_ends

Proof = Literal["none", "letter", "token", "yes", "wanted", "wrong key", "guessed key", "forged"]
"""The proof of a writer: nobody knows, proven by the letter itself, by a token whose match is not played, by his YES, in doubt (he
wants a key set, or gave one that is wrong, or right after so many wrong ones that it may be guessed), forged.
"""

_UNPROVEN = (
    "A letter in your name came without the reply address of a letter of mine, so anybody could have written it; a reply "
    "to a letter of the match needs no such question."
)
_WRONG_KEY = (
    "A letter in your name came without the reply address of a letter of mine, and the KEY in it is not yours, so anybody "
    "could have written it."
)


class AtDoor(msgspec.Struct, frozen=True):
    """A letter on its way through the front door: its caller, what proves him, what was read of it and what came of it.

    `agreed` are the lines that were shown to him and are wanted; `lesson`: it answers one. `text` is what of it is for the
    referee. `wishes` is what plain words seem to ask for, `tried` the words that could not be acted on, `line` what would do
    what it seems to mean; `mistakes` were meant for the referee, `remarks` were not.
    """

    caller: Caller
    row: LetterIn
    proof: Proof
    agreed: tuple[str, ...] = ()
    lesson: bool = False
    text: str = ""
    blocks: tuple[Block, ...] = ()
    reading: Reading = Reading()
    wishes: tuple[Wish, ...] = ()
    tried: tuple[str, ...] = ()
    line: str = ""
    mistakes: tuple[Mistake, ...] = ()
    remarks: tuple[Ignored, ...] = ()
    came: Came = NOTHING

    @property
    def shown(self) -> tuple[str, ...]:
        """The lines as they are shown before they are done; the name of a new match is its writer's own words."""
        lines = self.line.split("\n") if self.line else []
        return tuple(line.partition(" AS ")[0] if line.startswith("CREATE") else line for line in lines)

    @property
    def alone(self) -> bool:
        """Whether it says YES and nothing else."""
        return self.reading.yes and not (self.reading.desk or self.mistakes)


class Ended(msgspec.Struct, frozen=True):
    """The end of a letter's way at the door: its receipt; the welcome; a lesson; it is kept until its writer says YES to
    what is `shown`; he is asked which match of those it is `about` he means; the desk of that match has it; or nothing."""

    by: Literal["receipt", "welcome", "lesson", "ask", "which", "desk", "nothing"]
    so: AtDoor
    about: tuple[MatchRow, ...] = ()
    shown: tuple[str, ...] = ()


class Fact(Enum):
    """A fact known of a letter when it has passed a step at the door."""

    APART = "its press apart from the words for the referee"
    READ = "the meaning of each line"
    WISHES = "the request of its plain words"
    LINE = "which line would do what it seems to mean"
    MEANT = "its meaning: its own lines, or the one that was shown and is wanted"
    NO_MATCHES = "it is nothing that a match must be asked for"
    NOT_FORGED = "no mail server says that its From is forged"
    NO_TRY = "it answers no lesson, or says more than a try"
    SURE = "nothing in it is guessed, or done for a writer who has proved nothing"
    NO_LESSON = "it asks for no lesson alone"
    COMMANDS = "it says more than can be answered by a welcome"
    OBEYED = "its lines are done"
    TOLD = "nothing is left to do"


# ---------------------------------------------------------------- the steps


def _press_apart(so: AtDoor) -> AtDoor:
    """Reply addresses of ours are taken out of it, and press is cut out: it has nobody to go to here."""
    stripped = strip(so.caller.letter.text)
    written = text_to_read(stripped)
    whole = without_tokens(written, so.caller.office.address)
    blocks, text = blocks_apart(whole, ("press", "broadcast", "diary", "offer"))
    ignored = tuple(Ignored(line.number, line.text, line.why) for line in stripped.ignored)
    came = Came(doubts=(TOOK_OUT,) if whole != written else (), ignored=ignored)
    return replace(so, text=text, blocks=tuple(blocks), came=came)


def _lines_read(so: AtDoor) -> AtDoor:
    """Each line is read, as it was before mail programs, against all words of the desk."""
    words = _words(so.caller)
    found = undone(so.text, so.caller.letter.otherwise, lambda text: read(text, None, words), lambda: (words,))
    return replace(so, text=found.text, reading=found.reading)


def _lesson_answered(so: AtDoor) -> AtDoor | Ended:
    """An answer to a lesson is judged there, unless it has a word that anybody may write to us, or asks what the rules answer."""
    if not so.lesson or learning(so.caller.step, so.caller) is None:
        return so
    ours = any(command(sentence.order.verb).by is By.ANYONE for sentence in so.reading.desk)
    asked = "?" in so.text and any(wish.kind == "rule" for wish in wishes_of(so.caller, so.text))
    return so if ours or asked else Ended("lesson", so)


def _plain_words(so: AtDoor) -> AtDoor | Ended:
    """Where no line could be obeyed the wish of its plain words is looked for; thanks alone need no answer.

    Its writer is told what is wrong with a word that he tried, unless he names a match.
    """
    tried = _tried((mistake.source for mistake in so.reading.mistakes), _words(so.caller))
    wishes = wishes_of(so.caller, so.text) if _says_no_command(so.reading) else ()
    clear = tuple(wish for wish in wishes if (wish.match and not wish.perhaps) or wish.kind == "play")
    so = replace(so, wishes=clear if tried else wishes, tried=tried)
    commands = so.text.strip().isupper() and (so.tried or so.reading.desk)
    kinds = {wish.kind for wish in so.wishes if not wish.perhaps}
    thanks = kinds == {"thanks"} or (not kinds and says(so.text) == "thanks")
    return Ended("nothing", so) if thanks and not commands else so


def _line_meant(so: AtDoor) -> AtDoor:
    """The line that would do what is wished, or what a misspelt word stands for."""
    line = lines_of(so.caller, so.wishes)
    return replace(so, line=line or _misspelt(so.reading, lambda line: _understood(so.caller, line)))


def _agreed(so: AtDoor) -> AtDoor:
    """Where that line was shown and its writer said YES it is read in the letter's stead, and so is one that only asks; what was
    meant for us is told from remarks."""
    asked = "" if so.line else asked_line(so.caller, so.wishes)
    if asked:
        so = replace(so, reading=_understood(so.caller, asked), wishes=())
    if so.line and set(so.shown) <= set(so.agreed):
        so = replace(so, reading=_understood(so.caller, so.line), wishes=(), line="")
    mistakes, remarks = remarks_aside(so.reading.mistakes, so.reading)
    return replace(so, mistakes=tuple(mistakes), remarks=tuple(remarks))


def _of_a_match(so: AtDoor) -> AtDoor | Ended:
    """A word that only a member may write goes to the desk of his match if the letter proves its writer; else he is asked
    about it at his own address, and of which match it is where there are several."""
    if not so.caller.player.id or so.proof in ("token", "yes"):
        return so
    begins = [line.split()[0] for line in so.text.splitlines() if line.strip()]
    plain = not so.blocks and not any(word.isupper() and len(word) > 1 for word in begins)
    if so.line and plain and so.proof == "none":
        return so  # it wishes something of the house, and is asked about it below
    kinds = {wish.kind for wish in so.wishes if not wish.perhaps}
    if plain and asks(so.text) and kinds and kinds <= _OPEN_TO_ALL:
        return so
    wants = so.reading.yes or so.mistakes or so.blocks or not all(_is_open(s) for s in so.reading.desk)
    if not wants and so.proof in ("none", "letter"):
        return so
    about = tuple(meant(so.caller.step, so.caller.player, so.caller.letter, so.reading))
    if not about:
        return so
    return Ended("which" if len(about) > 1 else "desk" if so.proof == "letter" else "ask", so, about)


_OPEN_TO_ALL = frozenset(
    ("rule", "ends", "open", "games", "game", "language", "cost", "person", "guide", "rules", "win", "players", "look")
)
"""The wishes that are answered for anybody, whoever he is."""


def _forged(so: AtDoor) -> AtDoor | Ended:
    """Nothing of a forged letter is done, and its writer hears nothing."""
    return Ended("nothing", so) if so.proof == "forged" else so


def _asked_first(so: AtDoor) -> AtDoor | Ended:
    """Words that do something, in a letter that proves nothing of its writer, and all guesses wait for a YES.

    He is asked once for all of it, and not at all if the host does not admit him.
    """
    guessed = so.shown if so.line and not so.blocks else ()
    does = () if so.caller.proven else _does_in_his_name(so.caller, so.reading)
    shown = does or guessed
    return (
        Ended("ask", so, shown=shown) if shown and not refuse_entry(so.caller, "", so.caller.player.addresses) else so
    )


def _lesson_asked_for(so: AtDoor) -> AtDoor | Ended:
    """LESSON alone is answered by the lesson alone."""
    alone = [sentence.order.verb for sentence in so.reading.desk] == ["LESSON"] and not (so.mistakes or so.blocks)
    return Ended("lesson", so) if alone else so


def _welcomed(so: AtDoor) -> AtDoor | Ended:
    """Plain words are answered by a welcome, and so is a YES alone, for which nothing waits."""
    plain = _says_no_command(so.reading) and (so.wishes or not so.tried) and not _asks_for_help(so.reading)
    return Ended("welcome", so) if (plain or so.alone) and not so.blocks else so


def _obeyed(so: AtDoor) -> AtDoor:
    """Its lines are done in their order; others are refused."""
    came = so.came
    for sentence in so.reading.desk:
        did = obey_at_the_door(so.caller, sentence)
        came += replace(did, refused=tuple(at_line(sentence.line, did.refused)))
    ignored = (Ignored(line.number, line.text, line.why) for line in so.reading.ignored)
    unfit = (*map(_of_block, so.blocks), *(refused(of_a_match(mistake)) for mistake in so.mistakes))
    return replace(so, came=came + Came(refused=unfit, ignored=(*ignored, *so.remarks)))


def _told(so: AtDoor) -> Ended:
    """The letter is answered."""
    return Ended("receipt", so)


F = Fact
STEPS: tuple[WayStep[AtDoor, AtDoor | Ended], ...] = (
    way_step("press cut out", _press_apart, finds=F.APART,
             why="first of all: nothing that is meant for another is ever read as a command"),
    way_step("its lines", _lines_read, F.APART, finds=F.READ,
             why="all that follows looks at what the lines say"),
    way_step("an answer to a lesson", _lesson_answered, F.READ, finds=F.NO_TRY,
             why="before anything takes orders of a game for a member's, or for words of the desk"),
    way_step("plain words", _plain_words, F.READ, F.NO_TRY, finds=F.WISHES,
             why="after the lines: words are guessed at only where there is nothing to obey"),
    way_step("the line it means", _line_meant, F.READ, F.WISHES, finds=F.LINE,
             why="after the wishes, of which it is made"),
    way_step("what was shown", _agreed, F.READ, F.WISHES, F.LINE, finds=F.MEANT,
             why="before anything looks at what it means: a YES means the line that was shown, if it comes out the same"),
    way_step("a member's matter", _of_a_match, F.APART, F.MEANT, finds=F.NO_MATCHES,
             why="before a forged letter is dropped and before anything is done: a player is asked at his own address"),
    way_step("forged", _forged, F.NO_MATCHES, finds=F.NOT_FORGED,
             why="before anybody is asked or answered whom the letter only names"),
    way_step("asked first", _asked_first, F.APART, F.LINE, F.MEANT, F.NOT_FORGED, finds=F.SURE,
             why="the last step before anything is done: a letter that waits for a YES does nothing"),
    way_step("a lesson", _lesson_asked_for, F.APART, F.MEANT, F.SURE, finds=F.NO_LESSON,
             why="before the welcome and the commands: it is answered by a letter of its own"),
    way_step("the welcome", _welcomed, F.APART, F.WISHES, F.MEANT, F.SURE, F.NO_LESSON, finds=F.COMMANDS,
             why="after the question, which would do what is wished"),
    way_step("its commands", _obeyed, F.APART, F.MEANT, F.COMMANDS, finds=F.OBEYED,
             why="after all that may end its way instead, and before the receipt, which tells what came of them"),
    way_step("the receipt", _told, F.OBEYED, finds=F.TOLD,
             why="from what came of all lines"),
)  # fmt: skip
"""In this order. The needs of a step, one before it has found; each finds something of its own, so that none can be left out."""


def at_the_door(
    at: At,
    row: LetterIn,
    letter: Letter,
    who: Player | None = None,
    proof: Proof = "none",
    agreed: tuple[str, ...] = (),
    lesson: bool = False,
) -> MatchRow | None:
    """Answer a letter that came to the referee's own address, or to a match that has not begun.

    The match is returned instead whose desk it belongs to, since it proves its writer. With the proof "yes", `agreed` are the
    lines that were shown and are wanted: a guess that comes out otherwise by now is asked about once more. `lesson`: it came by
    the reply address of one.
    """
    proven = proof in ("token", "yes", "letter")
    name = name_from(letter.sender_name if proven else "", letter.sender)
    known = who if who and who.id else at.step.player_at(letter.sender)
    player = known or Player(0, name, (letter.sender,), guessed_zone(letter.dated, at.office.zone))
    caller = Caller(at.office, at.step, letter, player, proven)
    return _answered(go(STEPS, AtDoor(caller, row, proof, agreed, lesson), Ended))


def _answered(end: Ended) -> MatchRow | None:
    """Post what ends a letter's way, or keep it for its writer's YES; the match is returned whose desk has it."""
    so, caller = end.so, end.so.caller
    match end.by:
        case "receipt":
            _post_receipt(caller, so.came, so.row.id)
        case "lesson" if so.reading.desk and so.reading.desk[0].order.verb == "LESSON":
            did = said_of("LESSON", lambda: begin(caller, so.row, so.reading.desk[0].order))
            if did.refused:
                _post_receipt(caller, did, so.row.id)
        case "lesson":
            answer(caller, so.row)
        case "welcome":
            reads = partial(_understood, caller)
            unread = (_NOTHING_WAITS,) if so.alone else not_read(caller.letter, True, reads, named=caller.proven)
            token = "" if caller.proven else welcome_token(caller, so.row, caller.player)
            welcome(caller, so.wishes, unread, so.row.id, token)
        case "ask" if end.about:
            why = _WRONG_KEY if so.proof == "wrong key" else _UNPROVEN
            keep(caller, so.row, caller.player, why, end.about[0], at_once=so.proof == "guessed key")
        case "ask":
            keep(caller, so.row, caller.player, "", shown=end.shown, at_once=caller.proven, guessed=caller.proven)
        case "which":
            _ask_which(caller, end.about, so.row)
        case "desk":
            return end.about[0]
    return None


def says_something_new(at: At, letter: Letter, who: Player) -> bool:
    """Whether an answer to a question of ours asks for something itself."""
    so = AtDoor(Caller(at.office, at.step, letter, who, False), LetterIn(0, "", at.now, "", "", b""), "none")
    read_so = _plain_words(_lines_read(_press_apart(so)))
    so = read_so.so if isinstance(read_so, Ended) else read_so
    return bool(so.reading.desk or any(not wish.perhaps for wish in so.wishes))


def _says_no_command(reading: Reading) -> bool:
    """Whether no line could be obeyed; HELP alone, or with words that are near none of ours, is a cry for help."""
    return not reading.yes and all(s.order.verb == "HELP" and _cries(s.order) for s in reading.desk)


def _asks_for_help(reading: Reading) -> bool:
    """Whether a letter says HELP and nothing else."""
    return bool(reading.desk) and not reading.mistakes and all(not s.order.things for s in reading.desk)


def _cries(asks: Order) -> bool:
    asked = " ".join(thing.name for thing in asks.things).upper()
    words = {name for verb in every_word().verbs for name in (verb.word, *verb.aliases)} | {"ALL"}
    return not asked or bool(asks.things and " " in asked and asked.split()[0] not in words)


def _is_open(sentence: Sentence) -> bool:
    """Whether somebody may ask it who is in no match."""
    asked = command(sentence.order.verb)
    return asked.door is not None and (asked.enters or not asked.proof)


_SHOWN = 8
"""So many lines are shown of what a letter would do. They are in our words: neither text nor link of its writer goes to an
address that may know nothing of it."""


def _does_in_his_name(caller: Caller, reading: Reading) -> tuple[str, ...]:
    """The deeds of a letter in the name of this person, as they are shown to him: each line once, a few of them."""
    does = [s.order for s in reading.desk if _does(command(s.order.verb), bool(caller.player.id))]
    lines = tuple(dict.fromkeys(_as_read(caller, order) for order in does))
    more = (f"and {len(lines) - _SHOWN} lines more",) if len(lines) > _SHOWN else ()
    return (*lines[:_SHOWN], *more)


def _does(asked: Command, known: bool) -> bool:
    """Whether a command does something outside of a match; a writer who is not `known` may ask only to be let in."""
    return asked.enters or (known and asked.proof and bool(asked.door or asked.before))


def _as_read(at: At, order: Order) -> str:
    """A line as it was understood: its word, the match or game, the seats that there are, and the bots."""
    about = next((thing.name for thing in order.things if thing.kind in ("match", "game")), "")
    row = at.step.match(about) if about else None
    seats = at.office.games[row.game].seat_names(row.options) if row else ()
    wished = tuple(filter(None, (part.strip() for part in order.words_after("AS").split(","))))
    meant, _ = read_wishes(seats, wished, "") if seats else ((), ())
    bots = _BOTS.search(order.words_after("WITH").lower()) if order.verb == "PLAY" else None
    return " ".join(
        filter(None, (order.verb, about, f"AS {', '.join(meant)}" if meant else "", f"WITH {bots[0]}" if bots else ""))
    )


_BOTS = re.compile(rf"\bbots [1-9]( ({'|'.join(get_args(Strength))}))?\b")


def _of_block(block: Block) -> Refused:
    """Letters between players have nobody to go to here."""
    return Refused(block.number, block.heading, "", "not allowed", only_in_a_match(block.kind.upper()))


def _words(caller: Caller) -> Vocabulary:
    matches = tuple(row.name for row in known_matches(caller.step, caller.player.id))
    return desk_words(caller.office.games, matches, (), True, True)


def _understood(caller: Caller, text: str) -> Reading:
    return read(text, None, _words(caller))


def meant(step: Step, player: Player, letter: Letter, reading: Reading | None = None) -> list[MatchRow]:
    """The matches a known person's letter may be about: named in the subject or in a line, or all of his."""
    mine = {m.match for m in step.memberships(player.id) if m.status in ("playing", "watching", "applied")}
    named = set(re.findall(r"\[([a-z0-9-]+)\]", letter.subject.lower())) & mine
    named |= {t.name for s in (reading.desk if reading else ()) for t in s.order.things if t.kind == "match"} & mine
    return [row for name in sorted(named or mine) if (row := step.match(name)) and row.status != "over"]


def _ask_which(caller: Caller, rows: Sequence[MatchRow], came: LetterIn) -> None:
    """A person of several matches wrote without saying of which: nothing is guessed."""
    names = [row.name for row in rows]
    why = f"You take part in {' and '.join(names)}, and your letter does not say which it means; nothing was done."
    instead = (f"Reply to a letter of the match you mean, or put [{names[0]}] into the subject.",)
    refuse_letter(caller, caller.player, why, instead, caller.letter, Answering(came.id, "stranger"))


_NOTHING_WAITS = "No question of mine waits for your YES, so nothing was done."

_SHORTEST = 3
"""A word as short as this is misspelt for no other."""

_OF_HELP = 60_000
"""HELP comes with the answer to a letter without a word that could be acted on."""


def _post_receipt(caller: Caller, came: Came, letter: int) -> None:
    did, went = not came.nothing, came.enclosed
    words = desk_words(caller.office.games, (), (), False, False)
    tried = () if did else _tried((line.text for line in came.refused), words)
    why = "everything you asked for is done." if did else "nothing that you asked for could be done."
    if did and not (came.done or went.pages or went.sheets or went.chart):
        why = "this is what you can write."
    if did and came.refused:
        why = "some of it could not be done."
    frame = Frame("", caller.office.name, "The desk", caller.player.name, page=caller.office.site)
    receipt = Receipt(
        frame=frame,
        verdict="DONE" if did else "NOT DONE",
        verdict_why=why,
        on_file=(),
        refused=came.refused,
        doubts=came.doubts,
        done=came.done,
        ignored=came.ignored,
        unread=not_read(caller.letter, not did, lambda text: read(text, None, words), named=caller.proven),
        proof=proof_of(caller.office, caller.letter, caller.letter.text, caller.player.zone),
        documents=went.pages,
        sheets=went.sheets,
        help=went.help if did else _help_on(caller, tried, words),
        web=went.web,
        map=went.chart.instead if went.chart else "",
    )
    receipt = brief(receipt, lambda: (words,))
    if not caller.proven:
        receipt = for_a_stranger(receipt, caller.letter.text, _ours(caller), _of_games(caller))
    purse: Purse = "stranger" if not caller.proven else "request" if did else "refusal"
    thread = Thread(caller.letter.message_id, caller.letter.references)
    row = caller.step.match(caller.match) if caller.match else None
    token = reply_token(caller, row.name, row.turn, 0, caller.player, "") if row else ""
    subject = f"{receipt.verdict}: {why}"
    chart, files = (went.chart, went.files) if caller.proven else (None, ())
    most = 0 if did else room_for(caller.letter.size) + _OF_HELP
    mail = Mail("receipt", subject, receipt, str(letter), chart=chart, files=files, most=most)
    reply = Reply(thread, Answering(letter, purse, gist_of(caller.letter.text)))
    post(caller, caller.player, mail, About(row, token=token), reply)


def _ours(caller: Caller) -> tuple[str, ...]:
    """Words that may be said to anybody, whoever wrote them first: of the desk, of the games, the names of matches."""
    desk = tuple(
        said for verb in every_word().verbs for said in (verb.word, verb.meaning, *verb.aliases, *verb.prepositions)
    )
    games = caller.office.games
    of_games = tuple(
        name
        for game in games.values()
        for name in (
            game.name,
            game.title,
            *game.seat_names({s.name: s.default for s in game.settings}),
        )
    )
    settings = tuple(word for game in games.values() for s in game.settings for word in (s.name, s.default, *s.values))
    return (*desk, *DOCUMENTS, *of_games, *settings, *(row.name for row in known_matches(caller.step)))


def _of_games(caller: Caller) -> tuple[str, ...]:
    """The answers of GAMES and GUIDE to anybody."""
    games = caller.office.games.values()
    return tuple(
        sentence
        for game in games
        for sentence in (game.about, game.aim, *how_it_ends(game), *game.guide.turn, *game.guide.first)
    )


def _tried(lines: Iterable[str], words: Vocabulary) -> tuple[str, ...]:
    """The words with which lines begin that could not be acted on, those that there are; of SEND the document too."""
    known = sorted((w.upper() for verb in words.verbs for w in (verb.word, *verb.aliases)), key=len, reverse=True)
    known = [f"SEND {word.upper()}" for word in DOCUMENTS] + known
    alone = [(f"{verb.word.partition(' ')[0]} ", verb.word) for verb in words.verbs if verb.whole]
    begun = [(f"{word} ", word) for word in known]
    spaced = (f"{' '.join(line.split())} " for line in lines)
    tried = (
        next((word for start, word in begun if line.upper().startswith(start)), "")
        or next((word for start, word in alone if line.startswith(start) and line != start), "")
        for line in spaced
    )
    return tuple(dict.fromkeys(filter(None, tried)))


def _misspelt(reading: Reading, reads: Callable[[str], Reading]) -> str:
    """A command that stands alone with its word misspelt, or CREATE with the game, as it was meant; "" for anything else."""
    if not _says_no_command(reading) or len(reading.mistakes) != 1 or reading.desk:
        return ""
    (nearest, *others) = reading.mistakes[0].refusal.instead or ("",)
    if nearest.startswith("CREATE ") and not others:
        return nearest
    word, _, rest = reading.mistakes[0].source.strip().partition(" ")
    verbs = [verb.word for verb in every_word().verbs if command(verb.word).enters]
    for near in did_you_mean(word.upper(), verbs):
        meant = reads(f"{near} {rest}")
        if len(word) > _SHORTEST and len(meant.desk) == 1 and not meant.mistakes:
            return f"{near} {rest.strip()}"
    return ""


def _help_on(caller: Caller, tried: tuple[str, ...], words: Vocabulary) -> HelpPage:
    """How the words are used that were tried; what may be written at all where none was."""
    if not tried:
        return help_at_first(caller)
    found: dict[str, list[HelpEntry]] = {}
    for word in tried:
        for title, entries in help_page(word, None, words).groups:
            found.setdefault(title, []).extend(entries)
    return HelpPage(f"Help on {in_a_row(tried)}", (), tuple((title, tuple(of)) for title, of in found.items()))
