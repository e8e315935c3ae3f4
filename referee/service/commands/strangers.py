"""What an answer may carry to an address that has proved nothing: no words of the letter, nothing long, nothing enclosed.

Anybody writes any From line. What he makes the referee send there must be worth nothing to him: it is small, and it
repeats none of his words, so that nobody uses the referee to write to others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from referee.kit.wording import counted, in_a_row
from referee.service.letters import HelpPage, Proof, Receipt, Refused

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
