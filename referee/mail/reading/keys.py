"""A player's key: a word in a letter that proves who wrote it. It is taken out before anything else reads the letter."""

from __future__ import annotations

import hashlib
import hmac
import re

import msgspec

from referee.core.normal import normal

LEAST = 8
"""Characters a key must have at least."""

_KEY = re.compile(r"^((?:[ \t]*>)*[ \t]*)(SET[ \t]+)?KEY[ \t:=]+(\S{1,200})[ \t.;]*$", re.IGNORECASE | re.MULTILINE)
_COST, _BLOCK, _LANES = 14, 8, 1


class Keys(msgspec.Struct, frozen=True):
    """A text without its keys, the key that was given ("" for none), and the new one that was set."""

    text: str
    given: str = ""
    new: str = ""


def take_keys(text: str) -> Keys:
    """Take `KEY word` and `SET key word` out of a text, each on a line of its own; the lines stay, emptied.

    Quoted ones are emptied as well, and count for nothing. The first of each kind counts.
    """
    if "key" not in text.lower():  # hardly any letter has one, and the search costs a line end after the other
        return Keys(text)
    given: list[str] = []
    new: list[str] = []

    def emptied(found: re.Match[str]) -> str:
        if not found[1].strip():
            (new if found[2] else given).append(found[3])
        return found[1].rstrip()

    without = _KEY.sub(emptied, text)
    return Keys(without, next(iter(given), ""), next(iter(new), ""))


def hash_key(key: str, salt: bytes) -> str:
    """What is kept of a key: scrypt with its cost and salt, as text. Takes 16 MB and some hundredths of a second."""
    return f"scrypt${_COST}${_BLOCK}${_LANES}${salt.hex()}${_scrypt(key, salt, _COST, _BLOCK, _LANES).hex()}"


def is_key(key: str, kept: str) -> bool:
    """Whether a word is the key of which this was kept, compared in constant time. Raises ValueError for no such text."""
    name, cost, block, lanes, salt, digest = kept.split("$")
    if name != "scrypt":
        raise ValueError(f"{name!r} is no way in which keys are kept")
    found = _scrypt(key, bytes.fromhex(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(found, bytes.fromhex(digest))


def _scrypt(key: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    word = normal("NFKC", key).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(word, salt=salt, n=1 << cost, r=block, p=lanes, maxmem=64 * 1024 * 1024, dklen=32)
