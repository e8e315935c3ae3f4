"""Changes of keys: what is one, who signed it, and where the keys of a log lead."""

from __future__ import annotations

import hashlib

import pytest

from referee.adapters.signing_key import SigningKey, verify
from referee.core.signed_note import (
    COSIGNATURE,
    Key,
    change_note,
    followers,
    lineage,
    note,
    read_change,
    read_changes,
    read_note,
    signed,
)

NAME = "referee@games.example"


def signer(number: int, name: str = NAME) -> SigningKey:
    return SigningKey(name, hashlib.sha256(bytes([number])).digest())


def key(number: int, name: str = NAME) -> Key:
    return Key(name, signer(number, name).public)


def change(old: int, new: int, by: int | None = None, name: str = NAME) -> str:
    """The note by which a key follows another; `by` signs in the place of the old one."""
    signs = signer(old if by is None else by, name)
    return change_note(key(old), signs.sign, key(new, name), signer(new, name).sign)


def test_a_change_is_three_lines_and_two_signatures() -> None:
    written = change(1, 2)
    head, old, new, empty, *signatures = written.splitlines()
    assert (head, old, new, empty, len(signatures)) == ("change of keys/v1", key(1).text(), key(2).text(), "", 2)
    read = read_change(written)
    assert read is not None and (read.old, read.new) == (key(1), key(2)) and read.is_true(verify)


def test_a_change_that_one_of_both_did_not_sign_is_none() -> None:
    forged = read_change(change(1, 2, by=3))
    assert forged is not None and not forged.is_true(verify)
    found = read_note(change(1, 2))
    assert found is not None
    only_old = read_change(note(found.text, found.signatures[:1]))
    assert only_old is not None and not only_old.is_true(verify)


@pytest.mark.parametrize(
    "text",
    [
        f"change of keys/v2\n{key(1).text()}\n{key(2).text()}\n",
        f"change of keys/v1\n{key(1).text()}\n{key(1).text()}\n",
        f"change of keys/v1\n{key(1).text()}\n{key(2, 'someone.else').text()}\n",
        f"change of keys/v1\n{key(1).text()}\n{Key(NAME, key(2).public, COSIGNATURE).text()}\n",
        f"change of keys/v1\n{key(1).text()}\n{key(2).text()}\n{key(3).text()}\n",
        f"change of keys/v1\n{key(1).text()}\nno key\n",
        "referee@games.example/nw1\n7\n" + "A" * 43 + "=\n",
    ],
)
def test_whatever_is_no_change_is_read_as_none(text: str) -> None:
    assert read_change(note(text, [signed(text, key(1), signer(1).sign)])) is None


def test_keys_are_followed_from_the_first_to_the_one_that_signs() -> None:
    both = [change(1, 2), change(2, 3)]
    assert lineage(key(3), both, verify) == (key(1), key(2), key(3))
    assert lineage(key(3), [], verify) == (key(3),) and lineage(None, [], verify) == ()
    wrong = {
        "the last is another one": (key(2), both),
        "none signs": (None, both),
        "in another order": (key(3), both[::-1]),
        "one is left out": (key(3), [both[0], change(4, 3)]),
        "one is forged": (key(3), [both[0], change(2, 3, by=4)]),
        "round in a circle": (key(1), [*both, change(3, 1)]),
        "nonsense": (key(3), [*both, "nonsense"]),
    }
    assert {what: lineage(last, changes, verify) for what, (last, changes) in wrong.items()} == dict.fromkeys(wrong)


def test_changes_are_found_in_letters_and_followed_for_any_use_of_a_key() -> None:
    letter = f"> Dear witness,\r\n>\r\n{change(1, 2)}\nand\n\n{change(2, 3)}\n{change(3, 4, by=9)}\nchange of keys/v1\n"
    found = read_changes(letter)
    assert [(each.old, each.new) for each in found] == [(key(1), key(2)), (key(2), key(3)), (key(3), key(4))]
    assert followers(key(1), found, verify) == (key(1), key(2), key(3))
    cosigns = [Key(NAME, key(number).public, COSIGNATURE) for number in (2, 3)]
    assert followers(cosigns[0], found, verify) == tuple(cosigns)
    assert followers(key(7), found, verify) == (key(7),)
    circle = read_changes(f"{change(1, 2)}\n{change(2, 1)}")
    assert followers(key(1), circle, verify) == (key(1), key(2), key(1))
