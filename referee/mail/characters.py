"""Characters as orders need them: what a mail program made of a typed '-' or space becomes one again."""

from __future__ import annotations

import codecs
import encodings
import re
import unicodedata
from encodings.aliases import aliases
from pkgutil import iter_modules

from referee.core.normal_text import normal

_SPACES = "\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_BREAKS = "\v\f\x85\u2028\u2029"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\xb4\u2018\u2019\u201a\u201b\u2032\u2039\u203a\uff07"
_DOUBLE_QUOTES = "\xab\xbb\u201c\u201d\u201e\u201f\u2033\uff02"
_ARROWS = "\u2192\u21d2\u21e8\u27a1\u2794\u279c\u279e\u27f6\u27f9"
_INVISIBLE = "\xad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_INVISIBLE_RANGES = ((0x202A, 0x202E), (0x2066, 0x2069), (0xFE00, 0xFE0F), (0xE0000, 0xE007F))
_LOOKALIKE_RANGES = ((0xFB00, 0xFB06), (0xFF01, 0xFF5E), (0x1D400, 0x1D7FF))
_SURROGATES = (0xD800, 0xDFFF)

_ODD_CHARSETS = {"gb2312": "gb18030", "iso-8859-8-i": "iso-8859-8", "windows-874": "cp874", "us-ascii": "utf-8"}
_WESTERN = frozenset({"cp1252", "iso8859-1", "iso8859-15"})
_LONGEST_CHARSET = 60
_BETWEEN = re.compile(r"[^a-z0-9]+")
_ELSEWHERE = {"aliases", "mbcs", "oem"}
_CHARSETS = {module.name for module in iter_modules(encodings.__path__)} - _ELSEWHERE
_CHARSETS |= {name for name, module in aliases.items() if module not in _ELSEWHERE}
_NOT_FOR_LETTERS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})


def clean(text: str) -> str:
    """Text with plain spaces, hyphens, quotes and '\\n', without invisible or control characters, in NFC.

    Compatibility forms are folded only where no order can change its meaning: wide and styled letters and
    ligatures are; superscripts, fractions and circled digits are not, for "3²" must not become "32". Of a run of
    combining marks thirty are kept.
    """
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = "\n".join(map(_cleaned, plain.split("\n"))) if _BREAK.search(plain) else plain.translate(_TABLE)
    return normal("NFC", plain)


def _cleaned(line: str) -> str:
    """A line without marks of a line's end in it. Only what somebody typed ends there: a quoted line stays one line."""
    whole = line.translate(_WHOLE)
    return whole if whole[:1] in (" ", ">", "|") else line.translate(_TABLE)


def one_line(text: str, limit: int = 998) -> str:
    """The text cleaned, its white space collapsed to single spaces, cut at `limit` characters.

    Text more than ten times as far back is not looked at.
    """
    return " ".join(clean(text[: 10 * limit]).split())[:limit]


def decode(data: bytes, charset: str = "") -> str:
    """Bytes as text: in the declared charset, else UTF-8, else Windows-1252. Never raises.

    Latin-1 is read as Windows-1252, of which it is a part; and as UTF-8 where the bytes are that, for no text
    in a western charset looks so by chance. Where every second byte is NUL it is UTF-16, whatever was declared.
    """
    if data.count(0) * 3 > len(data) and not charset.strip().lower().startswith(("utf-16", "utf-32", "utf16", "utf32")):
        return _wide(data)
    for name in _likely(_codec(_ODD_CHARSETS.get(charset.strip().lower(), charset))):
        try:
            if name and name not in _NOT_FOR_LETTERS:
                return data.decode(name)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")


def _codec(charset: str) -> str:
    """The library's name for a charset, "" for one it has not.

    It is asked for none but those it has: it keeps in mind for ever whatever else it is asked for.
    """
    plain = _BETWEEN.sub("_", charset[:_LONGEST_CHARSET].lower()).strip("_")
    return codecs.lookup(plain).name if plain in _CHARSETS else ""


def _wide(data: bytes) -> str:
    """UTF-16 that nobody declared: by its mark, else by the side on which the NULs stand; else without them."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    for name, mark, sure in (("utf-16-le", b"\xff\xfe", even * 20 < odd), ("utf-16-be", b"\xfe\xff", odd * 20 < even)):
        if sure or data.startswith(mark):
            return data.decode(name, "replace")
    return data.replace(b"\0", b"").decode("cp1252", "replace")


def _likely(charset: str) -> tuple[str, ...]:
    if charset in _WESTERN:
        return ("utf-8", "cp1252" if charset == "iso8859-1" else charset)
    return (charset, "utf-8")


def _ranges(*pairs: tuple[int, int]) -> list[int]:
    return [code for first, last in pairs for code in range(first, last + 1)]


def _table() -> dict[int, str]:
    controls = [code for code in (*range(0x20), *range(0x7F, 0xA0)) if code != 0x0A]
    table = dict.fromkeys(controls, " ")
    table |= dict.fromkeys(_ranges(_SURROGATES), "\ufffd")
    table |= {code: unicodedata.normalize("NFKC", chr(code)) for code in _ranges(*_LOOKALIKE_RANGES)}
    table |= dict.fromkeys(_ranges(*_INVISIBLE_RANGES), "")
    replaced = (_SPACES, " "), (_BREAKS, "\n"), (_DASHES, "-"), (_ARROWS, "->"), (_INVISIBLE, "")
    for these, by in (*replaced, (_SINGLE_QUOTES, "'"), (_DOUBLE_QUOTES, '"')):
        table |= dict.fromkeys(map(ord, these), by)
    return table


_TABLE = _table()
_WHOLE = _TABLE | dict.fromkeys(map(ord, _BREAKS), " ")
_BREAK = re.compile(f"[{_BREAKS}]")
