"""What trusted mail servers say, and keys in a text: believed of the one From alone, and kept as nobody can read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.reading.sender import Keys, authentication, from_as_written, hash_key, is_key, take_keys

OURS = {"mx.games.example"}
PASS = "mx.games.example; dmarc=pass header.from=players.example"


def letter(*results: str, sender: str = "Anna <anna@players.example>") -> bytes:
    fields = [f"Authentication-Results: {result}" for result in results]
    return "\r\n".join([*fields, f"From: {sender}", "Subject: orders", "", "MOVE", ""]).encode()


def verdict(*results: str, sender: str = "Anna <anna@players.example>") -> str:
    return authentication(letter(*results, sender=sender), OURS).verdict


def test_dmarc_passed_for_the_domain_of_from() -> None:
    assert verdict(PASS) == "proven"


def test_a_field_by_nobody_does_not_hide_the_next() -> None:
    assert verdict("dmarc=pass header.from=players.example", PASS) == "proven"


def test_capitals_and_comments_do_not_matter() -> None:
    assert verdict("MX.Games.Example 1; dmarc=PASS (p=reject) header.from=Players.Example") == "proven"


@pytest.mark.parametrize("signer", ["players.example", "example.players.example"])
def test_dkim_passed_for_the_domain_or_for_a_parent(signer: str) -> None:
    sender = f"anna@{'x.' if signer == 'players.example' else ''}{signer}"
    assert verdict(f"mx.games.example; dkim=pass header.d={signer}", sender=sender) == "proven"


@pytest.mark.parametrize(
    "result",
    [
        "mx.games.example; spf=pass smtp.mailfrom=players.example",
        "mx.games.example; none",
        "mx.games.example; dkim=pass header.d=evil.example",
        "mx.games.example; dkim=pass header.d=example",
        "mx.games.example; dkim=pass header.d=sub.players.example",
        "mx.games.example; dkim=pass header.d=ayers.example",
        "mx.games.example; dkim=pass",
        "mx.games.example; dmarc=pass",
        "mx.games.example; dmarc=pass header.from=evil.example",
        "mx.games.example; dmarc=none header.from=players.example",
        "mx.games.example; dmarc=temperror header.from=players.example; dkim=pass header.d=players.example",
        "mx.games.example; dkim=pass header.d=players.example; dkim=fail header.d=players.example",
        "mx.evil.example; dmarc=pass header.from=players.example",
        "mx.games.example.evil.example; dmarc=pass header.from=players.example",
        "dmarc=pass header.from=players.example",
        "mx.games.example; dmarc=pass header.from=players.example; dmarc=none header.from=players.example",
        'mx.games.example; spf=pass smtp.mailfrom="a; dmarc=pass header.from=players.example"@evil.example',
        "mx.games.example; spf=pass (a (b) dmarc=pass header.from=players.example) smtp.mailfrom=evil.example",
        "mx.games.example; spf=pass smtp.mailfrom=evil.example (; dmarc=pass header.from=players.example",
        "",
        ";;;",
    ],
)
def test_anything_less_proves_nothing(result: str) -> None:
    assert verdict(result) == "unproven"


def test_the_words_of_a_server_nobody_trusts_count_for_nothing() -> None:
    assert authentication(letter(PASS), ()).verdict == "unproven"
    assert verdict(PASS.replace("mx.", "mx2.")) == "unproven"


def test_a_dmarc_failure_is_a_forgery_whatever_else_passed() -> None:
    failed = "mx.games.example; dmarc=fail header.from=players.example"
    assert verdict(failed) == verdict(failed, PASS) == verdict(PASS, failed) == "forged"
    assert verdict(f"{failed}; dkim=pass header.d=players.example") == "forged"
    assert verdict("mx.games.example; dmarc=fail") == "forged"


def test_a_field_forged_by_the_sender_does_not_outweigh_ours() -> None:
    assert verdict("mx.games.example; dmarc=none header.from=players.example", PASS) == "unproven"


@pytest.mark.parametrize(
    "sender",
    ["anna@players.example, eve@players.example", "", "anna", "anna@players.example\r\nFrom: eve@players.example"],
)
def test_from_must_name_one_mailbox(sender: str) -> None:
    assert verdict(PASS, sender=sender) == "unproven"


def test_a_folded_field_is_read_whole() -> None:
    assert (
        verdict("mx.games.example;\r\n\tspf=pass smtp.mailfrom=x.example;\r\n dmarc=pass header.from=players.example")
        == "proven"
    )


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=120))
def test_no_field_raises(text: str) -> None:
    assert verdict(f"mx.games.example; {text}") in ("proven", "forged", "unproven")
    assert verdict(text) in ("proven", "forged", "unproven")


@given(st.binary(max_size=300))
def test_no_bytes_raise(raw: bytes) -> None:
    assert authentication(raw, OURS).verdict == "unproven"


# ---------------------------------------------------------------- keys


SALT = bytes(range(16))


def test_a_key_on_a_line_of_its_own_is_taken_out() -> None:
    assert take_keys("BUILD fleet\nKEY sesame-42\nROLL OUT") == Keys("BUILD fleet\n\nROLL OUT", "sesame-42")


@pytest.mark.parametrize("line", ["key sesame", "  Key:  sesame  ", "KEY = sesame", "KEY\tsesame;"])
def test_a_key_as_people_write_it(line: str) -> None:
    assert take_keys(line).given.strip(";") == "sesame"


def test_setting_a_key_is_taken_out_too() -> None:
    assert take_keys("SET key open-sesame\n") == Keys("\n", "", "open-sesame")


def test_a_quoted_key_is_emptied_and_counts_for_nothing() -> None:
    assert take_keys("> KEY sesame\n>> SET KEY sesame") == Keys(">\n>>")


@pytest.mark.parametrize("line", ["The KEY sesame", "KEY", "KEY one two", "KEYS sesame", "SET keyboard sesame"])
def test_other_lines_stay(line: str) -> None:
    assert take_keys(line) == Keys(line)


@given(st.text(max_size=200))
def test_lines_are_never_lost(text: str) -> None:
    assert take_keys(text).text.count("\n") == text.count("\n")


def test_a_key_is_known_again_and_no_other_passes() -> None:
    kept = hash_key("open-sesame", SALT)
    assert is_key("open-sesame", kept)
    assert not is_key("Open-sesame", kept) and not is_key("", kept)
    assert "sesame" not in kept


def test_a_key_that_was_kept_years_ago_is_known() -> None:
    cost, digest = "scrypt$14$8$1", "ab7b5eb3f3fba98219454f7349b927703f94e125ff72589956627005b6fe6881"
    assert hash_key("open-sesame", SALT) == f"{cost}${SALT.hex()}${digest}"


def test_one_key_is_kept_differently_for_two_people() -> None:
    assert hash_key("open-sesame", SALT) != hash_key("open-sesame", SALT[::-1])


def test_what_was_not_kept_by_us_is_refused() -> None:
    with pytest.raises(ValueError, match="no way in which keys are kept"):
        is_key("x", "md5$1$1$1$00$00")


def test_from_is_shown_as_it_was_written_and_cut_when_it_is_long() -> None:
    assert from_as_written(letter()) == "Anna <anna@players.example>"
    assert from_as_written(letter(sender=f"{'A' * 400} <anna@players.example>")) == f"{'A' * 300}"
    assert from_as_written(letter(sender=f"{'A' * 290}\r\nFrom: {'B' * 290}")) == f"{'A' * 290}, {'B' * 8} ..."
