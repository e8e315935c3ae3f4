"""Which lines of a letter are its writer's. Nothing is dropped unseen: every line not read is listed with the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec

__all__ = ["ARMOUR", "BELOW", "FOOTER", "HEADER", "Line", "QUOTED", "SIGNATURE", "Skipped", "Stripped", "strip"]

QUOTED = "quoted from an earlier letter"
HEADER = "the header of the quoted letter"
BELOW = "below the header of the letter you answered"
SIGNATURE = "signature"
FOOTER = "added by the mail program"
ARMOUR = "PGP signature"

_GUESSED = 300
_TRIES = 500
_QUOTE = re.compile(r" {0,3}>")
_PHONE = re.compile(
    r"(sent|posted) (from|via|with|using) (my |the |a |outlook|yahoo|gmail|proton|mail|samsung|aol|gmx|web\.de|tuta|fastmail)"
    r".{0,80}|get outlook for (ios|android|mac).{0,60}"
    r"|(von mein|gesendet (von|mit|aus)|diese nachricht wurde von mein).{0,80}|envoyé (de|depuis|avec|à partir).{0,80}"
    r"|enviad[oa] (de|desde|do|a partir).{0,80}|inviato da.{0,80}|verzonden (vanaf|met|van).{0,80}"
    r"|skickat från.{0,80}|sendt fra.{0,80}|lähetetty.{0,80}|wysłan[eo] z.{0,80}|отправлено .{0,80}",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"(on .+ wrote|am .+ schrieb.*|le .+ a écrit|el .+ escribió|il .+ ha scritto|op .+ schreef.*|em .+ escreveu"
    r"|den .+ skrev.*|w dniu .+ (pisze|napisał\(?a?\)?)|dne .+ napsal.*) ?:",
    re.IGNORECASE,
)
_WROTE_IN_ONE_LINE = re.compile(
    r"(.+ (skrev|kirjoitti|пишет|написал.{0,4})|.+のメール|\d{4}[-/.年]\d\d?[-/.月]\d\d?.*<\S+@\S+>"
    r"|.*<\S+@\S+> (wrote|writes|schrieb|a écrit)) ?:",
    re.IGNORECASE,
)
_ORIGINAL = re.compile(
    r"[-_ ]{2,}\s*(original message|original appointment|forwarded message|ursprüngliche nachricht|message d'origine"
    r"|message original|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original"
    r"|originalmeddelande|original ?nachricht|исходное сообщение)\s*[-_ ]{2,}|_{20,}",
    re.IGNORECASE,
)
_FIELDS = {
    "from": "from|von|de|da|van|från|fra|lähettäjä|od|от|kimden|差出人|送信者|发件人|寄件者|보낸 사람",
    "sent": "sent|date|gesendet|datum|envoyé|enviado( el)?|inviato|data|verzonden|skickat|sendt|fecha|lähetetty|wysłano"
    "|odesláno|дата|отправлено|gönderildi|tarih|送信日時|日時|发送时间|日期|보낸 날짜",
    "to": "to|an|à|para|a|aan|till|til|vastaanottaja|do|komu|кому|kime|宛先|收件人|받는 사람",
    "subject": "subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|aihe|temat|předmět|тема|konu|件名|主题|主旨|제목",
}
_FIELD = {name: re.compile(rf"\*?({words}) ?\*?: ?\*?.*", re.IGNORECASE) for name, words in _FIELDS.items()}
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE_OF_SIGNED = "-----BEGIN PGP SIGNATURE-----"


class Line(msgspec.Struct, frozen=True):
    """A line to be read and its number in the letter, from 1."""

    number: int
    text: str


class Skipped(msgspec.Struct, frozen=True):
    """A line that is not read, its number, and why."""

    number: int
    text: str
    why: str


class Stripped(msgspec.Struct, frozen=True):
    """Every line of a letter, in order: blank lines are among those to read."""

    lines: tuple[Line, ...]
    ignored: tuple[Skipped, ...]


def strip(text: str) -> Stripped:
    """Part what the writer wrote from what his mail program added.

    Certain signs ('>' before a line, a line '-- ', PGP armour) settle it. A guess (a reply header, a phone's
    signature) takes only its own line, and only where nothing but quoted or blank lines follow it. Below an
    unmistakable block From/Sent/Subject nothing is read, unless nothing stands above it: then the writer wrote
    into the letter he answered.
    """
    lines = text.split("\n")
    why = [QUOTED if _QUOTE.match(line) else "" for line in lines]
    _mark_armour(lines, why)
    _mark_signature(lines, why)
    _mark_letter_below(lines, why)
    _mark_guesses(lines, why)
    numbered = [
        (number, _undashed(lines, line), reason)
        for number, (line, reason) in enumerate(zip(lines, why, strict=True), 1)
    ]
    return Stripped(
        tuple(Line(number, line) for number, line, reason in numbered if not reason),
        tuple(Skipped(number, line, reason) for number, line, reason in numbered if reason),
    )


def _mark(why: list[str], places: Sequence[int], reason: str) -> None:
    for place in places:
        why[place] = why[place] or reason


def _mark_armour(lines: list[str], why: list[str]) -> None:
    """The frame of a clear-signed letter: its first lines up to the blank one, and the signature block."""
    if _SIGNED not in lines:
        return
    start = lines.index(_SIGNED)
    body = next((i for i in range(start, len(lines)) if not lines[i].strip()), start)
    _mark(why, range(start, body), ARMOUR)
    if _SIGNATURE_OF_SIGNED in lines[body:]:
        begin = lines.index(_SIGNATURE_OF_SIGNED, body)
        end = next((i for i in range(begin, len(lines)) if lines[i].startswith("-----END PGP")), begin)
        _mark(why, range(begin, end + 1), ARMOUR)


def _undashed(lines: list[str], line: str) -> str:
    """A clear-signed letter writes '- ' before lines that begin with a dash."""
    return line[2:] if line.startswith("- -") and _SIGNED in lines else line


def _mark_signature(lines: list[str], why: list[str]) -> None:
    """All from a line '-- ' on. A '--' that lost its space counts only before at most five lines of text."""
    own, first = 0, len(lines)
    for place in range(len(lines) - 1, 0, -1):
        if not why[place] and lines[place] == "--" and own <= 5:
            first = place
        own += bool(lines[place].strip() and not why[place])
    _mark(why, range(first, len(lines)), SIGNATURE)
    certain = next((i for i, line in enumerate(lines) if line == "-- " and not why[i]), len(lines))
    _mark(why, range(certain, len(lines)), SIGNATURE)


def _mark_letter_below(lines: list[str], why: list[str]) -> None:
    """A block of From, Sent or Date, and Subject on neighbouring lines, with what stands below it."""
    tries = _TRIES
    for place, line in enumerate(lines):
        # Every field has a colon and hardly any line has one: that is asked first, since asking for the words is dear.
        if ":" not in line or why[place] or not any(_FIELD[name].fullmatch(line.strip()) for name in ("from", "sent")):
            continue
        tries -= 1
        if not tries:
            return
        block = _header_block(lines, place)
        if not {"from", "sent", "subject"} <= {name for name, _ in block}:
            continue
        start = place
        while start > 0 and (not lines[start - 1].strip() or _ORIGINAL.fullmatch(lines[start - 1].strip())):
            start -= 1
        _mark(why, [i for i in range(start, block[-1][1] + 1) if lines[i].strip()], HEADER)
        if any(lines[i].strip() and not why[i] for i in range(start)):
            _mark(why, range(block[-1][1] + 1, len(lines)), BELOW)
        return


def _header_block(lines: list[str], place: int) -> list[tuple[str, int]]:
    """The header fields on the lines from `place` on, as far as the block reaches (eight lines at most)."""
    block: list[tuple[str, int]] = []
    for i in range(place, min(place + 8, len(lines))):
        if not lines[i].strip():
            break
        names = [name for name, pattern in _FIELD.items() if pattern.fullmatch(lines[i].strip())]
        block += [(name, i) for name in names]
    return block


def _mark_guesses(lines: list[str], why: list[str]) -> None:
    """From the end upwards: phone signatures, reply headers over one to three lines, 'Original Message' rules."""
    places = [i for i, line in enumerate(lines) if line.strip()]
    for place in reversed(places):
        if why[place]:
            continue
        line = lines[place].strip()[:_GUESSED]
        if _PHONE.fullmatch(line):
            why[place] = FOOTER
        elif _ORIGINAL.fullmatch(line):
            why[place] = HEADER
        elif not _mark_reply_header(lines, why, place):
            break  # a guess counts only where nothing stands below it
    _mark_headers_of_quotes(lines, why, places)


def _mark_headers_of_quotes(lines: list[str], why: list[str], places: list[int]) -> None:
    """In a letter answered point by point, the reply header that stands right over a quoted line."""
    for place, below in pairwise(places):
        if not why[place] and why[below] == QUOTED:
            _mark_reply_header(lines, why, place)


def _mark_reply_header(lines: list[str], why: list[str], last: int) -> bool:
    """Mark a reply header that ends on this line and began up to two lines before."""
    for first in range(last, max(-1, last - 3), -1):
        if why[first] or not lines[first].strip():
            break
        header = " ".join(line.strip()[:_GUESSED] for line in lines[first : last + 1])
        if _WROTE.fullmatch(header):
            _mark(why, range(first, last + 1), HEADER)
            return True
    if _WROTE_IN_ONE_LINE.fullmatch(lines[last].strip()[:_GUESSED]):
        why[last] = HEADER
        return True
    return False
