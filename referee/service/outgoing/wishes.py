"""What a player wishes of the letters he is sent: with or without HTML, map, record sheets, files; how large; how often."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from referee.mail import Attachment
from referee.moments import hour
from referee.service import notes
from referee.service.ports import Player, Step
from referee.service.remembered import Wishes


class _Wrong(Exception):
    """A wish that cannot be read: one sentence, with what would be right."""


_PLAIN = Wishes()
_FORMS = frozenset(("csv", "xlsx", "json"))
_HOUR = re.compile(r"([01]?\d|2[0-3]):[0-5]\d")


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
        return replace(wishes, digest=""), "What happens is told you at once."
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
}
"""What SET can wish, by its word."""


def can_be_wished(wishes: Wishes | None) -> bool:
    """Whether somebody could have wished all of this by letter."""
    return wishes is None or (
        _FORMS.issuperset(wishes.files)
        and (not wishes.digest or _HOUR.fullmatch(wishes.digest) is not None)
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
