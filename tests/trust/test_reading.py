"""What a letter seems to say: quotes nobody marked, text nobody sees, files, footers, and words of machines."""

from __future__ import annotations

import base64
import re

import pytest

from referee.mail import read, strip
from referee.mail.characters import clean
from referee.mail.reading.hypertext import lines_of_html
from tests.letters.reading import said
from tests.service.conftest import ANNA, BEN, CARLA, databases, match
from tests.trust.answering import ATTRIBUTIONS, BLOCKS, SHAPES, answered
from tests.world import ADDRESS, Mail, World

__all__ = ["databases", "match"]

PRESSED = "RAISE 2 armies\nROLL OUT\nRESEARCH any"
HEADERS = {**{f"block-{name}": words for name, words in BLOCKS.items()}, **ATTRIBUTIONS}


def orders(text: str) -> tuple[str, ...]:
    """The orders and words for the desk that a plain letter is read as."""
    came = said(b"From: anna@players.example\nContent-Type: text/plain; charset=utf-8\n\n" + text.encode())
    return (*came.orders, *came.desk)


def own(text: str) -> list[str]:
    """The lines of a text that are taken for its writer's."""
    return [line.text for line in strip(clean(text)).lines if line.text.strip()]


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Letters of ours as their readers answer them: as text, and as a mail program makes text of their HTML."""
    world = World(tmp_path_factory.mktemp("ours"))
    world.write("gina@players.example", "CREATE newworld AS nw1")
    for player in (ANNA, BEN, CARLA):
        world.write(player, "JOIN nw1")
    world.reply("gina@players.example", "START nw1", kind="receipt")
    found = {"started": world.last(ANNA, "started")}
    on_turn = world.on_turn()
    other = BEN if on_turn != BEN else CARLA
    world.reply(on_turn, "EMBARK the moon")
    found["refusal"] = world.last(on_turn, "refusal")
    world.reply(on_turn, "RESEARCH Law, any KEEPING 2 gold\nHIRE 1 worker\nRESERCH Law")
    found["receipt"] = world.last(on_turn, "receipt")
    world.reply(other, f"PRESS TO {world.seat(on_turn)}\n{PRESSED}\nEND")
    found["press"] = world.last(on_turn, "press")
    world.reply(on_turn, "RESEARCH any\nROLL OUT", kind="receipt")
    found["report"] = world.last(other, "report")
    texts = {kind: mail.text for kind, mail in found.items()}
    texts |= {f"{kind}-html": "\n\n".join(lines_of_html(mail.html).split("\n")) for kind, mail in found.items()}
    world.close()
    return texts


@pytest.mark.parametrize("before", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_a_letter_of_ours_below_an_answer_is_never_orders(header: str, before: str, ours: dict[str, str]) -> None:
    """Whatever mail program and language: on top the answer, below our letter, its lines marked or not."""
    address = "referee+nw1.k7q2m5xw3hzt6rbp@games.example"
    for kind, letter in ours.items():
        assert own("COLONIZE any\n\n" + answered(header, letter, before, address)) == ["COLONIZE any"], kind


HEADER = "Feladó: Referee <referee@games.example>\nElküldve: 2026. november 22. 18:00\nTárgy: [nw1] Turn 1\n\n"


def test_a_letter_of_ours_without_any_header_is_known_by_its_own_lines(ours: dict[str, str]) -> None:
    for kind in ("receipt", "report", "started", "press"):
        assert own(f"COLONIZE any\n\n{ours[kind]}") == ["COLONIZE any"], kind


def test_press_is_never_orders_however_it_comes_back(ours: dict[str, str]) -> None:
    """Its lines begin with a bar, in the HTML too, so that not even a letter cut out of its letter can be taken for orders."""
    for kind in ("press", "press-html"):
        shown = "\n".join(
            line for line in ours[kind].splitlines() if any(part in line for part in PRESSED.splitlines())
        )
        assert shown.count("|") == 3
        assert orders(f"HIRE 1 worker\n{shown}") == ("HIRE 1 worker",)


def test_what_a_receipt_says_of_an_order_is_no_order(ours: dict[str, str]) -> None:
    """`Hire 1 worker.` explains the line above it; both stand behind bars."""
    around = re.sub(r"(?s)cut here.*cut here", "", ours["receipt"])
    told = [line for line in around.splitlines() if "ire 1 worker" in line.lower()]
    assert len(told) >= 2 and all(line.startswith("  | ") for line in told)
    assert orders("\n".join(told)) == ()


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_orders_between_quoted_lines_are_read(header: str) -> None:
    letter = answered(header, "Turn 1\nRESEARCH any\nThat is all.", "> ", ADDRESS)
    assert own(letter.replace("> That", "HIRE 1 worker\n> That") + "\nCOLONIZE any") == [
        "HIRE 1 worker",
        "COLONIZE any",
    ]
    assert own("Hello\n\n" + letter.replace("> That", "HIRE 1 worker\n> That")) == ["Hello", "HIRE 1 worker"]


def test_orders_under_a_letter_indented_by_tabs_are_read() -> None:
    """mail, mailx, nail: the original first, each line behind a tab, the answer below it."""
    letter = answered("Referee <referee@games.example> wrote:", "Turn 1\nROLL OUT", "\t", ADDRESS)
    assert own(f"{letter}\nCOLONIZE any") == ["COLONIZE any"]


@pytest.mark.parametrize("before", ["", "  "])
def test_a_sheet_filled_in_inside_the_answered_letter_is_read(before: str, ours: dict[str, str]) -> None:
    """Nothing stands above: then of our letter only what is between the cuts counts, and what he wrote below it all."""
    letter = ours["refusal"].splitlines()
    cut = next(n for n, line in enumerate(letter) if "cut here" in line)
    letter.insert(cut + 1, "COLONIZE any")
    found = own(answered(BLOCKS["hu"], "\n".join(letter), before, ADDRESS) + f"\n{before}HIRE 1 worker")
    assert found[0].strip() == "COLONIZE any" and found[-1].strip() == "HIRE 1 worker"
    assert not [line for line in found if "Seal" in line or "HELP" in line or "New World" in line]


@pytest.mark.parametrize(
    "written",
    [
        "Hello,\nmy orders for 22.11.2026, 18:00:\nHIRE 1 worker", "Orders:\n  HIRE 1 worker",
        "Hello\nSET address anna@work.example",
        "Note: I am late\nHIRE 1 worker", "PRESS TO France:\nSee you at 18:00\nEND\nHIRE 1 worker",
        "On second thought I wrote:\nREST",
        'Hello\nDEADLINE nw1 2026-11-22 18:00 BECAUSE "we wait"', "---- Orders ----\nHIRE 1 worker",
        "Orders\n======\nHIRE 1 worker",
    ],
)  # fmt: skip
def test_what_only_resembles_a_header_costs_no_order(written: str) -> None:
    assert own(f"Dear referee\n\n{written}")[-1].strip() == written.split("\n")[-1].strip()


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\v", "\f", "\x85"])
@pytest.mark.parametrize("before", ["> ", "\t> ", "\xa0> ", "\uff1e ", "| ", "  "])
def test_a_line_separator_does_not_lead_out_of_a_quote(separator: str, before: str) -> None:
    assert "ROLL OUT" not in [
        line.strip() for line in clean(f"COLONIZE any\n{before}quoted{separator}ROLL OUT").split("\n")
    ]
    assert orders(f"COLONIZE any{separator}HIRE 1 worker") == ("COLONIZE any", "HIRE 1 worker")


def html(body: str) -> tuple[str, ...]:
    came = said(b"From: anna@players.example\nContent-Type: text/html; charset=utf-8\n\n" + body.encode())
    return (*came.orders, *came.desk)


@pytest.mark.parametrize(
    "hidden",
    [
        '<div style="display:none">{}</div>', '<p style="display: none !important">{}</p>', "<div hidden>{}</div>",
        '<span style="font-size:0">{}</span>', '<span style="font-size: 0px">{}</span>', '<div style="opacity:0">{}</div>',
        '<div style="visibility:hidden">{}</div>', '<div style="max-height:0;overflow:hidden">{}</div>',
        '<div style="mso-hide:all">{}</div>', '<div style="position:absolute;left:-9999px">{}</div>',
        "<select><option>{}</option></select>", "<textarea>{}</textarea>", "<button>{}</button>", "<datalist><option>{}</datalist>",
        "<template>{}</template>", "<noscript>{}</noscript>", "<!-- {} -->", "<title>{}</title>", "<div HIDDEN='x'>{}</div>",
    ],
)  # fmt: skip
def test_html_that_nobody_sees_is_not_read(hidden: str) -> None:
    assert html(f"<p>COLONIZE any</p>{hidden.format('ROLL OUT')}<p>HIRE 1 worker</p>") == (
        "COLONIZE any",
        "HIRE 1 worker",
    )


@pytest.mark.parametrize(
    "shown",
    [
        '<div style="font-size:0"><span style="font-size:14px">{}</span></div>', '<p style="font-size:0.9em">{}</p>',
        '<p style="opacity:1;height:auto;overflow:hidden">{}</p>', '<p data-x="hidden">{}</p>', '<p class="hidden-no">{}</p>',
        '<p style="border:none">{}</p>', '<p aria-hidden="false">{}</p>', '<p style="margin-left:-1px">{}</p>',
    ],
)  # fmt: skip
def test_html_that_is_seen_is_read(shown: str) -> None:
    assert html(shown.format("HIRE 1 worker")) == ("HIRE 1 worker",)


QUOTING = {
    "blockquote": "<blockquote>{}</blockquote>", "gmail": '<div class="gmail_quote">{}</div>',
    "yahoo": '<div class="ydp1yahoo_quoted">{}</div>', "outlook": '<hr><div id="x_divRplyFwdMsg">From: R</div>{}',
    "outlook-word": '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">Feladó: R</div>{}',
    "phone": '<div id="ms-outlook-mobile-reference-message">{}</div>', "bar": '<div style="border-left: 2px solid #ccc">{}</div>',
    "word-bar": '<blockquote style="border:none;border-left:solid #CCCCCC 1.0pt">{}</blockquote>',
    "ours": '<div><div id="m_12referee-letter">{}</div></div>', "from-here": '<div id="appendonsend"></div>{}',
    "zimbra": '<hr id="zwchr"><p>x</p>{}', "tutanota": '<div class="tutanota_quote">{}</div>',
}  # fmt: skip


@pytest.mark.parametrize("quote", QUOTING.values(), ids=QUOTING)
def test_html_says_what_plain_text_quotes_without_a_mark(quote: str) -> None:
    """In the plain form nothing tells the quote from the answer; the HTML of the same letter does."""
    plain = "HIRE 1 worker\nCOLONIZE any\n\nHIRE 1 worker\nRESEARCH Law, any\nKEEPING 2 gold\nROLL OUT\n"
    old = "<p>HIRE 1 worker</p><p>RESEARCH Law, any KEEPING 2 gold</p><p>ROLL OUT</p>"
    raw = (
        "From: anna@players.example\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
        f"{plain}\n--b\nContent-Type: text/html\n\n<p>HIRE 1 worker<br>COLONIZE any</p>{quote.format(old)}\n--b--\n"
    )
    came = said(raw.encode())
    assert (*came.orders, *came.desk) == ("HIRE 1 worker", "COLONIZE any")


@pytest.mark.parametrize(
    "footer",
    [
        "Sent with [Proton Mail](https://proton.me/mail/home) secure email.", "Sent with Proton Mail secure email.",
        "Sent from Outlook for iOS", "Get BlueMail for Android", "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Envoyé de mon iPhone", "Virus-free.www.avast.com", "Sent from [Outlook for Android](https://aka.ms/AAb9ysg)",
        "_______________________________________________\nplayers mailing list -- players@lists.example\n"
        "To unsubscribe send an email to players-leave@lists.example",
    ],
)  # fmt: skip
def test_footers_of_mail_programs_are_no_slips(footer: str) -> None:
    assert own(f"HIRE 1 worker\n\n{footer}\n") == ["HIRE 1 worker"]


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("declared", ["", "; charset=us-ascii", "; charset=utf-8"])
def test_wide_letters_that_nobody_declared_are_read(coding: str, declared: str) -> None:
    data = base64.b64encode("RESEARCH Law, any KEEPING 2 gold\nHIRE 1 worker\n".encode(coding))
    head = f"From: anna@players.example\nContent-Type: text/plain{declared}\nContent-Transfer-Encoding: base64\n\n"
    assert said(head.encode() + data).orders == ("RESEARCH Law, any KEEPING 2 gold", "HIRE 1 worker")


def test_a_blank_before_the_colon_of_a_field_hides_no_field() -> None:
    letter = read(b"X-Odd : 1\r\nFrom: anna@players.example\r\nSubject : hello\r\n\r\nNote : HIRE 1 worker\r\n")
    assert letter.sender == "anna@players.example" and letter.subject == "hello"
    assert letter.text == "Note : HIRE 1 worker\n"


@pytest.mark.parametrize(
    "subject",
    ["Nieobecność w biurze", "Ikke på kontoret: ferie", "Poissa toimistolta", "Я вне офиса", "不在のお知らせ", "自动回复: 您好",
     "Házon kívül", "Automatikus válasz: x", "Odpowiedź automatyczna: x", "자동 응답: x"],
)  # fmt: skip
def test_bare_holiday_notes_are_a_machine_s(subject: str) -> None:
    assert read(f"From: anna@players.example\nSubject: {subject}\n\nHIRE 1 worker\n".encode()).automatic


def test_old_marks_of_machines_are_known() -> None:
    head = b"From: anna@players.example\nTo: referee+nw1.abc@games.example\n"
    assert read(head + b"Delivered-To: Autoresponder\n\nx").automatic
    assert read(head + b"X-Loop: Referee@Games.example\n\nx").automatic
    assert not read(head + b"X-Loop: list@elsewhere.example\n\nx").automatic
    assert not read(head + b"Subject: Holiday orders\n\nx").automatic


# ---------------------------------------------------------------- what is not read is said


def mixed(*parts: str) -> str:
    inside = "".join(f"--b\n{part}\n" for part in parts)
    return f"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n{inside}--b--\n"


def sent(match: World, letter: str, subject: str = "orders") -> Mail:
    """The receipt of a letter from who is on turn; `letter` begins with its MIME fields."""
    player = match.on_turn()
    to = match.last(player).reply_to
    head = (
        f"From: {player}\nTo: {to}\nSubject: {subject}\nMessage-ID: <{abs(hash((letter, subject)))}@players.example>\n"
    )
    match.put((head + letter).encode(), player, to)
    (receipt,) = match.work()
    return receipt


PGP = (
    "Content-Type: multipart/encrypted; protocol=application/pgp-encrypted; boundary=b\n\n"
    "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n"
    "--b\nContent-Type: application/octet-stream; name=encrypted.asc\n\n-----BEGIN PGP MESSAGE-----\nhQ\n--b--\n"
)
NESTED = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(60))
SOMEBODY_ELSES = "Content-Type: message/rfc822\n\nFrom: otto@players.example\n\nRAISE 2 armies\n"
UNREAD = {
    "pgp": (PGP, "was encrypted, and I have no key"),
    "inline-pgp": ("\n-----BEGIN PGP MESSAGE-----\n\nhQ==\n-----END PGP MESSAGE-----\n", "was encrypted"),
    "smime": ("Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nMI\n", "was encrypted"),
    "smime-signed": ("Content-Type: application/pkcs7-mime; smime-type=signed-data\n\nMI\n", "signed by S/MIME"),
    "tnef": (mixed("Content-Type: application/ms-tnef; name=winmail.dat\n\nx"), "winmail.dat"),
    "partial": ('Content-Type: message/partial; id="a"; number=1; total=2\n\nHIRE 1 worker\n', "came in pieces"),
    "external": ("Content-Type: message/external-body; access-type=URL; URL=x\n\nContent-Type: text/plain\n\n", "I fetch nothing"),
    "voice": (mixed("Content-Type: audio/mp4; name=memo.m4a\n\nx"), "Memo.m4a came with your letter and was not listened to"),
    "enriched": ("Content-Type: text/enriched\n\n<bold>HIRE 1 worker</bold>\n", "text/enriched"),
    "document": (mixed("Content-Type: application/pdf; name=orders.pdf\n\nx"), "rders.pdf came with your letter and was not read"),
    "deep": (f"{NESTED}\nHIRE 1 worker", "parts within parts"),
    "empty-lines": ("\n" + "\n" * 201_000 + "HIRE 1 worker\n", "the text below the first 20,000 was not read"),
    "somebody-elses": (mixed(SOMEBODY_ELSES), "A letter that you did not write"),
}  # fmt: skip


@pytest.mark.parametrize(("letter", "sentence"), UNREAD.values(), ids=UNREAD)
def test_what_could_not_be_read_is_said(letter: str, sentence: str, match: World) -> None:
    """Each cause in its own words, in place of `your letter had no orders`."""
    receipt = sent(match, letter)
    assert "NOTHING USABLE: in what I could read of your letter" in receipt.flat
    assert "About your letter" in receipt.text and sentence in receipt.flat


def test_an_order_in_the_subject_is_told_where_it_belongs(match: World) -> None:
    receipt = sent(match, "\n\n", "Re: [nw1] RESEARCH any")
    assert "Your subject reads like an order, and I do not read subjects" in receipt.flat
    assert "your letter was empty" not in receipt.flat
    assert "your letter was empty" in sent(match, "\n\n", "Re: [nw1] Turn 1: England").flat


def test_a_photograph_beside_an_order_does_not_matter(match: World) -> None:
    """Eight megabytes, before the order and after it."""
    photo = base64.encodebytes(b"\xff\xd8\xff" + bytes(range(256)) * 24_000).decode()
    picture = f"Content-Type: image/jpeg; name=IMG_1.jpg\nContent-Transfer-Encoding: base64\n\n{photo}"
    for parts in ((picture, "\nHIRE 1 worker\n"), ("\nHIRE 1 worker\n", picture)):
        receipt = sent(match, mixed(*parts))
        assert "COMPLETE: your orders stand" in receipt.flat
        assert "IMG_1.jpg came with your letter and was not looked at" in receipt.flat
        assert match.drawer(match.waits_for(), "orders") == ["HIRE 1 worker"]


def test_a_letter_larger_than_the_way_in_takes_is_told_the_true_limit(match: World) -> None:
    player = match.on_turn()
    to = match.last(player).reply_to
    match.put(b"X-Referee-Letter-Size: 12582912\r\nFrom: %s\r\n\r\n" % player.encode(), player, to)
    (answer,) = match.work()
    assert "Your letter has 12.0 MB and I take letters of up to 10 MB" in answer.flat


def test_an_attached_letter_counts_only_if_it_is_his(match: World) -> None:
    player = match.on_turn()
    for writer, filed in (("otto@players.example", []), (player.upper(), ["HIRE 1 worker"])):
        attached = f"Content-Type: message/rfc822\n\nFrom: Me <{writer}>\n\nHIRE 1 worker\n"
        sent(match, mixed(attached))
        assert match.drawer(match.waits_for(), "orders") == filed
        sent(match, f"Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: {writer}\n\nRAISE 1 army\n--b--\n")
    assert match.drawer(match.waits_for(), "orders") == ["RAISE 1 army"]


def test_lines_that_are_known_to_be_no_orders_do_not_count(match: World) -> None:
    """Quotes, bars, notes to oneself and press beside one order."""
    press = "line of press\n" * 700
    noise = "> RESEARCH any\n| HIRE 1 worker\n# a note\n" * 800
    player = match.on_turn()
    match.reply(player, f"HIRE 1 worker\n{noise}PRESS TO game master\n{press}END\n")
    assert "Your orders stand" in match.last(player, "receipt").flat
