"""Whether a machine wrote a letter. No single sign is enough, so every one that is found is named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.mail.headers import Headers

LOOP_HEADER = "X-Referee-Loop"
"""The mark on every letter of ours; one that comes back with it is never answered."""

NULL_PATH = "null return path"
UNSURE = frozenset(("no readable sender", NULL_PATH))
"""Signs that a person's letter may bear too: some relays take the envelope sender from every letter."""

_PRECEDENCES = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_SENDERS = re.compile(r"(mailer-daemon|postmaster|no-?_?reply|do-?not-?reply|bounces?)([+.-].*)?@.*")
_NAMES = re.compile(r"x-auto-?(reply|replied|respond|response|generated|submitted).*|auto-?replied")
_ADDRESS = re.compile(r"[^\s@<>()\",:;]{1,100}@[^\s@<>()\",:;]{1,255}")
_READ = 2_000

OF_MACHINES = re.compile(
    r"multipart/report|message/((global-)?delivery-status|(global-)?disposition-notification|tracking-status|feedback-report)"
    r"|text/calendar that answers|(text|application)/vnd\.[a-z0-9.-]*(reaction|receipt)[a-z0-9.+-]*|application/(x-)?pkcs7-receipt"
)
"""Content types of a letter, or of a part of it, that a mail program writes by itself: receipts, reactions, calendars' answers."""

_SUBJECTS = re.compile(
    r"((auto(matic)? ?-?reply|automatische antwort|abwesenheitsnotiz|abwesend|out of (the )?office|autosvar"
    r"|r[eé]ponse automatique|respuesta autom[aá]tica|risposta automatica|automatisch antwoord|automatiskt svar"
    r"|resposta autom[aá]tica|undeliverable|undelivered mail|delivery status notification|mail delivery failed"
    r"|delivery failure notification|mail could not be delivered|returned mail|failure notice"
    r"|absence du bureau|fuera de la oficina|fuori (sede|ufficio)|niet op kantoor|fr[aå]nvaromeddelande|fora do escrit[oó]rio"
    r"|nieobecno[sś][cć] w biurze|poza biurem|autoodpowied[zź]|odpowied[zź] automatyczna|automatyczna odpowied[zź]"
    r"|frav[aæ]rsmeddelelse|ikke (til stede|p[aå] kontoret)|automatisk svar|poissa toimist\w*|poissaoloilmoitus"
    r"|automaattinen vastaus|h[aá]zon k[ií]v[uü]l|automatikus v[aá]lasz|mimo kancel[aá][rř]\w*|automatick[aá] odpov[eě][dď]"
    r"|automatska poruka|samodejni odgovor|r[aă]spuns automat|automatinis atsakymas|automātiskā atbilde|automaatvastus"
    r"|otomatik yan\S?t|ofis d\S?[sş]\S?nda|resposta autom[aà]tica|αυτόματη απάντηση|автоответ\w*|автоматический ответ"
    r"|(я )?вне офиса|нет на месте|автоматична відповідь|автоматичен отговор|מענה אוטומטי|رد تلقائي)\b"
    r"|自動応答|自動返信|不在通知|不在のお知らせ|自动回复|自動回覆|自动答复|不在办公室|不在辦公室|자동 ?(회신|응답)|부재중)",
    re.IGNORECASE,
)


def signs_of_a_machine(headers: Headers, kind: str, sender: str, subject: str, envelope: str | None) -> tuple[str, ...]:
    """Why the letter looks automatic, in words for the log; empty for a letter a person wrote.

    `kind` is its content type, or that of a part that tells more,
    `envelope` the envelope sender where it is known. X-Auto-Response-Suppress
    asks for silence and proves nothing, so it is no sign.
    """
    found = (*_header_signs(headers), *_other_signs(headers, kind, sender, subject, envelope))
    return tuple(dict.fromkeys(found))


def _header_signs(headers: Headers) -> Iterator[str]:
    for value in headers.get("auto-submitted", ()):
        if _first_word(value) != "no":
            yield f"Auto-Submitted: {_first_word(value)}"
    for value in headers.get("precedence", ()):
        if _first_word(value) in _PRECEDENCES:
            yield f"Precedence: {_first_word(value)}"
    for name, values in headers.items():
        if _NAMES.fullmatch(name) and name != "x-auto-response-suppress" and any(v.lower() != "no" for v in values):
            yield f"{name} present"
    for value in headers.get("delivered-to", ()):
        if value.strip().lower() == "autoresponder":
            yield "Delivered-To: Autoresponder"
    if any(address in _written_to(headers) for value in headers.get("x-loop", ()) for address in _addresses(value)):
        yield "X-Loop with the address it was written to"
    for name in ("x-fc-machinegenerated", "x-failed-recipients", "list-id", "list-post"):
        if name in headers:
            yield f"{name} present"
    for name in ("content-identifier", "x400-content-identifier"):
        if any("auto" in v.lower() and "reply" in v.lower() for v in headers.get(name, ())):
            yield f"{name}: auto reply"


def _other_signs(headers: Headers, kind: str, sender: str, subject: str, envelope: str | None) -> Iterator[str]:
    null_path = any(value.strip() == "<>" for value in headers.get("return-path", ()))
    if null_path or (envelope is not None and envelope.strip(" <>") == ""):
        yield NULL_PATH
    if OF_MACHINES.fullmatch(kind):
        yield kind
    if not sender:
        yield "no readable sender"
    elif _SENDERS.fullmatch(sender):
        yield f"sender {sender}"
    if _SUBJECTS.match(subject):
        yield "subject of an automatic reply"


def _written_to(headers: Headers) -> set[str]:
    """Addresses of the recipients, also without what follows a plus."""
    found = {
        a
        for name in ("to", "delivered-to", "x-original-to")
        for value in headers.get(name, ())
        for a in _addresses(value)
    }
    return found | {re.sub(r"\+[^@]*", "", address) for address in found}


def _addresses(value: str) -> set[str]:
    return {address.lower() for address in _ADDRESS.findall(value[:_READ])}


def _first_word(value: str) -> str:
    return value.split(";")[0].split("(")[0].strip().lower()[:40]
