"""The keys that sign letters (DKIM)."""

from __future__ import annotations

import logging
from collections.abc import Callable

from referee.adapters.dkim_keys import DkimKeys
from referee.adapters.unusable import Unusable
from referee.config import Config, ConfigError
from referee.mail.writing.compose import Signer, signed

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
