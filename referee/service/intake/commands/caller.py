"""The caller of a command, at the desk or at the door, the weight of his words, and how he is obeyed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from referee.core.order import Illegal, Order
from referee.kit.wording import counted, in_a_row
from referee.mail import Letter
from referee.orders import Mistake, Reading, Sentence, read
from referee.service.base.letter_facts import HelpPage, Proof, Receipt, Refused
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player
from referee.service.house.membership import keep_open
from referee.service.house.people import refuse_entry
from referee.service.intake.commands.command import (
    By,
    Command,
    Here,
    command,
    commands,
    desk_words,
    masters_words,
    named,
    number_in,
    reason,
    word,
)
from referee.service.match.members import call_otherwise, masters_of, may_know, named_in
from referee.service.match.result import NOTHING, Came, Denial, Told, denied, need, said_of
from referee.service.turn.two_keys import has_key_holders, judge_proposal, plays_too, propose, proposed
from referee.service.turn.writer import Hand, Weight, Writer

# ---------------------------------------------------------------- a caller at the front door
# The writer, the proof of who he is, and the match of his letter.


TOOK_OUT = "Your letter had a reply address of mine in it, or a link to your turn. It is a secret, and I took it out."


@dataclass
class Caller(At):
    """Somebody at the door, `proven` by a token, his key, his mail server or his YES; the hand of a letter that is in no match.

    An unproven caller may be anybody in another's name: he is told little (`for_a_stranger`), and nothing is done for him. The
    answer's reply address belongs to the `match` that his letter was about.
    """

    letter: Letter
    player: Player
    proven: bool
    match: str = ""

    def stored(self) -> Player:
        """The caller as a person we know from now on; nobody is who has proved nothing."""
        assert self.proven
        if not self.player.id:
            self.player = self.step.save_player(self.player)
        return self.player

    def forming(self, role: str, status: str) -> dict[str, MatchRow]:
        """The matches that have not begun in which he has this part."""
        mine = (m.match for m in self.step.memberships(self.stored().id) if (m.role, m.status) == (role, status))
        return {match: row for match in mine if (row := self.step.match(match)) and row.status == "forming"}

    def becomes(self, player: Player) -> None:
        """He is known otherwise from now on."""
        self.player = player

    def means(self, match: str) -> None:
        """His letter is about a match."""
        self.match = match

    def served(self, match: str) -> Told:
        """A request to a match is done: if it has not begun its time begins anew, and he passes for nobody else there."""
        self.match, told = match or self.match, ""
        if match and self.player.id:
            self.player, told = call_otherwise(self, match, self.player)
        keep_open(self, match)
        return tuple(filter(None, (told,)))


# ---------------------------------------------------------------- strangers
# The contents of an answer to an address that has proved nothing: no words of the letter, nothing long, nothing enclosed.
#
# Anybody writes any From line. A letter that he brings about there must be worth nothing to him: it is small, and it repeats
# none of his words, so that nobody uses the referee to write to others.


_LINES = 10
_SENTENCES = 40
_SENTENCE = 400
_HELP = 2_400
_BEGIN = (
    "To begin: GAMES lists what is played here, JOIN asks for a seat in a match, OBSERVE lets you watch one, CREATE opens "
    "one. HELP and a word tells what the word does."
)
_PLAIN = frozenset(
    {
        *(
            "a",
            "an",
            "and",
            "any",
            "are",
            "as",
            "at",
            "be",
            "by",
            "can",
            "for",
            "from",
            "here",
            "in",
            "is",
            "it",
            "its",
            "may",
        ),
        *(
            "me",
            "my",
            "no",
            "none",
            "not",
            "of",
            "on",
            "one",
            "or",
            "so",
            "that",
            "the",
            "there",
            "this",
            "to",
            "with",
            "you",
        ),
        "your",
    }
)
"""Words of which nobody makes an advertisement: they stay, so that our sentences can be read."""
_NO_VERB = re.compile('^"\u2026" is not a verb known here\\.')
_WORD = re.compile(r"[^\W_]+")
_HIDDEN = re.compile(r"\u2026(?:[\s,./:@_'-]+\u2026)+")
_SIGN = re.compile(r"[^\x20-\x7e\w\u2026]")


def too_long_for(word: str) -> str:
    """Why a word that brings pages is not done for an address that has proved nothing, and where it is."""
    return (
        f"The answer to {word} is too long for a letter that does not prove who wrote it. Write {word} in a reply "
        "to a letter of a match you take part in or watch; GAMES lists the matches, OBSERVE and its name lets you watch one."
    )


def for_a_stranger(receipt: Receipt, letter: str, known: Iterable[str], told: Iterable[str]) -> Receipt:
    """The receipt without anything that only its `letter` says, and short. `known` are words that are ours to say, `told`
    what is told of games: its words are ours in an answer alone, never where a refusal speaks of the letter.
    """
    foreign = frozenset(_words(letter)) - frozenset(word for name in known for word in _words(name)) - _PLAIN
    not_told = foreign - frozenset(word for sentence in told for word in _words(sentence))
    unlike = {line.sentence: line for line in reversed(receipt.refused)}
    shown = [line for line in receipt.refused if unlike[line.sentence] is line][:_LINES]
    more = [_others(receipt.refused, shown)] if len(receipt.refused) > len(shown) else []
    if receipt.ignored:
        more.append(f"Passed over as no orders: {counted(len(receipt.ignored), 'lines')} of your letter.")
    done = [_hidden(sentence, not_told) for sentence in receipt.done[:_SENTENCES]]
    if len(receipt.done) > _SENTENCES:
        done.append(
            f"There are {len(receipt.done) - _SENTENCES} more; a reply to a letter of a match gets all of them."
        )
    return msgspec.structs.replace(
        receipt,
        refused=tuple(_unquoted(line, foreign) for line in shown),
        done=tuple(done),
        ignored=(),
        more=tuple(more),
        proof=Proof("", receipt.proof.dated, receipt.proof.received, receipt.proof.digest),
        documents=(),
        sheets=(),
        help=_brief(receipt.help, foreign) if receipt.help else None,
        map="",
    )


def _words(text: str) -> Iterable[str]:
    return (found[0].casefold() for found in _WORD.finditer(text))


def _hidden(sentence: str, foreign: frozenset[str]) -> str:
    """The sentence with an ellipsis for every word that only the letter says."""
    said = _WORD.sub(lambda found: "\u2026" if found[0].casefold() in foreign else found[0], sentence)
    return _HIDDEN.sub("\u2026", _SIGN.sub("", said))[:_SENTENCE]


def _unquoted(line: Refused, foreign: frozenset[str]) -> Refused:
    sentence = _NO_VERB.sub("It begins with no word I know.", _hidden(line.sentence, foreign))
    return msgspec.structs.replace(line, text="", caret="", sentence=sentence, instead=())


def _others(lines: Sequence[Refused], shown: Sequence[Refused]) -> str:
    return f"{counted(len(lines) - len(shown), 'more lines')} could not be taken either, the last of them line {lines[-1].number}."


def _brief(page: HelpPage, foreign: frozenset[str]) -> HelpPage:
    """The page as it is where it is short, else its words without their meanings."""
    page = msgspec.structs.replace(
        page, title=_hidden(page.title, foreign), intro=tuple(_hidden(line, foreign) for line in page.intro)
    )
    size = sum(len(e.word) + len(e.meaning) + len(e.example) + 30 for _, entries in page.groups for e in entries)
    if size <= _HELP:
        return page
    listed = (f"{title}: {in_a_row(list(dict.fromkeys(e.word for e in entries)))}." for title, entries in page.groups)
    return HelpPage(page.title, (*page.intro, _BEGIN, *sorted(listed, key=lambda line: "anyone" not in line)), ())


# ---------------------------------------------------------------- what the words of a letter weigh
# A reply address alone does not do for those that cannot be undone.


@cache
def grave_words() -> frozenset[str]:
    """Commands that cannot be undone, or let somebody in for good."""
    return frozenset(command.word for command in commands() if command.grave) | {"SET address", "SET key"}


def weigh(reading: Reading, game_master: bool, key: bool = False, becomes: bool = False) -> Weight:
    """The weight of what would be done of a letter; `key`: it sets a new one, `becomes`: it is written for another seat."""
    address = any(s.order.verb == "SET" and "address" in s.source.casefold() for s in reading.desk)
    verbs = [s.order.verb for s in reading.desk]
    verbs += [word for word, there in (("SET key", key), ("SET address", address), ("BECOME", becomes)) if there]
    found = tuple(dict.fromkeys(verbs))
    masters = tuple(word for word in found if word in masters_words()) if game_master else ()
    return Weight(tuple(word for word in found if word in grave_words()), masters)


# ---------------------------------------------------------------- how a command is obeyed in a match


def obey(hand: Hand, sentence: Sentence) -> Came:
    """Do one command of a member; what came of it, be it why it could not be done."""
    found, order, source = command(sentence.order.verb), sentence.order, sentence.source
    by = hand.player.name if hand.game_master else hand.seat
    with hand.signing(by, reason(order), source):
        return said_of(source, lambda: _obeyed(hand, found, order))


def _obeyed(hand: Hand, found: Command, order: Order) -> Came | Told:
    away = named_in(hand, _published(found, order)) if hand.game_master else ""
    need(not away, f"This match is anonymous, and everybody would read {away}; leave that out.")
    if _waits_for_key(hand, found, order):
        return propose(hand, hand.line)
    # A turn that is sealed says itself why it can neither roll out nor wait.
    asks = found.word in (*ONLY_ASK, "ROLL OUT", "WAIT", "NO WAIT")
    need(hand.status != "sealed" or asks, until_they_fell(hand.match))
    if found.here is None:
        raise Denial(f"{found.word} is not done in a match; send it to {hand.office.address} in a letter of its own.")
    return found.here(hand, order)


def until_they_fell(match: str) -> str:
    """Why a line is not done of a letter of which one before has sealed the match."""
    return f"The dice of {match} are about to fall; write this line again when they have fallen."


ONLY_ASK = frozenset(("STATUS", "HELP", "WHO", "GAMES", "GUIDE", "RULES", "SEND", "VERIFY", "ORDERS"))
"""Commands that write nothing into the log, and nothing that others read."""


def _published(found: Command, order: Order) -> list[str]:
    """The words of a game master's own that everybody is told."""
    own = order.things if found.public else ()
    return [thing.name for thing in (*own, *order.after("BECAUSE"), *order.after("CITING"))]


def _waits_for_key(hand: Hand, found: Command, order: Order) -> bool:
    """Whether a command waits for a second key: its writer masters the match and plays in it, and somebody is there to turn it."""
    if not hand.game_master or hand.writer.keyed or not plays_too(hand.step, hand.match, hand.player):
        return False
    return has_key_holders(hand) and found.key(hand, order)


# ---------------------------------------------------------------- the second key


def _turn_key(yes: bool) -> Here:
    """The second key; with the last one wanted the line is done as its game master wrote it."""

    def here(hand: Hand, order: Order) -> Came | Told:
        proposal, said = judge_proposal(hand, number_in(order.things), yes)
        return Came((said,)) + (_do_proposed(hand, proposal.line, proposal.player) if proposal else NOTHING)

    return here


def _do_proposed(hand: Hand, line: str, number: int) -> Came:
    """Do a line that has all its keys, as the game master who wrote it."""
    master = hand.step.player(number)
    member = next((m for m in hand.step.members(hand.match) if m.player == number and m.role == "gm"), None)
    if master is None or member is None:
        return denied(hand.line, "Its proposer is game master no longer, so it is not done.")
    row, seats, came = hand.match, tuple(hand.playing.created.seats), NOTHING
    with hand.lent(Writer(master, member, hand.letter, hand.unique, game_master=True, keyed=True)):
        for sentence in read(line, None, desk_words(hand.office.games, (row,), seats, False, True)).desk:
            came += obey(hand, sentence)
    masters = masters_of(hand.step, hand.match)
    knows = may_know(hand.playing, masters, hand.member, hand.player, "")
    return Came(came.done if knows else ("It is done.",), came.refused)


# ---------------------------------------------------------------- how it is obeyed at the door, and before a match begins


def obey_at_the_door(caller: Caller, sentence: Sentence) -> Came:
    """Do one command of a caller; what came of it, be it why it is not done here."""
    found, order = command(sentence.order.verb), sentence.order
    return said_of(sentence.source, lambda: _obeyed_at_the_door(caller, found, order))


def _obeyed_at_the_door(caller: Caller, found: Command, order: Order) -> Came | Told:
    need(found.door or found.before, only_in_a_match(found.word))
    need(caller.proven or not found.long, too_long_for(found.word))
    if found.proof and not caller.proven:
        raise Denial(refuse_entry(caller, "", caller.player.addresses) or _of_members(found.word))
    return found.door(caller, order) if found.door else _before(caller, found, order)


def _before(caller: Caller, found: Command, order: Order) -> Told:
    """Do what a game master decides about a match before it begins."""
    what = "start it" if found.word == "START NOW" else f"write {found.word}"
    forming = caller.forming("gm", "watching")
    name = named(order, "match") or (next(iter(forming)) if len(forming) == 1 else "")
    if name not in forming or found.before is None:
        raise Denial(f"Only the game master of {name or 'a match'} that is forming can {what}.")
    said = found.before(caller, forming[name], caller.player, order)
    return said if found.word == "TERMINATE" else (*said, *caller.served(name))


def _of_members(said: str) -> str:
    """Why a command is not done for an address that is nobody's in any match."""
    if said == "FORGET ME":
        return "I know nobody at this address, so nothing is kept of you but your letters, and those go by themselves."
    who = "somebody who has joined a match" if said in ("RESIGN", "I AM HERE") else "the game master of a match"
    return f"Only {who} can write {said}, in a reply to one of its letters."


def only_in_a_match(said: str) -> str:
    """Why a command of players or game masters is not done at the door."""
    return f"{said} is only done in a running match, by a reply to one of its letters."


def of_a_match(mistake: Mistake) -> Mistake:
    """A line that could not be read because it names what only a match knows, refused as what it is."""
    source = f"{' '.join(mistake.source.upper().split())} "
    inside = [known.verb for known in commands() if command(known.word).door is None and known.before is None]
    words = [said for verb in inside for said in (verb.word, *verb.aliases)]
    found = max((said for said in words if source.startswith(f"{said} ")), key=len, default="")
    if not found:
        return mistake
    return msgspec.structs.replace(mistake, refusal=Illegal(only_in_a_match(found), "", found))


def _example(said: str) -> Callable[[Hand], str | None]:
    """A proposal that waits for its key."""

    def example(hand: Hand) -> str | None:
        number = proposed(hand.step, hand.match)
        return f"{said} {number}" if number else None

    return example


COMMANDS = (
    Command(
        verb=word(
            "CONFIRM",
            "turns the second key for a proposal of a game master who plays himself",
            "CONFIRM 1",
            "1..1 number",
        ),
        by=By.KEY_HOLDERS,
        here=_turn_key(yes=True),
        example=_example("CONFIRM"),
    ),
    Command(
        verb=word(
            "OBJECT", "refuses the second key; another game master stops the proposal by it", "OBJECT 1", "1..1 number"
        ),
        by=By.KEY_HOLDERS,
        here=_turn_key(yes=False),
        example=_example("OBJECT"),
    ),
)
