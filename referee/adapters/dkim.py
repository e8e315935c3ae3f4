"""The keys that sign letters (DKIM), one after the other: made, published in DNS, used in turn."""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from referee.adapters.files import Unusable, told, write_whole
from referee.config import Config, ConfigError
from referee.mail.writing.compose import Signer, signed

# ---------------------------------------------------------------- a key
# Made, and its public half as it is published in DNS.


_BITS = 2048
"""The length that every server verifies (RFC 8301); a longer one does not fit into the records of some."""


def new_dkim_key() -> bytes:
    """A new private key, in PEM."""
    key = generate_private_key(65537, _BITS)
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def dkim_record(pem: bytes) -> str:
    """The TXT record to publish at SELECTOR._domainkey.DOMAIN. Raises ValueError for anything but an RSA key in PEM."""
    key = load_pem_private_key(pem, None)
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("not an RSA key")
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


# ---------------------------------------------------------------- one after the other
# The settings name the first, the data folder has those that followed.
#
# A new key signs nothing before its record is in DNS, or whoever reads its letters takes them for forged; and the record of the
# one before stays for a week, since letters are under way that it has signed.


STAYS = timedelta(days=7)
"""So long the record of a key stays in DNS after another has taken its place: a letter is tried for five days."""

_SECONDS = 10.0
_STRING = 255
"""Characters that one string of a TXT record may hold (RFC 1035); a longer text is several, read as one."""


class Later(msgspec.Struct, frozen=True):
    """A key that followed that of the settings: when it was made, and since when it signs; None: its record is not in DNS yet."""

    selector: str
    made: datetime
    since: datetime | None = None


class _Kept(msgspec.Struct, frozen=True):
    """The keys of the data folder: the key of the settings that all began with, and those that followed."""

    first: str
    keys: tuple[Later, ...] = ()


class DkimKeys:
    """The keys of a domain. `first` is that of the settings; a host who names another there begins anew with that."""

    def __init__(self, folder: Path, first: Signer) -> None:
        self._folder, self._first = folder, first
        self._file = folder / "keys.json"

    @property
    def domain(self) -> str:
        """The owner of the keys."""
        return self._first.domain

    def later(self) -> tuple[Later, ...]:
        """The keys that followed, the oldest first. Raises Unusable for a file that cannot be read."""
        try:
            kept = msgspec.json.decode(self._file.read_bytes(), type=_Kept)
        except FileNotFoundError:
            return ()
        except msgspec.DecodeError as error:
            raise Unusable(f"{self._file} cannot be read: {error}. Restore it from your last backup.") from error
        return kept.keys if kept.first == self._begins else ()

    @property
    def _begins(self) -> str:
        return f"{self._first.selector}._domainkey.{self._first.domain}"

    def signer(self) -> Signer:
        """The present signer. Raises Unusable where his key cannot be read."""
        signing = [key for key in self.later() if key.since is not None]
        return self._signer(signing[-1]) if signing else self._first

    def _signer(self, key: Later) -> Signer:
        with told(""):
            return Signer(key.selector, self.domain, self._pem(key.selector).read_bytes())

    def _pem(self, selector: str) -> Path:
        return self._folder / f"{selector}.pem"

    def waiting(self) -> Later | None:
        """The key whose record is not in DNS yet."""
        return next((key for key in self.later() if key.since is None), None)

    def record(self, key: Later) -> tuple[str, str]:
        """The name at which a key is published, and the record. Raises Unusable."""
        try:
            return f"{key.selector}._domainkey.{self.domain}", dkim_record(self._signer(key).key)
        except ValueError as error:
            raise Unusable(
                f"{self._pem(key.selector)} holds no key: {error}. Restore it from your last backup."
            ) from error

    def make(self, now: datetime) -> Later:
        """Make a new key, which waits to be published."""
        key = Later(self._free_selector(now), now)
        with told(""):
            write_whole(self._pem(key.selector), new_dkim_key())
            self._pem(key.selector).chmod(0o600)
            self._keep((*self.later(), key))
        return key

    def _free_selector(self, now: datetime) -> str:
        used = {self._first.selector, *(key.selector for key in self.later())}
        name = f"{self._first.selector[:40]}-{now:%Y%m%d}"
        return next(each for each in (name, *(f"{name}-{n}" for n in range(2, 1000))) if each not in used)

    def begin(self, key: Later, now: datetime) -> str:
        """From now on this key signs; the selector that signed until now, whose private key is gone if it was made here."""
        before = self.signer().selector
        with told(""):
            self._keep(
                tuple(msgspec.structs.replace(each, since=now) if each == key else each for each in self.later())
            )
            if before != self._first.selector:
                self._pem(before).unlink(missing_ok=True)
        return before

    def _keep(self, keys: tuple[Later, ...]) -> None:
        write_whole(self._file, msgspec.json.format(msgspec.json.encode(_Kept(self._begins, keys))))

    def old(self) -> dict[str, datetime]:
        """The selectors that sign no more, and until when their records stay in DNS."""
        signed = [(self._first.selector, None), *((key.selector, key.since) for key in self.later() if key.since)]
        return {selector: since + STAYS for (selector, _), (_, since) in pairwise(signed) if since}

    def changed(self) -> Callable[[], bool]:
        """Tells whenever it is called whether another key may sign than when it was called last."""
        seen = [self._mark()]

        def differs() -> bool:
            before, seen[0] = seen[0], self._mark()
            return before != seen[0]

        return differs

    def _mark(self) -> int:
        try:
            return self._file.stat().st_mtime_ns
        except OSError:
            return 0


def zone_line(name: str, record: str) -> str:
    """The record as a zone file has it, and most forms for it take it."""
    strings = " ".join(f'"{record[at : at + _STRING]}"' for at in range(0, len(record), _STRING))
    return f"{name}. TXT {strings}"


def not_published(name: str, record: str) -> str:
    """Why a record cannot be relied on, a sentence; "" where DNS has it as it must be."""
    # It takes a tenth of a second to load, and every command passes here.
    import dns.exception
    import dns.resolver

    try:
        answer = dns.resolver.resolve(name, "TXT", lifetime=_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return f"There is no TXT record at {name} yet."
    except dns.exception.DNSException as error:
        return f"{name} could not be looked up: {' '.join(str(error).split())}."
    found = [b"".join(each.strings).decode("utf-8", "replace") for each in answer]
    if any(_public(text) == _public(record) for text in found):
        return ""
    return f"The TXT record at {name} is another one."


def _public(record: str) -> str:
    """The public key in a record, whatever stands around it."""
    tags = dict(part.split("=", 1) for part in "".join(record.split()).split(";") if "=" in part)
    return tags.get("p", record)


# ---------------------------------------------------------------- those that the settings name


_log = logging.getLogger(__name__)


def dkim_keys(config: Config) -> DkimKeys | None:
    """The keys that sign letters; None where none does. Raises ConfigError where that of the settings cannot be read."""
    key, dkim = config.dkim_key(), config.dkim
    first = Signer(dkim.selector, dkim.domain or config.host, key)
    return DkimKeys(config.data_folder / "dkim", first) if key else None


def signature(config: Config) -> Callable[[bytes], bytes]:
    """How letters are signed; the key is tried at once, so that a wrong one is told at the start.

    A key that takes its place later is taken up as soon as it does.
    """
    keys = dkim_keys(config)
    return bytes if keys is None else _Signature(config.dkim.key_file, keys)


class _Signature:
    """Puts the signature of the key that signs now on a letter."""

    def __init__(self, named: str, keys: DkimKeys) -> None:
        self._keys, self._changed = keys, keys.changed()
        self._signer = keys.signer()
        try:
            signed(b"From: a@b.example\r\n\r\n", self._signer)
        except ValueError as error:
            right = "name an RSA key in PEM, such as referee setup makes"
            raise ConfigError(f"[dkim] key_file {named!r}: {error}; {right}.") from error

    def __call__(self, raw: bytes) -> bytes:
        if self._changed():
            try:
                self._signer = self._keys.signer()
            except Unusable as problem:  # the letters go on, signed as before
                _log.error("the key that signs letters stays the same: %s", problem)
        return signed(raw, self._signer)
