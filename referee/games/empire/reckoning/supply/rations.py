"""Who gets which food: as many mouths as the lines of supply allow, the first in line never the worse for it (emp.F1)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, TypeVar

from referee.games.empire.position.pieces import Position

Eater = TypeVar("Eater", bound=Hashable)
"""What says from which stores somebody can eat: his square, and whatever else tells him from others there."""


def shared_out(
    mouths: Sequence[Eater],
    stock: Mapping[Position, int],
    near: Mapping[Eater, Sequence[Position]],
    first: Sequence[Position] = (),
) -> tuple[tuple[bool, ...], dict[Position, int]]:
    """Whether each mouth, in the order given, is fed; and how much food of each square is eaten.

    Nobody is fed less for it, but the stores of `first` are emptied before the others, in their order.
    """
    rations = Rations(stock, near)
    fed = tuple(rations.feed(at) for at in mouths)
    tiers = [store for store in dict.fromkeys(first) if store in stock]
    if not tiers:
        return fed, rations.used()
    rations = Rations(stock, near, open_to=())
    waiting = [at for at, eats in zip(mouths, fed, strict=True) if eats]
    for tier in (*((store,) for store in tiers), tuple(stock)):
        rations.open(tier)
        waiting = [at for at in waiting if not rations.feed(at)]
    return fed, rations.used()


class Rations(Generic[Eater]):
    """Food handed out one by one. A mouth that finds its nearest food gone makes others eat elsewhere, if they can.

    `stock` is the food by square, `near` the squares with food that each eater can be fed from, best first.
    """

    def __init__(
        self,
        stock: Mapping[Position, int],
        near: Mapping[Eater, Sequence[Position]],
        open_to: Sequence[Position] | None = None,
    ) -> None:
        self._left = dict(stock)
        self._open = dict.fromkeys(stock if open_to is None else open_to, True)
        self._near = near
        self._served: dict[Position, dict[Eater, int]] = {}
        self._dry: dict[Eater, bool] = {}

    def open(self, stores: Sequence[Position]) -> None:
        """Let food be taken from these squares too; so far it was from those of `open_to` only."""
        self._open |= dict.fromkeys(stores, True)
        self._dry = {}

    def feed(self, at: Eater) -> bool:
        """Whether one more mouth gets food; those fed before keep theirs."""
        if at in self._dry:
            return False
        came = self._search(at)
        if came is None:
            return False
        self._shift(*came)
        return True

    def used(self) -> dict[Position, int]:
        """How much food of each square was handed out."""
        return {store: sum(eaters.values()) for store, eaters in self._served.items() if any(eaters.values())}

    def _search(self, at: Eater) -> tuple[Position, dict[Position, Eater], dict[Eater, Position]] | None:
        """A store with food left, reached from `at` by moving others on: by which eater each store was asked, and from
        which store each eater would be moved."""
        asked: dict[Position, Eater] = {}
        moved: dict[Eater, Position] = {}
        seen, waiting = {at: True}, [at]
        for eater in waiting:
            for store in self._near.get(eater, ()):
                if store in asked or store not in self._open:
                    continue
                asked[store] = eater
                if self._left[store]:
                    return store, asked, moved
                for other, number in self._served.get(store, {}).items():
                    if number and other not in seen:
                        seen[other] = True
                        moved[other] = store
                        waiting.append(other)
        self._dry |= seen
        return None

    def _shift(self, store: Position, asked: dict[Position, Eater], moved: dict[Eater, Position]) -> None:
        """Hand out one of `store`, and let everybody on the way to it move on to the next."""
        self._left[store] -= 1
        while True:
            eater = asked[store]
            self._count(store, eater, 1)
            if eater not in moved:
                return
            store = moved[eater]
            self._count(store, eater, -1)

    def _count(self, store: Position, eater: Eater, change: int) -> None:
        served = self._served.setdefault(store, {})
        served[eater] = served.get(eater, 0) + change
