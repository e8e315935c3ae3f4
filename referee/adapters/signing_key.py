"""The key that signs for the referee (Ed25519): made at first use, kept in a file that nobody else reads."""

from __future__ import annotations

import base64
import json
import os
import secrets
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from referee.adapters.files import Unusable, make_folder, sync, told, write_whole
from referee.core.signed_note import Key, change_note, read_change

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_SEED = 32
_LONGEST = 100
_OTHERS = 0o077


class SigningKey:
    """A key pair under the name of its signer. The library that signs is loaded when it is first asked for."""

    def __init__(self, name: str, seed: bytes) -> None:
        self.name, self._seed = name, seed

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._seed)

    @cached_property
    def public(self) -> bytes:
        """Its public half."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes; the same for the same message."""
        return self._private.sign(message)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of this public key signed the message; whatever bytes are handed in."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def kept_key(path: Path, name: str) -> SigningKey:
    """The key in this file, made if there is no file. Raises Unusable where it is damaged or others may read it."""
    with told(""):
        if not path.exists():
            # A file with a new seed. Another who made one meanwhile was first.
            _seed_into(path, secrets.token_bytes(_SEED), _name)
        return SigningKey(name, _seed_in(path))


def key_changes(path: Path, key: SigningKey) -> tuple[str, ...]:
    """The notes by which keys before this one, kept in the file at `path`, led to it, the oldest first.

    Notes that lead on from it are of a change that was cut short: no key that they name ever signed anything.
    """
    try:
        kept = json.loads(_changes_file(path).read_text("utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise Unusable(f"{_changes_file(path)} cannot be read: {error}. Restore it from your last backup.") from error
    own = Key(key.name, key.public)
    until = [at for at, written in enumerate(kept, 1) if (change := read_change(written)) and change.new == own]
    return tuple(kept[: until[-1]]) if until else ()


def rotate(path: Path, name: str) -> tuple[Key, Key]:
    """Put a new key in the place of the one in this file; the old and the new one. The old one has signed the new one.

    The note of that is kept before the key is: cut short between, the old one goes on. Raises Unusable without an old one.
    """
    with told(""):
        if not path.exists():
            raise Unusable(f"There is no key at {path} yet: the first start of the service makes one.")
        old, seed = kept_key(path, name), secrets.token_bytes(_SEED)
        new = SigningKey(name, seed)
        both = Key(name, old.public), Key(name, new.public)
        changes = (*key_changes(path, old), change_note(both[0], old.sign, both[1], new.sign))
        write_whole(_changes_file(path), json.dumps(changes, indent=2).encode() + b"\n")
        _seed_into(path, seed, Path.replace)
    return both


def _changes_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}.changes")


def _seed_into(path: Path, seed: bytes, name: Callable[[Path, Path], object]) -> None:
    """A file with a seed, whole and closed to others before it has its name."""
    make_folder(path.parent)
    descriptor, temporary = tempfile.mkstemp(".part", f".{path.name}.", path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64encode(seed) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        name(Path(temporary), path)
    finally:
        Path(temporary).unlink(missing_ok=True)
    sync(path.parent)


def _name(temporary: Path, path: Path) -> None:
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return
    except OSError:
        # Some file systems know no second name for a file; there the first to come is not told from the second.
        temporary.replace(path)


def _seed_in(path: Path) -> bytes:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_mode & _OTHERS:
            raise Unusable(
                f"{path} holds the key that signs for this referee and is open to other accounts of this machine: if none "
                f"of them can have read it, chmod 600 {path}; else move it away, and the next start makes a new one."
            )
        line = file.read(_LONGEST)
    try:
        seed = base64.b64decode(line.strip(), validate=True)
    except ValueError:
        seed = b""
    if len(seed) != _SEED:
        raise Unusable(
            f"{path} holds no key to sign with, which is one line, {_SEED} bytes in base64: restore it from your last "
            "backup, or move it away, and the next start makes a new one that your players do not know yet."
        )
    return seed
