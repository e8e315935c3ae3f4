"""How letters are sent to a person: his wishes, news that waits for his daily letter, and how long his own letters took to reach
us.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from referee.mail import Attachment
from referee.moments import hour, zone_named
from referee.service.base import notes
from referee.service.base.letter_facts import Notice, PressLetter
from referee.service.base.note_values import Arrival, News, Wishes
from referee.service.base.ports import Player, Step
from referee.service.base.times import length, stamp

# ---------------------------------------------------------------- news that waits for a player's daily letter
# Kept for him by match until the hour he wished.


def waits_for_digest(letter: object) -> bool:
    """Whether a letter can wait: press, and what tells a reader something who owes nothing."""
    if isinstance(letter, PressLetter):
        return True
    return isinstance(letter, Notice) and letter.form is None and letter.frame.deadline is None


def _told(letter: object, now: datetime) -> News:
    if isinstance(letter, PressLetter):
        lines = (f"From {letter.sender} to {letter.to}.", letter.answer)
        return News(letter.title, tuple(line for line in lines if line), now, letter.text)
    assert isinstance(letter, Notice)  # nothing else waits
    why = (f"The reason given: {letter.reason}",) if letter.reason else ()
    by = (f"Done by: {letter.by}.",) if letter.by else ()
    return News(letter.title, (*letter.sentences, *why, *by), now)


def waiting(step: Step) -> dict[str, datetime]:
    """The player whose letters wait, "match|player", and until when."""
    return notes.DAILY_LETTERS.of().read(step) or {}


def gather(step: Step, match: str, player: Player, hour: str, letter: object, now: datetime) -> None:
    """Keep what a letter would have told for the player's next daily letter of this match."""
    news, due = notes.NEWS.of(match, player.id), waiting(step)
    news.keep(step, [*(news.read(step) or ()), _told(letter, now)])
    due.setdefault(f"{match}|{player.id}", _next(hour, player.zone, now))
    notes.DAILY_LETTERS.of().keep(step, due)


def taken_out(step: Step, match: str, player: int) -> list[News]:
    """The news kept for a player's daily letter; it is kept no longer."""
    kept = notes.NEWS.of(match, player).read(step)
    notes.NEWS.of(match, player).forget(step)
    others = {key: at for key, at in waiting(step).items() if key != f"{match}|{player}"}
    notes.DAILY_LETTERS.of().keep(step, others or None)
    return kept or []


def _next(hour: str, zone: str, now: datetime) -> datetime:
    """The next time the clock shows an hour in a zone."""
    here = zone_named(zone) or UTC
    hours, minutes = map(int, hour.split(":"))
    for day in range(3):
        at = (now.astimezone(here) + timedelta(days=day)).replace(hour=hours, minute=minutes, second=0, microsecond=0)
        if at.astimezone(UTC) > now:
            return at.astimezone(UTC)
    raise AssertionError("every clock shows every hour within three days")


# ---------------------------------------------------------------- how the post runs
# When a player's last letters reached us and how long they took, told to himself alone.
#
# A player who believes that he has written reads here, before his deadline, whether it came.


_NEWEST = 5


def _arrivals(step: Step, player: Player) -> list[Arrival]:
    return notes.ARRIVALS.of(player.id).read(step) or []


def arrived(step: Step, player: Player, dated: datetime | None, received: datetime) -> None:
    """Note that a letter of a player came; the last five are kept."""
    took = round((received - dated).total_seconds()) if dated else None
    newest = [Arrival(received.astimezone(UTC), took), *_arrivals(step, player)]
    notes.ARRIVALS.of(player.id).keep(step, newest[:_NEWEST])


_LONG = 900
"""A letter that took more seconds than these came late."""


def delivery_sentence(step: Step, player: Player, left: timedelta, on_file: bool) -> str:
    """The reminder's word on the post, with so much time `left`: that his last letter took long, or would be late now.

    A player with nothing on file is told whether anything came at all. Else "".
    """
    last = next(iter(_arrivals(step, player)), None)
    if last is not None and 2 * abs(last.seconds or 0) > left.total_seconds():
        return _came(last, player)
    if last is None or on_file:
        return late_delivery(step, player) or ("" if on_file else "No reply of yours to my letters has reached me yet.")
    return late_delivery(step, player) or f"Your last letter reached me on {stamp(last.at, player.zone)}."


def late_delivery(step: Step, player: Player) -> str:
    """When the last letter of a player came, where it took long; "" where the post runs as it should."""
    last = next(iter(_arrivals(step, player)), None)
    return _came(last, player) if last and abs(last.seconds or 0) > _LONG else ""


def _came(last: Arrival, player: Player) -> str:
    return f"Your last letter reached me on {stamp(last.at, player.zone)}, {_took(last)}."


def _took(arrival: Arrival) -> str:
    if arrival.seconds is None:
        return "without a date of its own"
    if arrival.seconds < 0:
        return f"dated {_span(-arrival.seconds)} ahead of my clock"
    return f"{_span(arrival.seconds)} after it was dated"


def _span(seconds: int) -> str:
    return f"{seconds} s" if seconds < 60 else length(timedelta(seconds=seconds))


# ---------------------------------------------------------------- what a player wishes of the letters he is sent
# With or without HTML, map, record sheets, files; how large; how often.


class _Wrong(Exception):
    """A wish that cannot be read: one sentence, with what would be right."""


_PLAIN = Wishes()
_FORMS = frozenset(("csv", "xlsx", "json"))
_TIME_OF_DAY = re.compile(r"([01]?\d|2[0-3]):[0-5]\d")


def wishes_of(step: Step, player: Player) -> Wishes:
    """The wishes of a person; those of everybody where he has said nothing."""
    return (notes.WISHES.of(player.id).read(step) if player.id else None) or _PLAIN


def wish(step: Step, player: Player, what: str, written: str) -> str:
    """Keep one more wish; the sentence that says it. Raises ValueError, a sentence, for what cannot be wished."""
    try:
        wishes, said = WISHED[what](wishes_of(step, player), " ".join(written.casefold().split()))
    except _Wrong as wrong:
        raise ValueError(str(wrong)) from wrong
    notes.WISHES.of(player.id).keep(step, wishes if wishes != _PLAIN else None)
    return said


# ---------------------------------------------------------------- read


def _format(wishes: Wishes, written: str) -> tuple[Wishes, str]:
    if written == "text":
        return replace(wishes, form="text"), "Your letters are plain text alone from now on."
    if written == "html":
        return replace(wishes, form="html"), "Your letters are plain text and HTML from now on, the same in both."
    raise _Wrong(f"Letters are text or html, not {written or 'nothing'}; SET files json sends files with each report.")


def _on(written: str, what: str) -> bool:
    if written not in ("on", "off", "yes", "no"):
        raise _Wrong(f"{what} is on or off, not {written or 'nothing'}; write SET {what} off.")
    return written in ("on", "yes")


def _map(wishes: Wishes, written: str) -> tuple[Wishes, str]:
    on = _on(written, "map")
    said = "The map goes with your letters." if on else "No map goes with your letters any more; SEND map brings it."
    return replace(wishes, map=on), said


def _sheets(wishes: Wishes, written: str) -> tuple[Wishes, str]:
    on = _on(written, "sheets")
    said = "stand in your reports." if on else "stand in your reports no longer; SEND sheets brings them."
    return replace(wishes, sheets=on), f"Record sheets {said}"


def _page(wishes: Wishes, written: str) -> tuple[Wishes, str]:
    on = _on(written, "page")
    said = "lead to the page on which you play." if on else "lead to no page any more; SEND table brings your turn."
    return replace(wishes, page=on), f"Letters that ask you for something {said}"


def _files(wishes: Wishes, written: str) -> tuple[Wishes, str]:
    forms = tuple(dict.fromkeys(re.split(r"[\s,]+", written))) if written not in ("", "none", "off") else ()
    if not written or not _FORMS.issuperset(forms):
        raise _Wrong(f"Files are csv, xlsx, json or none, not {written or 'nothing'}; write SET files json.")
    said = f"Each report brings its record sheets as {' and as '.join(forms)}." if forms else "Reports bring no files."
    return replace(wishes, files=forms), said


def _size(wishes: Wishes, written: str) -> tuple[Wishes, str]:
    if written in ("none", "off", "any"):
        return replace(wishes, most=0), "Your letters may be of any size."
    found = re.fullmatch(r"(\d{1,5}) ?(k|kb|m|mb)?", written)
    most = int(found[1]) * (1000 if (found[2] or "").startswith("m") else 1) if found else 0
    if most < 20:
        raise _Wrong(f"{written or 'Nothing'} is no size of a letter; write SET size 100 kB, at least 20 kB, or none.")
    return replace(wishes, most=most), f"Files that would make a letter larger than {most} kB are left out and named."


def _digest(wishes: Wishes, written: str) -> tuple[Wishes, str]:
    if written in ("none", "off"):
        return replace(wishes, digest=""), "News comes to you at once."
    at = hour(written)
    said = f"Press, and news while you owe nothing, come in one letter a day for each match, at {at} in your zone."
    return replace(wishes, digest=at), said


WISHED: Mapping[str, Callable[[Wishes, str], tuple[Wishes, str]]] = {
    "format": _format,
    "map": _map,
    "sheets": _sheets,
    "files": _files,
    "size": _size,
    "digest": _digest,
    "page": _page,
}
"""The wishes of SET, by its word."""


def can_be_wished(wishes: Wishes | None) -> bool:
    """Whether somebody could have wished all of this by letter."""
    return wishes is None or (
        _FORMS.issuperset(wishes.files)
        and (not wishes.digest or _TIME_OF_DAY.fullmatch(wishes.digest) is not None)
        and (not wishes.most or 20 <= wishes.most < 100_000_000)
    )


# ---------------------------------------------------------------- applied


def fitting(wishes: Wishes, body: int, files: Sequence[Attachment]) -> tuple[Attachment, ...]:
    """The files that go with a letter whose text and HTML have so many bytes: smaller ones before larger ones."""
    if not wishes.most:
        return tuple(files)
    room = wishes.most * 1000 - body
    kept = []
    for file in sorted(files, key=lambda file: len(file.data)):
        # A file in a letter: Base64 with its line ends, and its headers.
        room -= len(file.data) * 78 // 57 + 300
        if room >= 0:
            kept.append(file)
    return tuple(file for file in files if file in kept)


def left_out(wishes: Wishes, files: Sequence[Attachment], kept: Sequence[Attachment]) -> str:
    """The sentence that names the files a letter leaves out; "" for none."""
    names = [file.name for file in files if file not in kept]
    if not names:
        return ""
    brings = "SEND map brings the map" if all(name.startswith("map") for name in names) else "SEND brings them"
    return f"Left out, as you wish no letter over {wishes.most} kB: {', '.join(names)}. {brings}."
