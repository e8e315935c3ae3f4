"""The front door: letters without a reply token. Anybody may ask, join and create; nobody is believed to be somebody."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from referee.core.names import Role
from referee.core.order import Order
from referee.core.page import Drawing, Page, Sheet
from referee.core.vocabulary import Vocabulary
from referee.mail import Attachment, Letter, strip
from referee.orders import Reading, Sentence, read
from referee.service import lobby
from referee.service.admission import refuse_entry
from referee.service.binding import refused, text_to_read
from referee.service.challenge import UNPROVEN, challenge, proof_of, refuse_letter
from referee.service.exporting import enclosed, exported, stem_of
from referee.service.helping import help_page, rules_page
from referee.service.letters import Frame, HelpPage, Ignored, Receipt, Refused
from referee.service.library import Missing, fetch
from referee.service.mastering import DECISIONS
from referee.service.office import Office
from referee.service.papers import PAPERS
from referee.service.playing import load, mark
from referee.service.ports import LetterIn, MatchRow, Player, Step
from referee.service.post import Thread, post, reply_token
from referee.service.remarks import remarks_aside
from referee.service.replacing import stand_by
from referee.service.words import FOR_ANYONE, desk_words

__all__ = ["Caller", "Proof", "at_the_door"]

Proof = Literal["none", "letter", "token", "wanted", "forged"]
"""Who a writer is: nobody knows, proven by the letter itself, by a token whose match is not played, in doubt, forged."""

_OPEN = frozenset(verb.word for verb in FOR_ANYONE) - {"SET", "STATUS", "UNSUBSCRIBE", "I AM HERE"}


@dataclass
class Caller:
    """Somebody at the door. `known` is set when a token proves who he is."""

    office: Office
    step: Step
    letter: Letter
    player: Player
    proven: bool
    match: str = ""
    done: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    chart: Drawing | None = None
    files: list[Attachment] = field(default_factory=list)
    help: HelpPage | None = None

    def stored(self) -> Player:
        """The caller as a person we know from now on."""
        if not self.player.id:
            self.player = self.step.save_player(self.player)
        return self.player

    def say(self, source: str, said: lobby.Said, match: str = "") -> None:
        """Note what came of a request; the answer's reply address then belongs to the match it was about."""
        if said.granted:
            self.done += said.sentences
            self.match = match or self.match
        else:
            self.refused.append(Refused(0, source, "", "not allowed", " ".join(said.sentences), "desk"))


def at_the_door(
    office: Office, step: Step, row: LetterIn, letter: Letter, who: Player | None = None, proof: Proof = "none"
) -> MatchRow | None:
    """Answer a letter that came to the referee's own address, or to a match that has not begun.

    What only its member may ask of a match is asked to be confirmed; the match is returned instead if the letter
    itself proves its writer, for then it belongs to the desk of that match.
    """
    known = who or step.player_at(letter.sender)
    player = known or Player(0, letter.sender_name or letter.sender.partition("@")[0], (letter.sender,))
    stripped = strip(letter.text)
    text = text_to_read(stripped)
    reading = read(text, None, _words(office, step))
    mistakes, remarks = remarks_aside(reading.mistakes, reading)
    wants = bool(reading.yes or mistakes) or any(s.order.verb not in _OPEN for s in reading.desk)
    if known and proof != "token" and (wants or proof in ("wanted", "forged")):
        meant = _meant(step, known, letter, reading)
        if len(meant) == 1 and proof == "letter":
            return meant[0]
        if len(meant) == 1:
            challenge(office, step, known, meant[0], row, letter, *UNPROVEN)
        elif meant:
            _ask_which(office, step, known, meant, row, letter)
        if meant:
            return None
    if proof == "forged":
        return None
    caller = Caller(office, step, letter, player, proof == "token")
    for sentence in reading.desk:
        _obey(caller, sentence)
    caller.refused += [refused(mistake) for mistake in mistakes]
    ignored = tuple(Ignored(line.number, line.text, line.why) for line in stripped.ignored)
    ignored += tuple(Ignored(line.number, line.text, line.why) for line in reading.ignored)
    _answer(caller, text, (*ignored, *remarks), str(row.id))
    return None


def _words(office: Office, step: Step) -> Vocabulary:
    matches = tuple(row.name for row in step.matches())
    return desk_words(tuple(office.games), matches, (), True, True)


def _meant(step: Step, player: Player, letter: Letter, reading: Reading) -> list[MatchRow]:
    """The matches a known person's letter may be about: named in the subject or in a line, or all of his."""
    mine = {m.match for m in step.memberships(player.id) if m.status in ("playing", "watching", "applied")}
    named = set(re.findall(r"\[([a-z0-9-]+)\]", letter.subject.lower())) & mine
    named |= {t.name for s in reading.desk for t in s.order.things if t.kind == "match"} & mine
    return [row for name in sorted(named or mine) if (row := step.match(name)) and row.status != "over"]


def _ask_which(
    office: Office, step: Step, player: Player, rows: Sequence[MatchRow], came: LetterIn, letter: Letter
) -> None:
    """A person of several matches wrote without saying of which: nothing is guessed."""
    names = [row.name for row in rows]
    why = f"You take part in {' and '.join(names)}, and your letter says of neither that it is meant; nothing was done."
    instead = (f"Reply to a letter of the match you mean, or put [{names[0]}] into the subject.",)
    refuse_letter(office, step, player, why, instead, letter, str(came.id))


def _answer(caller: Caller, text: str, ignored: tuple[Ignored, ...], unique: str) -> None:
    did = bool(caller.done or caller.pages or caller.sheets or caller.chart or caller.help)
    if did:
        verdict, why = "DONE", "what you asked for is done." if not caller.refused else "some of it could not be done."
    else:
        verdict, why = "NOTHING USABLE", "your letter had no word for the desk that I could act on; HELP lists them."
    frame = Frame("", caller.office.name, "The desk", caller.player.name)
    receipt = Receipt(
        frame=frame,
        verdict="DONE" if verdict == "DONE" else "NOTHING USABLE",
        verdict_why=why,
        on_file=(),
        refused=tuple(caller.refused),
        doubts=(),
        done=tuple(caller.done),
        ignored=ignored,
        proof=proof_of(caller.office, caller.letter, caller.letter.text, caller.player.zone),
        documents=tuple(caller.pages),
        sheets=tuple(caller.sheets),
        help=caller.help if did else help_page("", None, desk_words(tuple(caller.office.games), (), (), False, False)),
        map=caller.chart.instead if caller.chart else "",
    )
    thread = Thread(caller.letter.message_id, caller.letter.references)
    row = caller.step.match(caller.match) if caller.match else None
    token = reply_token(caller.office, caller.step, row.name, row.turn, 0, caller.player, "") if row else ""
    subject = f"{verdict}: {why}"
    post(
        caller.office,
        caller.step,
        caller.player,
        "receipt",
        subject,
        receipt,
        unique,
        thread=thread,
        row=row,
        token=token,
        refuses=not did,
        chart=caller.chart,
        files=tuple(caller.files),
    )


# ---------------------------------------------------------------- words


def _name(order: Order, *kinds: str) -> str:
    return next((thing.name for thing in order.things if thing.kind in kinds), "")


def _joined(order: Order, preposition: str) -> str:
    return ", ".join(thing.name for thing in order.after(preposition))


def _obey(caller: Caller, sentence: Sentence) -> None:
    act = _ACTS.get(sentence.order.verb)
    if act is None:
        sentence_text = f"{sentence.order.verb} is only done in a running match, by a reply to one of its letters."
        caller.refused.append(Refused(0, sentence.source, "", "not allowed", sentence_text, "desk"))
        return
    act(caller, sentence.order, sentence.source)


def _help(caller: Caller, order: Order, source: str) -> None:
    desk = desk_words(tuple(caller.office.games), (), (), True, True)
    caller.help = help_page(_joined_things(order), None, desk)


def _joined_things(order: Order) -> str:
    return " ".join(thing.name for thing in order.things)


def _games(caller: Caller, order: Order, source: str) -> None:
    caller.done += lobby.games_lines(caller.office, caller.step)


def _rules(caller: Caller, order: Order, source: str) -> None:
    name = _name(order, "game") or next(iter(caller.office.games))
    caller.pages.append(rules_page(caller.office.games[name]))


def _join(caller: Caller, order: Order, source: str) -> None:
    wishes = tuple(filter(None, (part.strip() for part in _joined(order, "AS").split(","))))
    name = _name(order, "match")
    caller.say(source, lobby.join(caller.office, caller.step, caller.stored(), name, wishes), name)


def _observe(caller: Caller, order: Order, source: str) -> None:
    name = _name(order, "match")
    caller.say(source, lobby.observe(caller.office, caller.step, caller.stored(), name), name)


def _create(caller: Caller, order: Order, source: str) -> None:
    said = lobby.create(
        caller.office, caller.step, caller.stored(), _name(order, "game"), _joined(order, "AS"), _joined(order, "WITH")
    )
    caller.say(source, said, _joined(order, "AS").lower())


def _start(caller: Caller, order: Order, source: str) -> None:
    name = _name(order, "match")
    mine = [m for m in caller.step.memberships(caller.stored().id) if m.role == "gm" and m.status == "watching"]
    forming = [m.match for m in mine if (row := caller.step.match(m.match)) and row.status == "forming"]
    wanted = name or (forming[0] if len(forming) == 1 else "")
    if wanted not in {m.match for m in mine}:
        caller.say(source, lobby.Said(False, (f"Only the game master of {wanted or 'a match'} can start it.",)))
        return
    caller.say(source, lobby.start(caller.office, caller.step, caller.player, wanted), wanted)


def _start_now(caller: Caller, order: Order, source: str) -> None:
    name = _mastered(caller, order, source, "start it")
    if name:
        caller.say(source, lobby.start(caller.office, caller.step, caller.player, name, now=True), name)


def _mastered(caller: Caller, order: Order, source: str, what: str) -> str:
    """The match that forms and is meant, if its game master writes; else he is told why not."""
    name = _name(order, "match")
    mine = [m.match for m in caller.step.memberships(caller.stored().id) if m.role == "gm" and m.status == "watching"]
    forming = [match for match in mine if (row := caller.step.match(match)) and row.status == "forming"]
    wanted = name or (forming[0] if len(forming) == 1 else "")
    if wanted in forming and caller.proven:
        return wanted
    caller.say(
        source, lobby.Said(False, (f"Only the game master of {wanted or 'a match'} that is forming can {what}.",))
    )
    return ""


def _decide(caller: Caller, order: Order, source: str) -> None:
    """A game master decides about a match before it begins."""
    name = _mastered(caller, order, source, f"write {order.verb}")
    row = caller.step.match(name) if name else None
    if row is not None:
        caller.say(source, DECISIONS[order.verb](caller.office, caller.step, row, order), name)


def _here(caller: Caller, order: Order, source: str) -> None:
    mine = [m.match for m in caller.step.memberships(caller.stored().id) if m.status == "applied"]
    forming = [match for match in mine if (row := caller.step.match(match)) and row.status == "forming"]
    name = _name(order, "match") or (forming[0] if len(forming) == 1 else "")
    if not caller.proven:
        caller.say(source, lobby.Said(False, ("Answer I AM HERE to the letter that asked you, to its reply address.",)))
        return
    caller.say(source, lobby.here(caller.office, caller.step, caller.stored(), name), name)


def _stand_by(caller: Caller, order: Order, source: str) -> None:
    name = _name(order, "match")
    if not name or caller.step.match(name) is None:
        caller.say(source, lobby.Said(False, ("Say for which match: STANDBY nw1. GAMES lists them.",)))
        return
    player = caller.stored()
    wrong = refuse_entry(caller.office, caller.step, name, player.addresses) or stand_by(caller.step, name, player)
    done = f"You stand by for {name}: a seat that falls free may be given to you."
    caller.say(source, lobby.Said(not wrong, (wrong or done,)), name)


def _send(caller: Caller, order: Order, source: str) -> None:
    """Public documents of a match, for anybody: SEND report TURN 3 OF nw1."""
    names = [thing.name for thing in order.after("OF") if thing.kind == "match"]
    mine = [m.match for m in caller.step.memberships(caller.player.id)] if caller.player.id else []
    name = names[0] if names else (mine[0] if len(set(mine)) == 1 else "")
    row = caller.step.match(name) if name else None
    if row is None or row.status == "forming":
        caller.say(source, lobby.Said(False, ("Say of which running match: SEND report TURN 3 OF nw1.",)))
        return
    number = next(iter(order.after("TURN")), None)
    playing = load(caller.office, caller.step, row)
    turn = number.count() if number else None
    document = _name(order, "document") or "report"
    if document in PAPERS:
        caller.say(
            source, lobby.Said(False, (f"The {document} of {name} is sent to its members, and kept in its archive.",))
        )
        return
    found = fetch(caller.step, playing, Role.OBSERVER, document, turn, "")
    form = _joined(order, "AS")
    if form:
        made = exported(caller.office.renderer, found, form, stem_of(name, document, turn, ""))
        if isinstance(made, Missing):
            caller.say(source, lobby.Said(False, (made.sentence,)))
        else:
            caller.files += made
            caller.done.append(enclosed(made))
    elif isinstance(found, Missing):
        caller.say(source, lobby.Said(False, (found.sentence,)))
    else:
        caller.pages += found.pages
        caller.sheets += found.sheets
        caller.chart = found.chart or caller.chart


def _verify(caller: Caller, order: Order, source: str) -> None:
    for row in caller.step.matches():
        if row.status != "forming":
            caller.done.append(f"The log of {row.name} stands at {mark(load(caller.office, caller.step, row).head)}.")
    if not caller.done:
        caller.say(source, lobby.Said(False, ("No match has begun, so there is nothing to verify.",)))


_ACTS: Mapping[str, Callable[[Caller, Order, str], None]] = {
    "HELP": _help,
    "GAMES": _games,
    "RULES": _rules,
    "JOIN": _join,
    "OBSERVE": _observe,
    "CREATE": _create,
    "START": _start,
    "START NOW": _start_now,
    **dict.fromkeys(DECISIONS, _decide),
    "I AM HERE": _here,
    "STANDBY": _stand_by,
    "SEND": _send,
    "VERIFY": _verify,
}
