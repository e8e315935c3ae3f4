"""The key that signs for the referee (Ed25519): made at first use, kept in a file that nobody else reads."""

from __future__ import annotations

import base64
import os
import secrets
import tempfile
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.adapters.files import make_folder, sync
from referee.adapters.unusable import Unusable, told

_SEED = 32
_LONGEST = 100
_OTHERS = 0o077


class SigningKey:
    """A key pair under the name of who signs with it."""

    def __init__(self, name: str, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.name = name
        self.public = self._private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes; the same for the same message."""
        return self._private.sign(message)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of this public key signed the message; whatever bytes are handed in."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def kept_key(path: Path, name: str) -> SigningKey:
    """The key in this file, made if there is no file. Raises Unusable where it is damaged or others may read it."""
    with told(""):
        if not path.exists():
            _make(path)
        return SigningKey(name, _seed_in(path))


def _make(path: Path) -> None:
    """A file with a new seed, whole and closed to others before it has its name. Who made one meanwhile was first."""
    make_folder(path.parent)
    descriptor, temporary = tempfile.mkstemp(".part", f".{path.name}.", path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64encode(secrets.token_bytes(_SEED)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        _name(Path(temporary), path)
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
