"""What a witness is asked, as it is written and as mail programs leave it, and what it finds of a head."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from referee.adapters.signing_key import SigningKey, verify
from referee.core.hash_tree import Ask, Tree, ask_text, consistency, find, read_ask
from referee.core.signed_note import COSIGNATURE, Checkpoint, Key, is_signed, note, read_keys, read_signatures, signed

LEAVES = [hashlib.sha256(bytes([number])).digest() for number in range(70)]
HOST = SigningKey("referee@club.example", bytes(range(32)))
KEY = Key(HOST.name, HOST.public)


def head(size: int, last: bytes = b"") -> Checkpoint:
    leaves = [*LEAVES[: size - 1], last or LEAVES[size - 1]]
    return Checkpoint("referee@club.example/nw1", size, Tree.of(leaves).root())


def written(old: int, size: int) -> str:
    text = head(size).text()
    return ask_text(old, consistency(LEAVES, old, size), note(text, [signed(text, KEY, HOST.sign)]))


def ask(old: int, size: int) -> Ask:
    found = read_ask(written(old, size))
    assert found is not None
    return found


@pytest.mark.parametrize(("old", "size"), [(0, 1), (0, 70), (1, 2), (7, 64), (64, 65), (33, 70)])
def test_what_is_asked_reads_as_it_is_written(old: int, size: int) -> None:
    found = ask(old, size)
    assert (found.old, found.head, found.proof) == (old, head(size), consistency(LEAVES, old, size))
    assert is_signed(found.note, KEY, verify)


@pytest.mark.parametrize("mark", ["> ", "  | ", "  "])
def test_it_is_found_in_a_letter_that_quotes_it(mark: str) -> None:
    quoted = "\r\n".join(f"{mark}{line}".rstrip() for line in f"Hello,\n\n{written(7, 64)}\nold friends\n".splitlines())
    assert read_ask(quoted) == ask(7, 64)


@pytest.mark.parametrize(
    "changed",
    [
        written(7, 64).replace("old 7", "old 07"),
        written(7, 64).replace("old 7", "new 7"),
        written(7, 64).replace("old 7\n", "old 7\nAAAA\n"),
        written(7, 64).replace("old 7\n", "old 7\n" + f"{written(7, 64).splitlines()[1]}\n" * 64),
        written(7, 64).replace("\n64\n", "\n064\n"),
        written(7, 64).partition("\n\n")[0],
        "",
    ],
)
def test_anything_else_asks_nothing(changed: str) -> None:
    assert read_ask(changed) is None


def test_what_is_found_of_a_head() -> None:
    assert find(None, ask(0, 20)) == "goes on"
    assert find(head(20), ask(20, 50)) == "goes on"
    assert find(head(20), ask(0, 20)) == "known"
    assert find(head(20), ask(10, 50)) == "known"
    assert find(head(20), ask(0, 10)) == "size"
    assert find(head(20, LEAVES[69]), ask(0, 20)) == "root"
    assert find(head(20, LEAVES[69]), ask(20, 50)) == "proof"


def test_the_page_shows_what_can_be_read_and_verified() -> None:
    page = (Path(__file__).parents[2] / "docs" / "verify.md").read_text("utf-8")
    shown = read_ask(page.partition("```text\nold ")[1] + page.partition("```text\nold ")[2].partition("```")[0])
    assert shown is not None and (shown.old, shown.head.size, len(shown.proof)) == (64, 74, 1)
    assert is_signed(shown.note, Key("referee@games.example", HOST.public), verify)


def test_signatures_and_keys_are_found_without_a_head() -> None:
    text = head(20).text()
    witness = SigningKey("witness.example/w1", bytes(range(1, 33)))
    key = Key(witness.name, witness.public, COSIGNATURE)
    lines = [signed(text, KEY, HOST.sign), signed(text, key, witness.sign, 1_700_000_000)]
    below = note(text, lines).rpartition("\n\n")[2]
    letter = f"My key: {key.text()}.\n\nNew signatures -- at last:\n\n{below}\n- a list\n- of things\n"
    assert read_signatures(letter) == tuple(lines)
    assert read_keys(letter) == (key,)
    assert read_keys(key.text()[:-1]) == () == read_keys(f"{key.text()}A")
