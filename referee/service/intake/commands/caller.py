"""Who calls a command: a member at the desk or a stranger at the door, and how grave his words are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from referee.kit.wording import counted, in_a_row
from referee.mail import Letter
from referee.orders import Reading
from referee.service.base.letters import HelpPage, Proof, Receipt, Refused
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player
from referee.service.house.joining import keep_open
from referee.service.intake.commands.words import commands, masters_words
from referee.service.match.members import call_otherwise
from referee.service.match.result import Told
from referee.service.turn.hand import Weight

# ---------------------------------------------------------------- a caller at the front door
# Who writes, what has shown who he is, and which match his letter is about.


TOOK_OUT = "Your letter had a reply address of mine in it. It is a secret, and I took it out."


@dataclass
class Caller(At):
    """Somebody at the door, `proven` by a token, his key, his mail server or his YES; the hand of a letter that is in no match.

    Who is not may be anybody in another's name: he is told little (service.strangers), and nothing is done for him. The
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
        """What was asked of a match is done: if it has not begun its time begins anew, and he passes for nobody else there."""
        self.match, told = match or self.match, ""
        if match and self.player.id:
            self.player, told = call_otherwise(self, match, self.player)
        keep_open(self, match)
        return tuple(filter(None, (told,)))


# ---------------------------------------------------------------- strangers
# What an answer may carry to an address that has proved nothing: no words of the letter, nothing long, nothing enclosed.
#
# Anybody writes any From line. What he makes the referee send there must be worth nothing to him: it is small, and it repeats
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
        f"What {word} brings is too long for an answer to a letter that does not prove who wrote it. Write {word} in a reply "
        "to a letter of a match you take part in or watch; GAMES lists the matches, OBSERVE and its name lets you watch one."
    )


def for_a_stranger(receipt: Receipt, letter: str, known: Iterable[str]) -> Receipt:
    """The receipt without anything that only its `letter` says, and short. `known` are words that are ours to say."""
    foreign = frozenset(_words(letter)) - frozenset(word for name in known for word in _words(name)) - _PLAIN
    unlike = {line.sentence: line for line in reversed(receipt.refused)}
    shown = [line for line in receipt.refused if unlike[line.sentence] is line][:_LINES]
    more = [_others(receipt.refused, shown)] if len(receipt.refused) > len(shown) else []
    if receipt.ignored:
        more.append(f"Passed over as no orders: {counted(len(receipt.ignored), 'lines')} of your letter.")
    done = [_hidden(sentence, foreign) for sentence in receipt.done[:_SENTENCES]]
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
    """What cannot be undone, or lets somebody in for good."""
    return frozenset(command.word for command in commands() if command.grave) | {"SET address", "SET key"}


def weigh(reading: Reading, game_master: bool, key: bool = False, becomes: bool = False) -> Weight:
    """The weight of what would be done of a letter; `key`: it sets a new one, `becomes`: it is written for another seat."""
    address = any(s.order.verb == "SET" and "address" in s.source.casefold() for s in reading.desk)
    verbs = [s.order.verb for s in reading.desk]
    verbs += [word for word, there in (("SET key", key), ("SET address", address), ("BECOME", becomes)) if there]
    found = tuple(dict.fromkeys(verbs))
    masters = tuple(word for word in found if word in masters_words()) if game_master else ()
    return Weight(tuple(word for word in found if word in grave_words()), masters)
