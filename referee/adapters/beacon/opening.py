"""The beacon that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from referee.adapters.beacon.chain import Chain
from referee.adapters.beacon.drand import DrandBeacon
from referee.adapters.beacon.relay import Relay
from referee.adapters.beacon.search import Patience, Search
from referee.adapters.unusable import Unusable
from referee.config.sections import Chance
from referee.service.base.ports import Clock


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
