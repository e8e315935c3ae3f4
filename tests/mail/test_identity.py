"""What trusted mail servers say: believed only from them, only for the one From, and never in doubt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.reading.identity import authentication

OURS = {"mx.games.example"}
PASS = "mx.games.example; dmarc=pass header.from=players.example"


def letter(*results: str, sender: str = "Anna <anna@players.example>") -> bytes:
    fields = [f"Authentication-Results: {result}" for result in results]
    return "\r\n".join([*fields, f"From: {sender}", "Subject: orders", "", "MOVE", ""]).encode()


def verdict(*results: str, sender: str = "Anna <anna@players.example>") -> str:
    return authentication(letter(*results, sender=sender), OURS).verdict


def test_dmarc_passed_for_the_domain_of_from() -> None:
    assert verdict(PASS) == "proven"


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
