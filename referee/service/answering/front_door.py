"""The front door: letters without a reply token. Anybody may ask, join and create; nobody is believed to be somebody."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from referee.core.order import Order
from referee.core.vocabulary import Vocabulary
from referee.kit.wording import in_a_row
from referee.mail import Letter, strip, without_tokens
from referee.orders import Reading, Sentence, did_you_mean, read
from referee.service.answering.brevity import brief, room_for
from referee.service.answering.confirming import keep
from referee.service.answering.entering import asks_first
from referee.service.answering.on_the_way import undone
from referee.service.answering.plain import says
from referee.service.answering.remarks import remarks_aside
from referee.service.answering.unread import not_read
from referee.service.answering.welcome import line_of, welcome, wishes_of
from referee.service.commands.caller import TOOK_OUT, Caller
from referee.service.commands.helping import help_page
from referee.service.commands.obeying import obey_at_the_door, of_a_match, only_in_a_match
from referee.service.commands.situations import help_at_first
from referee.service.commands.strangers import for_a_stranger
from referee.service.commands.words import command, desk_words, every_word
from referee.service.letters import Frame, HelpEntry, HelpPage, Ignored, Receipt, Refused
from referee.service.lobby.who import known_matches
from referee.service.match.binding import at_line, refused, text_to_read
from referee.service.match.naming import name_from
from referee.service.match.result import NOTHING, Came
from referee.service.office import At
from referee.service.outgoing.budgets import Answering, Purse, gist_of
from referee.service.outgoing.challenge import proof_of, refuse_letter
from referee.service.outgoing.post import About, Mail, Reply, Thread, post, reply_token
from referee.service.people.admission import refuse_entry
from referee.service.ports import LetterIn, MatchRow, Player, Step
from referee.service.press.blocks import Block, blocks_apart
from referee.service.records.documents import DOCUMENTS
from referee.service.times import guessed_zone

Proof = Literal["none", "letter", "token", "yes", "wanted", "wrong key", "guessed key", "forged"]
"""Who a writer is: nobody knows, proven by the letter itself, by a token whose match is not played, by his YES, in doubt (he
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


def at_the_door(
    at: At,
    row: LetterIn,
    letter: Letter,
    who: Player | None = None,
    proof: Proof = "none",
    agreed: tuple[str, ...] = (),
) -> MatchRow | None:
    """Answer a letter that came to the referee's own address, or to a match that has not begun.

    What only its member may ask of a match is asked to be confirmed; the match is returned instead if the letter
    itself proves its writer, for then it belongs to the desk of that match. So is what would do anything in the name of an
    address that has proved nothing. With the proof "yes", `agreed` are the lines that were shown and are wanted: a guess that
    comes out otherwise by now is asked about once more.
    """
    proven = proof in ("token", "yes", "letter")
    known = who if who and who.id else at.step.player_at(letter.sender)
    name = name_from(letter.sender_name if proven else "", letter.sender)
    player = known or Player(0, name, (letter.sender,), guessed_zone(letter.dated, at.office.zone))
    stripped = strip(letter.text)
    written = text_to_read(stripped)
    open_text = without_tokens(written, at.office.address)
    blocks, text = blocks_apart(open_text, ("press", "broadcast", "diary", "offer"))
    words = _words(at, player)
    found = undone(text, letter.otherwise, lambda text: read(text, None, words), lambda: (words,))
    text, reading = found.text, found.reading
    wishes = wishes_of(at, player.id, text) if _says_no_command(reading) else ()
    tried = _tried((mistake.source for mistake in reading.mistakes), _words(at, player))
    wishes = tuple(wish for wish in wishes if wish.match or not tried)  # what was tried is told what is wrong with it
    if says(text) == "thanks" and not wishes:
        return None
    line = line_of(at, player.id, wishes[0]) if wishes else ""
    meant_for = "" if line else _misspelt(reading, lambda line: read(line, None, _words(at, player)))
    line = line or meant_for
    shown = line.partition(" AS ")[0] if line.startswith("CREATE") else line  # the name of a new match is his own words
    if line and shown in agreed:
        reading, wishes, meant_for = read(line, None, _words(at, player)), (), ""
    mistakes, remarks = remarks_aside(reading.mistakes, reading)
    wants = bool(reading.yes or mistakes or blocks) or not all(_is_open(s) for s in reading.desk)
    if known and proof not in ("token", "yes") and (wants or proof in ("wanted", "wrong key", "guessed key", "forged")):
        about = meant(at.step, known, letter, reading)
        if len(about) == 1 and proof == "letter":
            return about[0]
        if len(about) == 1:
            why = _WRONG_KEY if proof == "wrong key" else _UNPROVEN
            keep(at, row, known, why, about[0], at_once=proof == "guessed key")
        elif about:
            _ask_which(at, known, about, row, letter)
        if about:
            return None
    if proof == "forged" or (not proven and asks_first(at, row, player, reading)):
        return None
    if line and (wishes or meant_for) and not blocks and not refuse_entry(at, "", player.addresses):
        keep(at, row, player, "", shown=(shown,))
        return None
    caller = Caller(at.office, at.step, letter, player, proven)
    alone = reading.yes and not (reading.desk or mistakes)
    plain = _says_no_command(reading) and (wishes or not tried) and not _asks_for_help(reading)
    if (plain or alone) and not blocks:
        unread = not_read(letter, True, lambda text: read(text, None, _words(at, player)), named=proven)
        unread = (_NOTHING_WAITS,) if alone else unread
        welcome(caller, wishes, unread, row.id)
        return None
    came = Came(doubts=(TOOK_OUT,)) if open_text != written else NOTHING
    for sentence in reading.desk:
        did = obey_at_the_door(caller, sentence)
        came += replace(did, refused=tuple(at_line(sentence.line, did.refused)))
    ignored = [Ignored(line.number, line.text, line.why) for line in stripped.ignored]
    ignored += [Ignored(line.number, line.text, line.why) for line in reading.ignored]
    unfit = (*map(_of_block, blocks), *(refused(of_a_match(mistake)) for mistake in mistakes))
    _answer(caller, came + Came(refused=unfit, ignored=(*ignored, *remarks)), row.id)
    return None


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


def _of_block(block: Block) -> Refused:
    """What players write to each other has nobody to go to here."""
    return Refused(block.number, block.heading, "", "not allowed", only_in_a_match(block.kind.upper()))


def _words(at: At, player: Player) -> Vocabulary:
    matches = tuple(row.name for row in known_matches(at.step, player.id))
    return desk_words(at.office.games, matches, (), True, True)


def meant(step: Step, player: Player, letter: Letter, reading: Reading | None = None) -> list[MatchRow]:
    """The matches a known person's letter may be about: named in the subject or in a line, or all of his."""
    mine = {m.match for m in step.memberships(player.id) if m.status in ("playing", "watching", "applied")}
    named = set(re.findall(r"\[([a-z0-9-]+)\]", letter.subject.lower())) & mine
    named |= {t.name for s in (reading.desk if reading else ()) for t in s.order.things if t.kind == "match"} & mine
    return [row for name in sorted(named or mine) if (row := step.match(name)) and row.status != "over"]


def _ask_which(at: At, player: Player, rows: Sequence[MatchRow], came: LetterIn, letter: Letter) -> None:
    """A person of several matches wrote without saying of which: nothing is guessed."""
    names = [row.name for row in rows]
    why = f"You take part in {' and '.join(names)}, and your letter says of neither that it is meant; nothing was done."
    instead = (f"Reply to a letter of the match you mean, or put [{names[0]}] into the subject.",)
    refuse_letter(at, player, why, instead, letter, Answering(came.id, "stranger"))


_NOTHING_WAITS = "No question of mine waits for your YES, so nothing was done."

_SHORTEST = 3
"""A word as short as this is misspelt for no other."""

_OF_HELP = 60_000
"""HELP comes with an answer to who wrote no word that could be acted on."""


def _answer(caller: Caller, came: Came, letter: int) -> None:
    did, went = not came.nothing, came.enclosed
    words = desk_words(caller.office.games, (), (), False, False)
    tried = () if did else _tried((line.text for line in came.refused), words)
    why = "what you asked for is done." if did else "nothing that you asked for could be done."
    if did and not (came.done or went.pages or went.sheets or went.chart):
        why = "this is what you can write."
    if did and came.refused:
        why = "some of it could not be done."
    frame = Frame("", caller.office.name, "The desk", caller.player.name)
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
        map=went.chart.instead if went.chart else "",
    )
    receipt = brief(receipt, lambda: (words,))
    if not caller.proven:
        receipt = for_a_stranger(receipt, caller.letter.text, _ours(caller))
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
        for name in (game.name, game.title, *game.seat_names({s.name: s.default for s in game.settings}))
    )
    settings = tuple(word for game in games.values() for s in game.settings for word in (s.name, s.default, *s.values))
    return (*desk, *DOCUMENTS, *of_games, *settings, *(row.name for row in known_matches(caller.step)))


def _tried(lines: Iterable[str], words: Vocabulary) -> tuple[str, ...]:
    """The words with which lines begin that could not be acted on, those that there are; of SEND the document too."""
    known = sorted((w.upper() for verb in words.verbs for w in (verb.word, *verb.aliases)), key=len, reverse=True)
    known = [f"SEND {word.upper()}" for word in DOCUMENTS] + known
    begun = (f"{' '.join(line.upper().split())} " for line in lines)
    tried = (next((word for word in known if line.startswith(f"{word} ")), "") for line in begun)
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
