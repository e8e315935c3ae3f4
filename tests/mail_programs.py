"""Mail programs: each opens a letter of its own from a tap on a `mailto:` link, sends it its own way, and quotes what it answers.

What is known of each stands in docs/buttons.md, with the programs' own faults: what they drop, cut, escape and add.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from urllib.parse import unquote

SENT_FROM = "Sent from my iPhone"
_OUTLOOK_CUTS = 2_000


def _fields(link: str) -> dict[str, str]:
    """A link taken apart as browsers do: the first field of a name counts, names in any case."""
    address, _, query = link.removeprefix("mailto:").partition("?")
    found = {"to": unquote(address)}
    for part in query.split("&"):
        name, _, value = part.partition("=")
        found.setdefault(unquote(name).lower(), unquote(value))
    return found


def _letter(fields: dict[str, str], sender: str, threads: bool) -> EmailMessage:
    letter = EmailMessage()
    letter["From"], letter["To"] = sender, fields["to"]
    letter["Subject"] = fields.get("subject", "")
    if threads and "in-reply-to" in fields:
        letter["In-Reply-To"] = fields["in-reply-to"]
    return letter


def gmail(link: str, sender: str, typed: str = "") -> EmailMessage:
    """Gmail in a browser: no thread, HTML with a line in each <div>, the text wrapped; its signature below."""
    fields = _fields(link)
    lines = _typed(fields, typed).split("\n")
    letter = _letter(fields, sender, threads=False)
    wrapped = "\n".join(part for line in lines for part in (textwrap.wrap(line, 78) or [""]))
    letter.set_content(f"{wrapped}\n\n-- \nAnna Arrow\nanna.example\n")
    inside = "<br>".join(map(html.escape, lines))
    signed = '<div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">Anna Arrow<br>anna.example</div>'
    letter.add_alternative(
        f'<div dir="ltr">{inside}<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br>{signed}</div>',
        subtype="html",
    )
    return letter


def outlook(link: str, sender: str, typed: str = "") -> EmailMessage:
    """Outlook on Windows: links are cut near 2,000 characters, the thread is dropped, each line becomes a paragraph."""
    fields = _fields(link[:_OUTLOOK_CUTS])
    lines = _typed(fields, typed).split("\n")
    letter = _letter(fields, sender, threads=False)
    letter["X-Mailer"] = "Microsoft Outlook 16.0"
    letter.set_content("\n\n".join(lines) + "\n\n \n\nAnna Arrow\n")
    shown = "".join(f"<p class=MsoNormal>{html.escape(line) or '&nbsp;'}<o:p></o:p></p>" for line in (*lines, ""))
    letter.add_alternative(
        f'<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang=EN-US><div class=WordSection1>{shown}'
        "<p class=MsoNormal>Anna Arrow<o:p></o:p></p></div></body></html>",
        subtype="html",
    )
    return letter


def apple(link: str, sender: str, typed: str = "") -> EmailMessage:
    """Apple Mail on a telephone: plain text as it stands, and where it was sent from."""
    fields = _fields(link)
    letter = _letter(fields, sender, threads=False)
    letter["X-Mailer"] = "iPhone Mail (23B85)"
    letter.set_content(f"{_typed(fields, typed)}\n\n{SENT_FROM}", cte="quoted-printable")
    return letter


def thunderbird(link: str, sender: str, typed: str = "") -> EmailMessage:
    """Thunderbird: the thread is kept, the body is escaped into HTML, and sent as HTML with its text, flowed."""
    fields = _fields(link)
    lines = _typed(fields, typed).split("\n")
    letter = _letter(fields, sender, threads=True)
    flowed = "\n".join(part for line in lines for part in _flowed(line))
    letter.set_content(f"{flowed}\n\n-- \nAnna Arrow\n", params={"format": "flowed"})
    inside = "<br>\n".join(html.escape(line).replace("  ", "&nbsp; ") for line in lines)
    letter.add_alternative(
        f'<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body>{inside}<br>'
        '<div class="moz-signature">-- <br>Anna Arrow</div></body></html>',
        subtype="html",
    )
    return letter


def thunderbird_plain(link: str, sender: str, typed: str = "") -> EmailMessage:
    """Thunderbird, and K-9 on a telephone, where letters are written in plain text."""
    fields = _fields(link)
    letter = _letter(fields, sender, threads=True)
    flowed = "\n".join(part for line in _typed(fields, typed).split("\n") for part in _flowed(line))
    letter.set_content(f"{flowed}\n\n-- \nAnna Arrow\n", params={"format": "flowed"})
    return letter


Program = Callable[..., EmailMessage]
PROGRAMS: tuple[Program, ...] = (gmail, outlook, apple, thunderbird, thunderbird_plain)


def _typed(fields: dict[str, str], typed: str) -> str:
    """The body, with what somebody typed into its first empty line."""
    body = fields.get("body", "").replace("\r\n", "\n")
    return body.replace("\n\n", f"\n{typed}\n", 1) if typed else body


def _flowed(line: str) -> list[str]:
    """A line of RFC 3676: one that is broken ends in a blank wherever it goes on; one that begins with a blank is stuffed."""
    stuffed = f" {line}" if line.startswith((" ", ">", "From ")) else line
    parts = textwrap.wrap(stuffed, 70, break_long_words=False, drop_whitespace=True) or [""]
    return [*(f"{part} " for part in parts[:-1]), parts[-1]]


# ---------------------------------------------------------------- replies
# What a reply has of the letter that it answers: all of its HTML, as HTML or as the text that the program makes of it.


_WHO = "Club Referee <referee@games.example>"
_ON = "On Sun, Nov 29, 2026, 22:40 {} wrote:"


def as_text(shown: str, joint: str = " ") -> str:
    """HTML as Gmail and Outlook write it into the plain part of a reply, with links behind their words."""
    shown = re.sub(r"(?is)<(style|title|head)[^>]*>.*?</\1>", "", shown)
    shown = re.sub(
        r'(?is)<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', lambda link: f"{link[2]}{joint}<{html.unescape(link[1])}>", shown
    )
    shown = re.sub(r"(?i)<br[^>]*>|</(p|div|tr|table|h\d|li|pre)>", "\n", shown)
    shown = re.sub("(?i)</t[dh]>", " ", shown)
    shown = re.sub(r"[ \t\xa0]+", " ", html.unescape(re.sub(r"<[^>]+>", "", shown)))
    return re.sub(r"\n{3,}", "\n\n", shown)


def gmail_reply(written: str, shown: str, plain: bool) -> EmailMessage:
    """Gmail on a telephone: the letter in a blockquote, in HTML alone or with a `plain` part, wrapped, behind `> `."""
    head = html.escape(_ON.format(_WHO))
    said = "".join(f'<div dir="auto">{html.escape(line) or "<br>"}</div>' for line in written.split("\n"))
    quoted = f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid">{_inner(shown)}</blockquote>'
    above = f'<div dir="ltr" class="gmail_attr">{head}<br></div>'
    body = f'{said}<br><div class="gmail_quote gmail_quote_container">{above}{quoted}</div>'
    rows = (row for line in as_text(_inner(shown)).splitlines() for row in _wrapped(line))
    text = "\n".join((written, "", _ON.format(_WHO), "", *(f"> {row}" for row in rows)))
    return _replied(text if plain else "", body)


def outlook_reply(written: str, shown: str, plain: bool) -> EmailMessage:
    """Outlook on a telephone: the letter below a block of its header fields, in HTML alone or with a `plain` part."""
    fields = {
        "From": _WHO,
        "Sent": "Sunday, November 29, 2026 10:40:00 PM",
        "To": "Anna",
        "Subject": "[nw1] your orders",
    }
    head = "<br>".join(f"<b>{name}:</b> {html.escape(value)}" for name, value in fields.items())
    said = "".join(f'<div class="elementToProof">{html.escape(line) or "<br>"}</div>' for line in written.split("\n"))
    body = (
        f'<html><body>{said}<div id="mail-editor-reference-message-container"><hr style="display:inline-block;width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{head}</font><div>&nbsp;</div></div>'
        f"<div>{_inner(shown)}</div></div></body></html>"
    )
    above = [f"{name}: {value}" for name, value in fields.items()]
    text = "\n".join((written, "", "_" * 32, *above, "", as_text(_inner(shown), "")))
    return _replied(text if plain else "", body)


def _inner(shown: str) -> str:
    return re.sub(r"(?is).*<body[^>]*>|</body>.*", "", shown)


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, 76, break_long_words=False, break_on_hyphens=False) or [""]


def _replied(text: str, shown: str) -> EmailMessage:
    letter = EmailMessage()
    if text:
        letter.set_content(text)
        letter.add_alternative(shown, subtype="html")
    else:
        letter.set_content(shown, subtype="html", cte="base64")
    return letter
