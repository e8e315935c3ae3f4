"""Case files: worked examples of the rules, numbered after them, as players would read them.

    CASE toy.bid.2  A tie goes to the earlier seat
    OPTIONS rounds 2
    GIVEN Ann has 5 coins
    STANDING Bob: CHALLENGE Ann
    ORDERS Ann: BID 3 coins; TOSS
    ANSWERS Bob: let it pass
    LATE Bob: 25:00
    DICE 6 6
    EXPECT Ann has 14 coins
    EXPECT event "Ann paid 3"
    EXPECT not event "Bob paid"

LATE says how long after the opening of his slot, in hours and minutes, a seat's answers come in; unsaid, in time.
A case ends where the next begins. `#` starts a comment. GIVEN and plain EXPECT facts are the game's own words.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from referee.core.names import Seat

_COMMENT = re.compile(r"(^|\s)#.*")
_QUOTED = re.compile(r'(event|not event|refused|doubt)\s+"(.*)"')


class Spoken(msgspec.Struct, frozen=True):
    """A seat's line: orders or an answer."""

    seat: Seat
    text: str


class Expect(msgspec.Struct, frozen=True):
    """A thing that must be true after the phase: a fact, or words in some event, in no event, in a refusal, in a doubt."""

    kind: Literal["fact", "event", "not event", "refused", "doubt"]
    text: str
    line: int


class Case(msgspec.Struct, frozen=True):
    """A worked example. `line` is where it stands in its file; `late` in minutes."""

    id: str
    title: str
    line: int
    options: dict[str, str] = {}
    given: tuple[str, ...] = ()
    standing: tuple[Spoken, ...] = ()
    orders: tuple[Spoken, ...] = ()
    answers: tuple[Spoken, ...] = ()
    dice: tuple[int, ...] = ()
    late: dict[Seat, int] = {}
    expect: tuple[Expect, ...] = ()

    @property
    def rule(self) -> str:
        """The rule it is an example of: its id without the number."""
        return self.id.rpartition(".")[0]


def parse_cases(text: str) -> tuple[Case, ...]:
    """All cases of a file. Raises ValueError naming the line that is not understood."""
    cases: list[Case] = []
    for number, written in enumerate(text.splitlines(), start=1):
        line = _COMMENT.sub("", written).strip()
        word, _, rest = line.partition(" ")
        if word == "CASE":
            cases.append(_begun(rest, number))
        elif line:
            if not cases:
                raise ValueError(f"line {number}: {word} stands before the first CASE")
            cases[-1] = _grown(cases[-1], word, rest.strip(), number)
    for case in cases:
        if not case.expect:
            raise ValueError(f"line {case.line}: {case.id} expects nothing")
    return tuple(cases)


def _begun(rest: str, number: int) -> Case:
    found = re.fullmatch(r"(\S+\.\d+)\s+(\S.*)", rest.strip())
    if found is None:
        raise ValueError(
            f"line {number}: a CASE needs the rule's id, a number and a title, such as CASE toy.bid.2 A tie"
        )
    return Case(found[1], found[2], number)


def _grown(case: Case, word: str, rest: str, number: int) -> Case:
    change = msgspec.structs.replace
    match word:
        case "OPTIONS":
            return change(case, options=case.options | _pairs(rest, number))
        case "GIVEN":
            return change(case, given=(*case.given, rest))
        case "STANDING":
            return change(case, standing=(*case.standing, _spoken(rest, number)))
        case "ORDERS":
            return change(case, orders=(*case.orders, _spoken(rest, number)))
        case "ANSWERS":
            return change(case, answers=(*case.answers, *_answers(rest, number)))
        case "DICE":
            return change(case, dice=(*case.dice, *_faces(rest, number)))
        case "LATE":
            return change(case, late=case.late | _minutes(rest, number))
        case "EXPECT":
            return change(case, expect=(*case.expect, _expected(rest, number)))
    raise ValueError(f"line {number}: {word} is no word of a case")


def _pairs(rest: str, number: int) -> dict[str, str]:
    words = rest.replace(",", " ").split()
    if len(words) % 2:
        raise ValueError(f"line {number}: OPTIONS go in pairs, a name and its value")
    return dict(zip(words[::2], words[1::2], strict=True))


def _spoken(rest: str, number: int) -> Spoken:
    seat, colon, text = rest.partition(":")
    if not colon:
        raise ValueError(f"line {number}: say whose, such as France: {rest}")
    return Spoken(Seat(seat.strip()), text.strip())


def _answers(rest: str, number: int) -> tuple[Spoken, ...]:
    """Several answers of a seat are parted by semicolons."""
    spoken = _spoken(rest, number)
    return tuple(Spoken(spoken.seat, part.strip()) for part in spoken.text.split(";"))


def _faces(rest: str, number: int) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+(\s+\d+)*", rest):
        raise ValueError(f"line {number}: DICE are whole numbers, not {rest!r}")
    return tuple(map(int, rest.split()))


def _minutes(rest: str, number: int) -> dict[Seat, int]:
    said = _spoken(rest, number)
    found = re.fullmatch(r"(\d+):([0-5]\d)", said.text)
    if found is None:
        raise ValueError(f"line {number}: say how late in hours and minutes, such as 25:00, not {said.text!r}")
    return {said.seat: 60 * int(found[1]) + int(found[2])}


def _expected(rest: str, number: int) -> Expect:
    found = _QUOTED.fullmatch(rest)
    if found is None:
        return Expect("fact", rest, number)
    return msgspec.convert({"kind": found[1], "text": found[2], "line": number}, Expect)
