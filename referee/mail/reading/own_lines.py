"""The lines of a letter that are its writer's. Nothing is dropped unseen: every line not read is listed with the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from referee.mail.reading.letter import Header, attribution, cuts, header_block, may_be_ours, ours, said_when, titled

QUOTED = "quoted from an earlier letter"
HEADER = "the header of the quoted letter"
BELOW = "below the header of the letter you answered"
OURS = "from a letter of mine"
MARKED = "marked by | as no order"
SIGNATURE = "signature"
FOOTER = "added by the mail program"
ARMOUR = "PGP signature"
SEALED = "encrypted"

_OPENS = re.compile(
    r"\s*(?:(?:PRESS|OFFER)\b.*\bTO\b|BROADCAST\b|DIARY\b|STANDING\b|IF\b|PREVIEW\b|FOR\s+TURN\b)", re.IGNORECASE
)
_END = re.compile(r"\s*END[\s.!:]*", re.IGNORECASE)
_GUESSED = 300
_TRIES = 500
_BEFORE = re.compile(r"\s*([>|])")
_PHONE = re.compile(
    r"(sent|posted) (securely )?(from|via|with|using) "
    r"\[?(my |the |a |outlook|yahoo|gmail|proton|mail|samsung|aol|gmx|web\.de|tuta|fastmail|canary|spark|blue ?mail|hey|zoho)"
    r".{0,160}|get \[?(outlook|bluemail) for .{0,160}|virus-?free\.? ?(<?\[?(https?://)?www\.a.{0,160})?"
    r"|this email has been (checked|scanned) .{0,120}|diese e-mail wurde .{0,40}virus.{0,80}"
    r"|<?https?://\S{0,40}(avast|avg|proton|aka\.ms|yahoo|bluemail|onelink)\S{0,200}>?"
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
_RULE = re.compile(r"[-_=*]{2,}[^-_=*]{0,80}[-_=*]{2,}")
"""The lines that mail programs draw over the header of an answered letter, with words in it or without."""

_FIELDS = {
    "from": "from|von|de|da|van|från|fra|lähettäjä|od|от|kimden|差出人|送信者|发件人|寄件者|보낸 사람",
    "sent": "sent|date|gesendet|datum|envoyé|enviado( el)?|inviato|data|verzonden|skickat|sendt|fecha|lähetetty|wysłano"
    "|odesláno|дата|отправлено|gönderildi|tarih|送信日時|日時|发送时间|日期|보낸 날짜",
    "to": "to|an|à|para|a|aan|till|til|vastaanottaja|do|komu|кому|kime|宛先|收件人|받는 사람",
    "subject": "subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|aihe|temat|předmět|тема|konu|件名|主题|主旨|제목",
}
_FIELD = {name: re.compile(rf"\*?({words}) ?\*?: ?\*?.*", re.IGNORECASE) for name, words in _FIELDS.items()}
_LEAST_RULE = 20
_LIST_RULE = re.compile(rf"[_-]{{{_LEAST_RULE},}}")
_OF_LISTS = re.compile(r"https?://|mailing list|unsubscribe|-(leave|request)@", re.IGNORECASE)
_FOOT = 8
_ENCRYPTED = ("-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----")
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


@lru_cache(maxsize=1)  # of one letter it is asked at each door that it comes to
def strip(text: str) -> Stripped:
    """Part what the writer wrote from what his mail program added.

    Certain signs ('>' or '|' before a line, a line '-- ', PGP armour) settle it. A guess (a reply header without address, a
    phone's signature) takes only its own line, and only where nothing but quoted or blank lines follow it.

    Below the header of a letter, or a line that only we write, nothing is read, unless nothing stands above it: then the writer
    wrote into the letter he answered, and of that only what stands between our cut marks, or below it all.
    """
    lines = text.split("\n")
    why = _marked_before(lines) if ">" in text or "|" in text else [""] * len(lines)
    _mark_armour(lines, why)
    if text.count("-") + text.count("_") >= _LEAST_RULE:
        _mark_list_footer(lines, why)
    if _may_begin(text):
        _mark_letters_below(lines, why)
    _mark_signature(lines, why)
    _mark_guesses(lines, why)
    # A clear-signed letter writes '- ' before lines that begin with a dash.
    read = [line[2:] if line.startswith("- -") else line for line in lines] if _SIGNED in lines else lines
    numbered = [(number, line, reason) for number, (line, reason) in enumerate(zip(read, why, strict=True), 1)]
    return Stripped(
        tuple([Line(number, line) for number, line, reason in numbered if not reason]),
        tuple([Skipped(number, line, reason) for number, line, reason in numbered if reason]),
    )


def _marked_before(lines: list[str]) -> list[str]:
    """Why lines are not read that have '>' or '|' before them, "" for the others."""
    found = (_BEFORE.match(line) for line in lines)
    return ["" if sign is None else QUOTED if sign[1] == ">" else MARKED for sign in found]


def _mark(why: list[str], places: Sequence[int], reason: str) -> None:
    for place in places:
        why[place] = why[place] or reason


def _mark_armour(lines: list[str], why: list[str]) -> None:
    """The frame of a clear-signed letter: its first lines up to the blank one, and the signature block."""
    if _ENCRYPTED[0] in lines:
        begin = lines.index(_ENCRYPTED[0])
        end = next((i for i in range(begin, len(lines)) if lines[i] == _ENCRYPTED[1]), len(lines) - 1)
        _mark(why, range(begin, end + 1), SEALED)
    if _SIGNED not in lines:
        return
    start = lines.index(_SIGNED)
    body = next((i for i in range(start, len(lines)) if not lines[i].strip()), start)
    _mark(why, range(start, body), ARMOUR)
    if _SIGNATURE_OF_SIGNED in lines[body:]:
        begin = lines.index(_SIGNATURE_OF_SIGNED, body)
        end = next((i for i in range(begin, len(lines)) if lines[i].startswith("-----END PGP")), begin)
        _mark(why, range(begin, end + 1), ARMOUR)


def _mark_signature(lines: list[str], why: list[str]) -> None:
    """All from a line '-- ' on. A '--' that lost its space counts only before at most five lines of text.

    In a block that a line END closes none begins.
    """
    if not any(dashes in lines for dashes in ("--", "-- ")):
        return
    inside = _in_blocks(lines, why)
    own, first = 0, len(lines)
    for place in range(len(lines) - 1, -1, -1):
        dashes = lines[place] == "-- " or (lines[place] == "--" and own <= 5 and place)
        first = place if dashes and not why[place] and place not in inside else first
        own += bool(lines[place].strip() and not why[place])
    _mark(why, range(first, len(lines)), SIGNATURE)


def _in_blocks(lines: list[str], why: list[str]) -> set[int]:
    """The lines from the heading of a block to the first END below it: in the text of press any line may look like a heading."""
    found: set[int] = set()
    opened: int | None = None
    for place, line in enumerate(lines):
        if why[place]:
            continue
        if opened is None and _OPENS.match(line):
            opened = place
        elif opened is not None and _END.fullmatch(line):
            found.update(range(opened, place))
            opened = None
    return found


def _mark_list_footer(lines: list[str], why: list[str]) -> None:
    """The footer of a mailing list: a rule, and below it a few lines that say where the list is and how to leave it.

    An indented rule is quoted with the letter that it stands in.
    """
    rule = next(
        (i for i in range(len(lines) - 1, 0, -1) if _LIST_RULE.fullmatch(lines[i].rstrip()[:_GUESSED])), len(lines)
    )
    foot = [line for line in lines[rule + 1 :] if line.strip()]
    if len(foot) <= _FOOT and any(_OF_LISTS.search(line[:_GUESSED]) for line in foot):
        _mark(why, [i for i in range(rule, len(lines)) if lines[i].strip()], FOOTER)


def _mark_letters_below(lines: list[str], why: list[str]) -> None:
    """The headers of answered letters, and what stands below the first that does not mark its lines by '>'."""
    blocks = _Blocks(lines, why)
    place = 0
    while (header := _next_header(lines, why, blocks, place)) is not None:
        _mark(why, [i for i in range(header.first, header.end) if lines[i].strip()], HEADER)
        below = next((i for i in range(header.end, len(lines)) if lines[i].strip()), len(lines))
        if below == len(lines):
            return
        if why[below] not in (QUOTED, MARKED) or header.first == header.end:
            _mark_below(lines, why, header, below)
            return
        place = below


def _mark_below(lines: list[str], why: list[str], header: Header, below: int) -> None:
    """All below a header, if something stands above it; else lines indented as the first one is, or our own words."""
    indent = lines[below][: len(lines[below]) - len(lines[below].lstrip())]
    above = any(lines[i].strip() and not why[i] for i in range(header.first))
    outdented = [i for i in range(below, len(lines)) if lines[i].strip() and not lines[i].startswith(indent)]
    if indent and outdented and not above:
        _mark(why, [i for i in range(below, len(lines)) if lines[i].startswith(indent)], QUOTED)
    elif above:
        _mark(why, range(header.first, len(lines)), BELOW if header.end > header.first else OURS)
    else:
        _mark_ours(lines, why, header.first)


def _mark_ours(lines: list[str], why: list[str], first: int) -> None:
    """Our own words in a letter that was written into: down to the last line of ours, without the sheets between the cuts."""
    last = max((i for i in range(first, len(lines)) if lines[i].strip() and ours(lines, i)), default=-1)
    end = next((i for i in range(last, len(lines)) if not lines[i].strip()), len(lines))
    if last >= 0:
        sheets = {i for sheet in cuts(lines, first, end) for i in sheet}
        _mark(why, [i for i in range(first, end) if lines[i].strip() and i not in sheets], OURS)


def _may_begin(text: str) -> bool:
    """Whether what every header and every line of ours has stands in a line, or in a text; hardly any order has it."""
    return ":" in text or "@" in text or may_be_ours(text)


def _next_header(lines: list[str], why: list[str], blocks: _Blocks, place: int) -> Header | None:
    """The next header of an answered letter from this place on, or the first line of a letter of ours."""
    for at in range(place, len(lines)):
        if why[at] or not _may_begin(lines[at]):
            continue
        if (end := blocks.end(at)) > at:
            return Header(_rule_above(lines, at), end)
        if (found := attribution(lines, at)) is not None:
            return found
        if ours(lines, at):
            first = titled(lines, at)
            return Header(said_when(lines, first), first)
    return None


def _rule_above(lines: list[str], start: int) -> int:
    """Where a header block begins: at the '-----Original Message-----' above it, if it has one."""
    above = start
    while start > 0 and (not lines[start - 1].strip() or _RULE.fullmatch(lines[start - 1].strip()[:_GUESSED])):
        start -= 1
        above = start if lines[start].strip() else above
    return above


class _Blocks:
    """Looks for header blocks; each row of lines "Word: value" is looked at once, and known words are asked for so often."""

    def __init__(self, lines: list[str], why: list[str]) -> None:
        self._lines, self._why = lines, why
        self._seen = 0
        self._tries = _TRIES

    def end(self, place: int) -> int:
        """Where the header block ends that begins on this line; `place` itself where none does."""
        line = self._lines[place]
        # Every field has a colon and hardly any line has one: that is asked first, since asking for the words is dear.
        if ":" not in line:
            return place
        if place >= self._seen:
            self._seen, is_header = header_block(self._lines, place)
            if is_header:
                return self._seen
        return self._known(place)

    def _known(self, place: int) -> int:
        """A block whose words are known, which needs neither address nor time."""
        if not self._tries or not any(_FIELD[n].fullmatch(self._lines[place].strip()) for n in ("from", "sent")):
            return place
        self._tries -= 1
        block = _header_block(self._lines, place)
        return block[-1][1] + 1 if {"from", "sent", "subject"} <= {name for name, _ in block} else place


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
    if QUOTED in why:
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
