"""English for counted things and lists, so that reports read as if a person wrote them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

_SINGULAR = {
    "armies": "army",
    "cities": "city",
    "dice": "die",
    "entries": "entry",
    "matches": "match",
    "territories": "territory",
}
"""Nouns whose singular is more than the plural without its s."""

_OF_ONE = {"are": "is", "do": "does", "go": "goes", "have": "has", "them": "it", "were": "was"}
"""Verbs and pronouns that take more than an s after one thing, or none."""


@lru_cache(maxsize=4_096)
def counted(number: int, name: str) -> str:
    """A number and its noun, given in the plural: `1 army`, `2 armies`, `3 gold`."""
    first, _, last = name.rpartition(" ")
    singular = _SINGULAR.get(last, last[:-1] if last.endswith("s") else last)
    return f"{number} {first + ' ' if first else ''}{singular if number == 1 else last}"


def in_number(number: int, word: str) -> str:
    """A verb or pronoun, given in the plural, as it stands for so many things: `goes` and `it` for one, `go` and `them` else."""
    return _OF_ONE.get(word, f"{word}s") if number == 1 else word


def are(number: int) -> str:
    """`is` after one thing, `are` after any other number of them."""
    return in_number(number, "are")


def capital(words: str) -> str:
    """Words that begin a sentence: `Coolie 3 ...`."""
    return f"{words[:1].upper()}{words[1:]}"


def in_a_row(parts: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; empty for nothing."""
    return f" {last} ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def stock_in_words(stock: Mapping[str, int]) -> str:
    """`2 food and 1 cloth`, or `nothing`."""
    return in_a_row([counted(number, name) for name, number in stock.items() if number]) or "nothing"


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_and_hour(weekday: int, date: tuple[int, int, int], minute: int) -> str:
    """Such as "Sun 22 Nov 2026, 18:00" for weekday 6 (Monday is 0), (2026, 11, 22) and minute 1080 of the day."""
    year, month, day = date
    return f"{_DAYS[weekday]} {day} {_MONTHS[month - 1]} {year}, {minute // 60:02}:{minute % 60:02}"


def in_utc(moment: int) -> str:
    """A moment of a game's record, which all read alike, in seconds since 1970: in UTC; "" for 0, where nobody kept the time."""
    days, seconds = divmod(moment, 86_400)
    return f"{date_and_hour((days + 3) % 7, _date(days), seconds // 60)} UTC" if moment else ""


def _date(days: int) -> tuple[int, int, int]:
    """Year, month and day of so many days after 1 January 1970, by the Gregorian calendar; years here begin in March."""
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    return 400 * era + year + (month > 9), (month + 2) % 12 + 1, day - (153 * month + 2) // 5 + 1
