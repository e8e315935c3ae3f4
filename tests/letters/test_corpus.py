"""The same orders as many mail programs send them: each letter of the corpus comes to what its neighbour file says."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.mail import read
from tests.letters.reading import Said, said

CORPUS = Path(__file__).parent / "corpus"
LETTERS = sorted(path.stem for path in CORPUS.glob("*.eml"))
KEYS = {"about", "sender", "automatic", "orders", "refused", "ignored"}
MORE = {"attachments", "desk", "senders", "subject", "message_id"}


def letter(name: str) -> bytes:
    return (CORPUS / f"{name}.eml").read_bytes()


def expected(name: str) -> dict[str, Any]:
    return tomllib.loads((CORPUS / f"{name}.toml").read_text(encoding="utf-8"))


def outcome(came: Said) -> dict[str, Any]:
    """What a neighbour file may say of a letter."""
    return {
        "sender": came.letter.sender,
        "automatic": bool(came.letter.automatic),
        "orders": list(came.orders),
        "refused": list(came.refused),
        "ignored": list(came.ignored),
        "attachments": list(came.letter.attachments),
        "desk": list(came.desk),
        "senders": came.letter.from_count,
        "subject": came.letter.subject,
        "message_id": came.letter.message_id,
    }


def test_every_letter_has_its_expected_result_and_every_result_its_letter() -> None:
    assert sorted(path.stem for path in CORPUS.glob("*.toml")) == LETTERS
    assert len(LETTERS) > 120
    for name in LETTERS:
        told = expected(name)
        assert KEYS <= set(told) <= KEYS | MORE, name
        assert told["about"].endswith("."), name


@pytest.mark.parametrize("name", LETTERS)
def test_the_letter_comes_to_what_is_expected(name: str) -> None:
    told = {"attachments": [], "desk": []} | expected(name)
    came = outcome(said(letter(name)))
    assert {key: came[key] for key in told if key != "about"} == {key: told[key] for key in told if key != "about"}


def unaccounted(came: Said) -> list[str]:
    """Lines of which nobody is told what came of them; comments and END say nothing that could be lost."""
    lines = enumerate(came.letter.text.split("\n"), 1)
    silent = [line.strip() for number, line in lines if line.strip() and number not in came.numbers]
    return [line for line in silent if not line.startswith("#") and line.upper() != "END"]


@pytest.mark.parametrize("name", LETTERS)
def test_no_line_is_dropped_unseen(name: str) -> None:
    """But for the second line of an order that a backslash continues: it is part of the first."""
    missing = unaccounted(said(letter(name)))
    assert missing == (["KEEPING 2 gold"] if name == "continuation" else [])


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("name", [name for name in LETTERS if "utf-16" not in name])
def test_line_ends_make_no_difference(name: str, end: bytes) -> None:
    raw = letter(name).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert said(raw.replace(b"\n", end)).orders == said(letter(name)).orders


@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_cut_off_anywhere_is_read_as_far_as_it_goes(name: str) -> None:
    """A connection may break after any byte, and disks fill up: what is left never raises and is never another order."""
    raw = letter(name)
    whole = set(said(raw).orders)
    for size in range(0, len(raw), max(1, len(raw) // 12)):
        cut = read(raw[:size])
        assert cut.size == size
        assert not whole or len(said(raw[:size]).reading.mistakes) < 40
