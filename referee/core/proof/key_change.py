"""A new key in the place of the one that signs: the old one signs the new one, so that whoever has the old one can follow.

A change is a signed note of three lines: `change of keys/v1`, the old key, the new one. Both sign it: the old one says who comes
after it, the new one that it is there. docs/verify.md has the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from referee.core.proof.signed_note import (
    ED25519,
    Key,
    Note,
    Verify,
    is_signed,
    note,
    plain_lines,
    read_key,
    read_note,
    signatures_at,
    signed,
)

_HEAD = "change of keys/v1"
"""It does not begin with the word by which players write their keys, for those are taken out of letters."""

_MOST = 100


class KeyChange(msgspec.Struct, frozen=True):
    """A note that says that a key has come in the place of another. It counts only where both signed it."""

    old: Key
    new: Key
    note: Note

    def is_true(self, verify: Verify) -> bool:
        """Whether both keys signed it."""
        return is_signed(self.note, self.old, verify) and is_signed(self.note, self.new, verify)


Sign = Callable[[bytes], bytes]


def change_note(old: Key, sign_old: Sign, new: Key, sign_new: Sign) -> str:
    """The note by which a new key takes the place of an old one, signed by both."""
    text = f"{_HEAD}\n{old.text()}\n{new.text()}\n"
    return note(text, [signed(text, old, sign_old), signed(text, new, sign_new)])


def read_change(written: str) -> KeyChange | None:
    """The change that this text is exactly; None where it is none."""
    found = read_note(written)
    return _change(found) if found else None


def read_changes(letter: str) -> tuple[KeyChange, ...]:
    """Every change that stands in the plain text of a letter whose lines were not broken, as programs write them."""
    lines = plain_lines(letter)
    starts = [at for at, line in enumerate(lines) if line == _HEAD][:_MOST]
    found = (
        _change(Note("".join(f"{line}\n" for line in lines[at : at + 3]), signatures_at(lines, at + 3)))
        for at in starts
    )
    return tuple(dict.fromkeys(change for change in found if change is not None))


def _change(found: Note) -> KeyChange | None:
    head, *keys = found.text.split("\n")[:-1]
    old, new = (read_key(key) for key in keys) if len(keys) == 2 else (None, None)
    if head != _HEAD or old is None or new is None or old == new:
        return None
    own = old.kind == new.kind == ED25519 and old.name == new.name
    return KeyChange(old, new, found) if own else None


def lineage(key: Key | None, changes: Iterable[str], verify: Verify) -> tuple[Key, ...] | None:
    """All keys that led to this one by these notes, the oldest first; None where one does not follow from the one before."""
    read = [read_change(written) for written in changes]
    found: list[Key] = []
    for change in read:
        if change is None or not change.is_true(verify) or (found and found[-1] != change.old):
            return None
        found += [change.new] if found else [change.old, change.new]
    if not found:
        return () if key is None else (key,)
    return tuple(found) if found[-1] == key and len(set(found)) == len(found) else None


def followers(key: Key, changes: Iterable[KeyChange], verify: Verify) -> tuple[Key, ...]:
    """A key, and those that came in its place one after the other by true changes, whatever it is used for."""
    by_old = {(change.old.name, change.old.public): change for change in changes if change.is_true(verify)}
    found = [key]
    while (after := by_old.pop((found[-1].name, found[-1].public), None)) is not None:
        found.append(msgspec.structs.replace(after.new, kind=key.kind))
    return tuple(found)
