"""How the players of a match may write to each other and decide together, and whether they know each other's names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace


class Unmannerly(ValueError):
    """A setting of the manners that cannot be read: one sentence, with what would be right."""


class Manners(msgspec.Struct, frozen=True):
    """Settings of a match that are neither the game's nor the clock's.

    `press`: "none" is relayed but to the game master, or it is "signed" with the seat, or "grey" where its writer likes.
    A player who is late writes none unless `late_press`; where press is `ordered_press`, neither does who owes an order
    sheet and has none on file. Broadcasts go to observers where it is `observed`. A seat may
    send so many `letters_a_day`, each of so many characters (`size`). `votes` says who must agree to a motion.
    In an `anonymous` match nobody but the game master learns who plays which seat before the end.
    """

    press: Literal["none", "signed", "grey"] = "signed"
    anonymous: bool = False
    late_press: bool = True
    ordered_press: bool = False
    observed: bool = True
    letters_a_day: int = 20
    size: int = 10_000
    votes: Literal["majority", "two thirds", "all"] = "majority"


def _yes(written: str, what: str) -> bool:
    if written.casefold() not in ("yes", "no"):
        raise Unmannerly(f"{what} is yes or no, not {written or 'nothing'}.")
    return written.casefold() == "yes"


def _count(written: str, what: str, most: int) -> int:
    if not re.fullmatch(r"\d{1,6}", written) or not 1 <= int(written) <= most:
        raise Unmannerly(f"{what} is a number from 1 to {most:,}, not {written or 'nothing'}.")
    return int(written)


def _press(manners: Manners, written: str) -> Manners:
    name, _, value = written.casefold().partition(" ")
    match name:
        case "none" | "signed" | "grey" | "gray" if not value:
            return replace(manners, press="none" if name == "none" else "signed" if name == "signed" else "grey")
        case "late":
            return replace(manners, late_press=_yes(value, "press late"))
        case "ordered":
            return replace(manners, ordered_press=_yes(value, "press ordered"))
        case "observers":
            return replace(manners, observed=_yes(value, "press observers"))
        case "letters":
            return replace(manners, letters_a_day=_count(value, "press letters", 500))
        case "size":
            return replace(manners, size=_count(value, "press size", 100_000))
    raise Unmannerly(
        f"press is none, signed or grey, and press late, press ordered, press observers, press letters and press size have "
        f"settings of their own; {written or 'nothing'} is none of these."
    )


def _anonymous(manners: Manners, written: str) -> Manners:
    return replace(manners, anonymous=_yes(written, "anonymous"))


def _votes(manners: Manners, written: str) -> Manners:
    match " ".join(written.casefold().split()):
        case "majority":
            return replace(manners, votes="majority")
        case "two thirds":
            return replace(manners, votes="two thirds")
        case "all":
            return replace(manners, votes="all")
    raise Unmannerly(f"votes is majority, two thirds or all, not {written or 'nothing'}.")


_WORDS: Mapping[str, Callable[[Manners, str], Manners]] = {"press": _press, "anonymous": _anonymous, "votes": _votes}
MANNERS_WORDS = frozenset(_WORDS)
"""The words that begin a setting of the manners, as in `press grey` or `anonymous yes`."""


def with_manners(manners: Manners, name: str, value: str) -> Manners:
    """Manners with one more set. Raises Unmannerly, a sentence."""
    return _WORDS[name](manners, value)


_PRESS = {
    "none": "No press is relayed, but PRESS TO game master.",
    "signed": "Press is relayed, signed with the seat.",
    "grey": "Press is relayed, signed with the seat or grey, as its writer likes.",
}
_AGREE = {"majority": "more than half", "two thirds": "two thirds", "all": "all"}


def manners_sentences(manners: Manners) -> tuple[str, ...]:
    """The manners as STATUS and CLOCK tell them."""
    said = [_PRESS[manners.press]]
    if manners.press != "none":
        said.append(
            f"A seat may send {manners.letters_a_day} press letters a day, of {manners.size:,} characters each."
        )
        said += [] if manners.late_press else ["Who is late may send none before he has played."]
        said += ["Who owes orders sends none before they are on file."] if manners.ordered_press else []
        said += [] if manners.observed else ["Observers read no press."]
    said += ["Nobody but the game master knows who plays which seat before the end."] if manners.anonymous else []
    said.append(f"A motion is carried by {_AGREE[manners.votes]} of the players.")
    return tuple(said)


def manners_rows(manners: Manners) -> tuple[tuple[str, str, str], ...]:
    """What the first letter says of manners that are not the usual ones: name, value, meaning."""
    usual, rows = Manners(), []
    if manners.anonymous:
        rows.append(("anonymous", "yes", "nobody but the game master knows who plays which seat before the end"))
    if manners.press != usual.press:
        rows.append(("press", manners.press, _PRESS[manners.press].rstrip(".")))
    if not manners.late_press:
        rows.append(("press late", "no", "who is late may send no press before he has played"))
    if manners.ordered_press:
        rows.append(("press ordered", "yes", "who owes orders may send no press before they are on file"))
    if not manners.observed:
        rows.append(("press observers", "no", "observers read no press"))
    if manners.votes != usual.votes:
        rows.append(("votes", manners.votes, f"a motion is carried by {_AGREE[manners.votes]} of the players"))
    return tuple(rows)
