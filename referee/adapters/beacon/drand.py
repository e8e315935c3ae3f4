"""The beacon of a drand chain: rounds are sought in a thread of its own; and the one that the settings name."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from referee.adapters.beacon.rounds import Chain, Patience, Relay, Search
from referee.adapters.files import Unusable
from referee.config import Chance
from referee.service.base.office import log_failure
from referee.service.base.ports import Clock

_log = logging.getLogger(__name__)
_LEAVE_WITHIN = 2.0
_LOOK_AGAIN = 5.0
"""The longest wait while a round is sought: a clock that is turned by hand brings its time about without any."""


class DrandBeacon:
    """Fulfils the port Beacon. Its thread begins with the first round that is sought.

    `wait` waits for an event, for so many seconds at most or for ever.
    """

    def __init__(
        self, search: Search, wait: Callable[[threading.Event, float | None], object] = threading.Event.wait
    ) -> None:
        self.name = search.chain.name
        self._search = search
        self._wait = wait
        self._woken = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="beacon", daemon=True)
        self._starting = threading.Lock()

    def round_after(self, moment: datetime) -> int:
        """The first round whose time lies after a moment."""
        return self._search.chain.round_after(moment)

    def time_of(self, round: int) -> datetime:
        """When a round is made, UTC. Raises ValueError for a round that is never made."""
        return self._search.chain.time_of(round)

    def seek(self, round: int) -> None:
        """Begin to look for a round's signature; where it is sought already, the clock is looked at anew.

        A round that is not to be had is given up after a while, and may be sought again.
        """
        self._search.seek(round)
        with self._starting:
            if self._thread.ident is None and not self._ending.is_set():
                self._thread.start()
        self._woken.set()

    def found(self, round: int) -> bytes | None:
        """Its signature, verified; None while there is none. Only the rounds found last are kept."""
        return self._search.found(round)

    def close(self) -> None:
        """Seek nothing any more, and hang up on the relay that is being asked."""
        with self._starting:
            self._ending.set()
        self._search.end()
        self._woken.set()
        if self._thread.ident is not None:
            self._thread.join(_LEAVE_WITHIN)

    def _run(self) -> None:
        while not self._ending.is_set():
            self._wait(self._woken, self._look())
            self._woken.clear()

    def _look(self) -> float | None:
        """Ask for what is due; how many seconds to wait then."""
        try:
            seconds = self._search.look()
        except Exception as error:
            # A clock or a library that fails once must not end the search for ever.
            log_failure(_log, error, "%s could not be asked; it is tried again", self.name)
            return _LOOK_AGAIN
        return None if seconds is None else min(seconds, _LOOK_AGAIN)


# ---------------------------------------------------------------- the beacon that the settings name


def chain_of(chance: Chance) -> Chain:
    """The chain of these settings, under the name by which letters call it."""
    name = "drand quicknet" if chance.chain == Chance().chain else f"drand chain {chance.chain[:8]}"
    return Chain(name, chance.chain, chance.period_seconds, chance.genesis)


def verifier(chance: Chance) -> Callable[[int, bytes], bool]:
    """Whether a signature is that of a round of this chain. Raises Unusable: the library is missing, or the key is none."""
    try:
        # Only here, since whoever asks no beacon need not have what verifies one.
        from referee.adapters.beacon.key import Key
    except ModuleNotFoundError as error:
        raise Unusable(
            '[chance] beacon = "drand" needs the extra "beacon", which is not installed; '
            "run pip install 'referee[beacon]', or set beacon = \"letters\"."
        ) from error
    try:
        return Key(bytes.fromhex(chance.public_key)).signed
    except ValueError as error:
        raise Unusable(f"[chance] public_key cannot be used: {error}; write that of the chain.") from error


def beacon_of(chance: Chance, clock: Clock, heard: Callable[[], None]) -> DrandBeacon | None:
    """The beacon of these settings, None for "letters"; `heard` is called from its thread for each round found.

    Nothing is asked before a round is sought. Raises Unusable.
    """
    if chance.beacon == "letters":
        return None
    # A round is asked for a little longer than a turn waits for it, so that a turn's last look is not in vain.
    patience = Patience(give_up_after=timedelta(minutes=chance.wait_minutes + 1))
    relays = tuple(Relay(url) for url in chance.relays)
    return DrandBeacon(Search(chain_of(chance), relays, clock, verifier(chance), heard, patience))
