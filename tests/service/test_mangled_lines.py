"""What mail programs and people do to lines on the way: undone where an order comes out whole, else offered or told."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage

import pytest

from referee.core.names import Seat
from referee.core.order import Vocabulary
from referee.games import game_named
from referee.orders import Reading, Sentence, read
from referee.service.intake.mangled_lines import undone
from tests.letters.reading import Said, said
from tests.mail_programs import as_text, gmail_reply, outlook_reply
from tests.world import Mail, World

HEAD = b"From: Anna <anna@players.example>\r\nTo: referee@games.example\r\nMIME-Version: 1.0\r\n"
PLAIN, FLOWED, HTML = (
    "text/plain; charset=utf-8",
    "text/plain; charset=utf-8; format=flowed",
    "text/html; charset=utf-8",
)
LONG = "RESEARCH Farming, Law, Finance, Forestry, Science, Mining, Sea Power, any KEEPING 2 gold"


def letter(body: str, kind: str = PLAIN, encoding: str = "8bit") -> Said:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return said(HEAD + head.encode() + body.encode())


def both(plain: str, html: str, kind: str = PLAIN) -> Said:
    parts = "".join(f"--x\r\nContent-Type: {k}\r\n\r\n{text}\r\n" for k, text in ((kind, plain), (HTML, html)))
    return said(HEAD + f"Content-Type: multipart/alternative; boundary=x\r\n\r\n{parts}--x--\r\n".encode())


# ---------------------------------------------------------------- marks


MARKS = [
    "- {}", "* {}", "+ {}", "\u2013 {}", "\u2014 {}", "• {}", "•{}", "· {}", "◦ {}", "▪ {}", "■ {}", "► {}", "→ {}",
    "1. {}", "1) {}", "(1) {}", "12. {}", "1.1. {}", "1.{}", "1: {}", "1 - {}", "a) {}", "(b) {}", "a. {}", "iv. {}", "II) {}",
    "☐ {}", "☑ {}", "✓ {}", "[ ] {}", "[x] {}", "- [ ] {}", "- [x] {}", "1️⃣ {}", "👉 {}",
    "o\xa0\xa0 {}", "§\xa0 {}", "·\xa0\xa0\xa0\xa0 {}", "Ø\xa0 {}", "ü\xa0 {}",
    "{} ✓", "{} ✔", "{} ✅", "{} 👍", "{} [x]", "{},", "{} -", "- {} ✓", "1. {},",
    "*{}*", "**{}**", "_{}_", "__{}__", "`{}`", "~{}~", "- *{}*", "*1. {}*", "* *{}*",
    "{} <https://club.example/order>", "   {}", "\t- {}",
]  # fmt: skip


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_before_behind_or_around_an_order_is_none_of_its_words(mark: str) -> None:
    orders = ["RESEARCH any KEEPING 2 gold", "HIRE 1 worker", "COLONIZE any"]
    came = letter("\r\n".join(mark.format(order) for order in orders))
    assert came.orders == tuple(orders) and not came.refused


def test_bold_words_inside_an_order_and_marks_in_a_block() -> None:
    assert letter("*HIRE* 1 worker\r\nRESEARCH *any*").orders == ("HIRE 1 worker", "RESEARCH any")
    assert letter("RESEARCH *").orders == ("RESEARCH any",)
    block = "1. IF ROUND >= 2\r\n2. HIRE 1 worker\r\n3. END\r\n4. COLONIZE any"
    assert letter(block).orders == ("round >= 2", "HIRE 1 worker", "COLONIZE any")


def test_what_word_makes_of_a_list() -> None:
    item = (
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>{}"
        "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>{}<o:p></o:p></p>"
    )
    for mark in ("·", "1.", "o", "a)", "§"):
        came = letter(item.format(mark, "HIRE 1 worker") + item.format(mark, "COLONIZE any"), HTML)
        assert came.orders == ("HIRE 1 worker", "COLONIZE any")


def test_a_bare_number_stays_and_a_slip_behind_a_mark_is_offered() -> None:
    assert letter("3 worker").orders == ()
    (mistake,) = letter("- HIER 1 worker").reading.mistakes
    assert mistake.refusal.instead == ("HIRE 1 worker",)


PROSE = [
    "- how are you?", "* let me know when to begin", "1. we meet at noon", "- worker hired yesterday", "*thanks*", "[x] done",
    "• see you", "1) I will be away", "_Anna_", "- bye", "- if you can, tell me more",
    "Dear referee,\r\nI could not\r\nbe here yesterday", "The 2 workers\r\nare fine",
]  # fmt: skip


@pytest.mark.parametrize("prose", PROSE)
def test_prose_becomes_no_order(prose: str) -> None:
    came = letter(f"HIRE 1 worker\r\n\r\n{prose}")
    assert came.orders == ("HIRE 1 worker",)
    assert letter(prose).orders == () == letter(prose).desk


LINKS = [
    "{0}<mailto:{0}>", "{0} <mailto:{0}>", "{0}[mailto:{0}]", "mailto:{0}", "<mailto:{0}>{0}", "{0}<MAILTO:{0}?subject=x>",
]  # fmt: skip


@pytest.mark.parametrize("link", LINKS)
def test_an_address_that_a_program_made_a_link(link: str) -> None:
    (told,) = letter(f"SET address {link.format('carla@players.example')}").desk
    assert told.replace('"', "") == "SET address carla@players.example"


# ---------------------------------------------------------------- line ends


ORDERS = ("RESEARCH any KEEPING 2 gold", "HIRE 1 worker", "COLONIZE any")


@pytest.mark.parametrize(
    "body, kind",
    [
        (" \r\n".join(ORDERS), FLOWED),
        (" \r\n".join(ORDERS) + " \r\n\r\n-- \r\nAnna", FLOWED),
        (" \r\n".join(ORDERS), f"{FLOWED}; delsp=yes"),
        (" \r\n".join((*ORDERS, "> quoted")), FLOWED),
        (" \r\n".join(f"- {order}" for order in ORDERS), FLOWED),
        (" ;".join(ORDERS) + " ;", PLAIN),
        ("; ".join(ORDERS).replace(" ", "+"), PLAIN),
        (" ;\r\n".join(ORDERS).replace(" ", "+"), PLAIN),
        ("%0D%0A".join(ORDERS).replace(" ", "%20"), PLAIN),
        ("<br>".join(ORDERS), PLAIN),
        ("<p>" + "</p><p>".join(ORDERS) + "</p>", PLAIN),
        ("<div>" + "</div>\r\n<div>".join(ORDERS).replace(" ", "&nbsp;") + "</div>", PLAIN),
        ('<div style="white-space: pre-wrap">' + "\r\n".join(ORDERS) + "</div>", HTML),
        ('<p style="white-space:pre-line"><b>' + "\n".join(ORDERS) + "</b></p>", HTML),
        ('<div style="white-space-collapse: preserve;"><span>' + "\n".join(ORDERS) + "</span></div>", HTML),
        ("<style>.t {white-space: pre-wrap}</style><div class=t>" + "\n".join(ORDERS) + "</div>", HTML),
        ("<xmp>" + "\n".join(ORDERS) + "</xmp>", HTML),
        ("<pre><div><div><div><div><div><p>" + "\n".join(ORDERS) + "</p></div></div></div></div></div></pre>", HTML),
    ],
)  # fmt: skip
def test_line_ends_that_were_lost_on_the_way(body: str, kind: str) -> None:
    came = letter(body, kind)
    assert came.orders == ORDERS and not came.refused


def test_what_is_shown_without_line_ends_has_none() -> None:
    html = '<div style="white-space: pre">HIRE<p style="white-space: normal">HIRE 1\nworker</p></div>'
    assert "HIRE 1 worker" in letter(html, HTML).orders


@pytest.mark.parametrize("joint", [" ", "  ", ", ", " and ", "<br>"])
def test_html_knows_the_lines_that_plain_text_lost(joint: str) -> None:
    html = "".join(f"<div>{order}</div>" for order in ORDERS)
    came = both(joint.join(ORDERS), html)
    if joint.strip() in ("", "<br>"):
        assert came.orders == ORDERS and not came.refused
    else:
        (mistake,) = came.reading.mistakes
        assert mistake.refusal.instead == ("; ".join(ORDERS),)


@pytest.mark.parametrize(
    "line, offered",
    [
        ("HIRE 1 worker COLONIZE any", "HIRE 1 worker; COLONIZE any"),
        ("RESEARCH any KEEPING 2 gold HIRE 1 worker", "RESEARCH any KEEPING 2 gold; HIRE 1 worker"),
        ("HIRE 1 worker, COLONIZE any", "HIRE 1 worker; COLONIZE any"),
        ("HIRE 1 worker and then COLONIZE any", ""),
        ("HIRE 1 worker then COLONIZE any", "HIRE 1 worker; COLONIZE any"),
        ("HIRE+1+worker+COLONIZE+any", "HIRE 1 worker; COLONIZE any"),
        ("HIRE 1 worker COLONIZE any ROLL OUT", "HIRE 1 worker; COLONIZE any; ROLL OUT"),
    ],
)
def test_one_line_that_parts_at_its_verbs_is_offered_and_not_taken(line: str, offered: str) -> None:
    came = letter(line)
    assert came.orders == ()
    assert (";" in "".join(came.reading.mistakes[0].refusal.instead)) == bool(offered)
    if offered:
        assert came.reading.mistakes[0].refusal.instead == (offered,)


WRAPS = [58, 66, 72, 76, 80]


@pytest.mark.parametrize("at", WRAPS)
def test_a_long_order_that_was_wrapped_is_read_whole(at: int) -> None:
    cut = LONG.rindex(" ", 0, at)
    for first, rest in ((LONG[:cut], LONG[cut + 1 :]), (LONG[: LONG.index("KEEPING") - 1], "KEEPING 2 gold")):
        came = letter(f"HIRE 1 worker\r\n{first}\r\n{rest}\r\nCOLONIZE any\r\n\r\nRegards,\r\nAnna")
        assert came.orders == ("HIRE 1 worker", LONG, "COLONIZE any") and not came.refused


def test_an_order_over_four_lines_and_one_behind_a_mark() -> None:
    words = LONG.split()
    rows = "\r\n".join(" ".join(words[at : at + 4]) for at in range(0, len(words), 4))
    assert letter(rows).orders == letter(f"- {rows}").orders == (LONG,)


def test_half_an_order_does_not_stand_where_the_html_or_its_offer_has_it_whole() -> None:
    first, rest = LONG[: LONG.index("Power") - 1], LONG[LONG.index("Power") :].replace("Power", "Pwoer")
    for came in (letter(f"{first}\r\n{rest}"), both(f"{first}\r\n{rest}", f"<div>{first} {rest}</div>")):
        assert came.orders == ()
        assert came.reading.mistakes[0].refusal.instead == (LONG,)


@pytest.mark.parametrize("below", ["Regards, Anna", "Thanks", "Power to the people!", "Anna", "I will write again"])
def test_what_stands_below_an_order_is_not_drawn_into_it(below: str) -> None:
    assert letter(f"RESEARCH Law\r\n{below}").orders == ("RESEARCH Law",)
    assert letter(f"SET zone Europe/Berlin\r\n{below}").desk == letter("SET zone Europe/Berlin").desk


# ---------------------------------------------------------------- what mail programs add


@pytest.mark.parametrize(
    "encoding", ["base64 ", "base64;", "base64 (RFC 2045)", "BASE64 charset=utf-8", '"base64"', "base-64"]
)
def test_an_encoding_with_something_behind_its_name(encoding: str) -> None:
    assert letter("SElSRSAxIHdvcmtlcg==", encoding=encoding).orders == ("HIRE 1 worker",)
    quoted = encoding.lower().replace("base64", "quoted-printable").replace("base-64", "quoted printable")
    assert letter("HIRE=201 work=\r\ner", encoding=quoted).orders == ("HIRE 1 worker",)


HEADERS = [
    "In a message dated 11/22/2026 6:00:00 PM Central Standard Time,\r\nreferee@games.example writes:",
    "In einer eMail vom 22.11.2026 18:00:00 Westeuropäische Normalzeit\r\nschreibt referee@games.example:",
    "In a message dated 22/11/2026\r\n18:00:00 GMT,\r\nreferee@games.example writes:",
    "Referee <referee@games.example> wrote on\r\n22 Nov 2026 18:00:",
    "On Sun, 22 Nov 2026 at 18:00,\r\nreferee@games.example wrote:",
    "Dans un courriel daté du 22/11/2026 18:00:00 Paris,\r\nreferee@games.example a écrit :",
    "22.11.2026 klo 18.00 2026\r\nreferee@games.example kirjoitti:",
]  # fmt: skip


@pytest.mark.parametrize("header", HEADERS)
def test_below_a_header_that_is_broken_nothing_is_read(header: str) -> None:
    came = letter(f"HIRE 1 worker\r\n\r\n{header}\r\n\r\nCOLONIZE any\r\nRESEARCH Law\r\n")
    assert came.orders == ("HIRE 1 worker",)


@pytest.mark.parametrize(
    "header",
    [
        "Referee wrote in\r\n <20261122180000.ab12@games.example>:",
        "Referee via games wrote in\r\n <report.1@games.example>:",
        "Referee <referee@games.example> wrote in\r\n <20261122180000.ab12@games.example>:",
        "Referee <referee@games.example> wrote in <report.1@games.example>:",
        "Referee schrieb in\r\n\t<report-1@games.example>:",
    ],
)
@pytest.mark.parametrize("sign", ["|", ">"])
def test_orders_below_lines_that_are_quoted_with_a_sign_are_read(header: str, sign: str) -> None:
    came = letter(
        f"HIRE 1 worker\r\n{header}\r\n {sign}Turn 1\r\n {sign}\r\n {sign}RESEARCH Law\r\n\r\nCOLONIZE any\r\n"
    )
    assert came.orders == ("HIRE 1 worker", "COLONIZE any") and not came.refused


# ---------------------------------------------------------------- at the desk


def answer(match: World, body: str, html: str = "", **kind: str) -> Mail:
    """The receipt of a reply of who is on turn."""
    player = match.on_turn()
    last = match.last(player)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = player, last.reply_to, "Re: orders"
    message["Message-ID"] = f"<{abs(hash((body, html)))}.{len(match.all_mail())}@players.example>"
    message["Date"] = match.clock.now()
    message["In-Reply-To"] = last.message_id
    message.set_content(body, params=kind or None)
    if html:
        message.add_alternative(html, subtype="html")
    match.put(message.as_bytes(), player, last.reply_to)
    return next(mail for mail in match.work() if mail.to == player)


OVER = [
    ("RESEARCH any KEEPING 2 gold\n--\nHIRE 1 worker\n--\nCOLONIZE any", ["HIRE 1 worker", "COLONIZE any"]),
    ("RESEARCH any KEEPING 2 gold\n-- \nAnna\nHIRE 1 worker", ["HIRE 1 worker"]),
    ("RESEARCH any KEEPING 2 gold\n  | HIRE 1 worker\nCOLONIZE any", ["HIRE 1 worker"]),
    ("RESEARCH any KEEPING 2 gold\n\n| - HIRE 1 worker", ["HIRE 1 worker"]),
    ("RESEARCH any KEEPING 2 gold\n\n> HIRE 1 worker KEEPING 2 food", ["HIRE 1 worker KEEPING 2 food"]),
    ("RESEARCH any KEEPING 2 gold\n\n>> - BUY 1 cloth", ["BUY 1 cloth"]),
    ("RESEARCH any KEEPING 2 gold\n\nOn Sunday 18:00 Ben <ben@players.example> wrote:\nBUY 1 cloth", ["BUY 1 cloth"]),
    ("RESEARCH any KEEPING 2 gold\nEND\nHIRE 1 worker\nsee you", ["HIRE 1 worker"]),
    ("RESEARCH any KEEPING 2 gold\n\n____________________\nclub mailing list\nHIRE 1 worker\nhttps://club.example/unsubscribe",
     ["HIRE 1 worker"]),
]  # fmt: skip


@pytest.mark.parametrize("body, lines", OVER)
def test_orders_that_were_passed_over_forbid_complete_are_told_first_and_taken_by_yes(
    match: World, body: str, lines: list[str]
) -> None:
    receipt = answer(match, body)
    assert receipt.subject.startswith("[nw1] LOOK AGAIN") and receipt.text.startswith("LOOK AGAIN: ")
    assert re.match(r"LOOK AGAIN: \d lines? reads? like", receipt.flat)
    below = receipt.flat.rpartition("Not read")[2]
    assert below.index("it reads as an order") < below.index(lines[0])
    before = match.drawer(match.waits_for(), "orders")
    assert not set(lines) & set(before)
    match.reply(match.on_turn(), "YES")
    assert set(match.drawer(match.waits_for(), "orders")) == {*before, *lines}


def test_a_roll_out_does_not_run_past_orders_that_were_passed_over(match: World) -> None:
    seat = match.waits_for()
    receipt = answer(match, "RESEARCH any\nROLL OUT\n--\nHIRE 1 worker")
    assert match.waits_for() == seat and "were passed over, so your turn waits for you" in receipt.flat


def test_a_quoted_sheet_that_was_filled_in_is_told_and_offered(match: World) -> None:
    quoted = re.sub("^RESEARCH .*", "RESEARCH any KEEPING 3 gold", match.last(match.on_turn()).text, flags=re.MULTILINE)
    body = "Here is my sheet:\n\n" + "\n".join(f"> {line}" for line in quoted.splitlines())
    receipt = answer(match, body)
    assert "1 line reads like an order and could not be taken" in receipt.flat
    match.reply(match.on_turn(), "YES")
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any KEEPING 3 gold"]


@pytest.mark.parametrize("sign", ["> ", ">", ">> ", "| ", ""])
@pytest.mark.parametrize("kind", ["turn", "receipt"])
def test_who_quotes_what_we_sent_has_written_nothing_by_it(match: World, sign: str, kind: str) -> None:
    if kind == "receipt":
        answer(match, "RESEARCH any\nHIRE 1 worker")
    quoted = match.last(match.on_turn()).text
    head = "On Sun, 22 Nov 2026 at 18:00, Referee <referee@games.example> wrote:"
    below = "\n".join(f"{sign}{line}" for line in quoted.splitlines())
    receipt = answer(match, f"RESEARCH any KEEPING 2 gold\n\n-- \nAnna\n\n{head}\n\n{below}")
    assert receipt.subject.startswith("[nw1] COMPLETE"), receipt.text


def test_whoever_says_yes_below_a_letter_of_which_nothing_was_usable_may_quote_all_of_it(match: World) -> None:
    """That letter is a receipt whose kind is "refusal"; the correction that stands behind its bar is ours."""
    refused = answer(match, "RESERCH any KEEPING 2 gold")
    assert "NOTHING USABLE" in refused.subject
    quoted = "\n".join(f"> {line}" for line in refused.text.splitlines())
    assert answer(match, f"YES\n\n{quoted}").subject.startswith("[nw1] COMPLETE")


def test_lines_of_ours_that_a_program_broke_anew_are_still_ours(match: World) -> None:
    first = answer(match, f"{LONG}\nCOLONIZE any")
    assert "COMPLETE" in first.subject
    rows = (row.replace("|", " ").strip() for row in match.last(match.on_turn()).text.splitlines())
    quoted = "\n".join(f"> {part}" for row in rows for part in textwrap.wrap(row, 66) or [""])
    assert "> RESEARCH Farming, Law, Finance, Forestry" in quoted
    assert answer(match, f"COLONIZE any\n\n{quoted}").subject.startswith("[nw1] COMPLETE")


@pytest.mark.parametrize("plain", [False, True], ids=["html alone", "with text"])
@pytest.mark.parametrize("program", [gmail_reply, outlook_reply])
def test_the_words_of_our_letters_are_ours_as_mail_programs_make_text_of_them(
    match: World, program: Callable[..., EmailMessage], plain: bool
) -> None:
    """Buttons among them, which the plain form of our letter has not: several on a line, each with its link, its seat's symbol."""
    player = match.on_turn()

    def replied(to: Mail, written: str) -> Mail:
        letter = program(written, to.html, plain)
        letter["From"], letter["To"], letter["Subject"] = player, to.reply_to, f"Re: {to.subject}"
        letter["Message-ID"], letter["In-Reply-To"] = f"<{len(match.all_mail())}@players.example>", to.message_id
        letter["Date"] = match.clock.now()
        match.put(letter.as_bytes(), player, to.reply_to)
        return next(mail for mail in match.work() if mail.to == player)

    begun = match.last(player, "started")
    assert "PRESS TO" in as_text(begun.html) and "PRESS TO" not in begun.text
    asked = replied(begun, "What do I owe now?")
    assert "SEND report" in as_text(asked.html), asked.text
    pressed = replied(asked, f"PRESS TO {match.waits_for()}\nPeace?\nEND\nRESEARCH any KEEPING 2 gold\nWAIT")
    assert "Reply with just YES" not in pressed.flat, pressed.text
    missed = replied(pressed, "RESEARCH any\n-- \nCOLONIZE any")
    assert "ROLL OUT" in as_text(missed.html) and "LOOK AGAIN" in missed.subject
    taken = replied(missed, "HIRE 1 worker")
    assert taken.subject.startswith("[nw1] COMPLETE"), taken.text
    gone = replied(taken, "ROLL OUT")
    assert "reads as an order" not in gone.flat and match.on_turn() != player, gone.text


def test_orders_and_a_yes_below_a_quote_that_is_indented_by_tabs_are_read(match: World) -> None:
    """The default of s-nail; a rule and a link at the foot of the quoted letter are no footer of a mailing list."""

    def below(written: str) -> str:
        quoted = "\n".join(f"\t{line}" for line in match.last(match.on_turn()).text.splitlines())
        return f"Club Referee <referee@games.example> wrote:\n\n{quoted}\n{written}\n"

    match.office = replace(match.office, site="https://games.example")
    match.reply(match.on_turn(), "STATUS")
    assert "https://" in match.last(match.on_turn()).text.rpartition("-" * 72)[2]
    assert answer(match, below("RESEARCH any\nHIRE 1 worker")).subject.startswith("[nw1] COMPLETE")
    assert "] INCOMPLETE" in answer(match, below("RESERCH any KEEPING 2 gold\nHIRE 1 worker")).subject
    assert answer(match, below("YES")).subject.startswith("[nw1] COMPLETE")
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any KEEPING 2 gold", "HIRE 1 worker"]


def test_a_line_of_lost_ends_is_offered_and_a_yes_takes_its_orders(match: World) -> None:
    receipt = answer(match, "RESEARCH any KEEPING 2 gold HIRE 1 worker")
    assert "It has 2 orders, and each stands on a line of its own" in receipt.flat
    match.reply(match.on_turn(), "YES")
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any KEEPING 2 gold", "HIRE 1 worker"]


def test_joined_and_parted_lines_are_shown(match: World) -> None:
    cut = LONG.index("Power")
    receipt = answer(match, f"{LONG[: cut - 1]}\n{LONG[cut:]}\nHIRE 1 worker")
    assert match.drawer(match.waits_for(), "orders") == [LONG, "HIRE 1 worker"]
    assert "Lines 1 to 2 were read as one order, which was broken on the way" in receipt.flat
    receipt = answer(match, "RESEARCH any \nHIRE 1 worker \n", format="flowed")
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any", "HIRE 1 worker"]
    assert "Line 1 was read as 2 orders" in receipt.flat


def test_marked_lines_are_complete_and_a_bold_yes_is_one(match: World) -> None:
    assert answer(match, "1. RESEARCH any\n2. HIRE 1 worker").subject.startswith("[nw1] COMPLETE")
    answer(match, "RESERCH any KEEPING 2 gold")
    assert answer(match, "*YES*").subject.startswith("[nw1] COMPLETE")
    assert match.drawer(match.waits_for(), "orders")[0] == "RESEARCH any KEEPING 2 gold"


PRESS = [
    "Dear France,\n--\nlet us meet.",
    "One.\n-- \nTwo.\n--\nThree.",
    "--\nfirst",
    "If you agree,\n--\nwrite back.",
    "> you said so\n--\nand I agree",
]  # fmt: skip


@pytest.mark.parametrize("said", PRESS)
def test_no_line_inside_a_block_is_a_signature(match: World, said: str) -> None:
    player, other = match.on_turn(), next(s for s in match.playing().created.seats if s != match.waits_for())
    mails = match.reply(player, f"RESEARCH any\nPRESS TO {other}\n{said}\nEND\nHIRE 1 worker\n\n-- \nAnna")
    (press,) = [mail for mail in mails if mail.kind == "press"]
    assert all(line.lstrip("> ") in press.flat for line in said.split("\n") if not line.startswith(">"))
    assert "Anna Arrow" not in press.flat
    assert match.drawer(match.waits_for(), "orders") == ["RESEARCH any", "HIRE 1 worker"]


def test_at_the_door_marks_are_undone_as_well(world: World) -> None:
    (answer,) = world.write("olga@players.example", "- *GAMES*")
    assert "Not taken" not in answer.text and "New World" in answer.text


_EMPIRE = game_named("empire").vocabulary(game_named("empire").setup((Seat("Arcadia"), Seat("Borealis")), {}))


@pytest.mark.parametrize(
    "order",
    [
        'PLACE CAPITAL c12r7, c14r8 NAMED "Rome"',
        "ROLL WIND",
        'PETITION FOR change "Trucks may carry one SAC."',
        "MOVE 2 coolies FROM c3r4 TO c5r4",
    ],
)
def test_in_a_letter_whose_orders_end_with_semicolons_each_is_read_wherever_its_line_was_broken(order: str) -> None:
    """Either half may read as an order by itself."""

    def reads(text: str) -> Reading:
        return read(text, _EMPIRE, Vocabulary((), ()))

    around = "PUMP 2 O FROM c3r4 TO c5r4 ;"
    whole = [node.text for node in reads(f"{around}\n{order} ;\n{around}").sheet if isinstance(node, Sentence)]
    assert len(whole) == 3
    for at in (at for at, sign in enumerate(order) if sign == " "):
        broken = f"{around}\n{order[:at]}\n{order[at + 1 :]} ;\n{around}"
        found = undone(broken, (), reads, lambda: (_EMPIRE,)).reading
        assert [node.text for node in found.sheet if isinstance(node, Sentence)] == whole and not found.mistakes, broken


def test_who_ends_some_orders_so_and_others_by_the_line_is_read_as_he_wrote() -> None:
    def reads(text: str) -> Reading:
        return read(text, _EMPIRE, Vocabulary((), ()))

    body = "ROLL WIND\nROLL OUT ;\nPLUMP 2 O ;"
    found = undone(body, (), reads, lambda: (_EMPIRE,)).reading
    assert [node.text for node in found.sheet if isinstance(node, Sentence)] == ["ROLL WIND", "ROLL OUT"]
