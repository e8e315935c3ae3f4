"""Which keys of dice may serve again at a place of a log: docs/verify.md, section 4."""

from __future__ import annotations

from referee.core.record import Forwarded, Record, Renewed, Rewound, Sealed, Tampered


class Again:
    """The seals of a log as one goes through it, by the number of the first that has a key.

    A key may serve again as long as nothing came from outside since a seal that has it, and for mended rules if such a seal
    stood in the phase that they play anew.
    """

    def __init__(self) -> None:
        self._fresh = set[int]()
        self._anew = set[int]()
        self._alive: list[tuple[int, int]] = []
        self._before: dict[int, list[tuple[int, int]]] = {}

    def allows(self, number: int) -> bool:
        """Whether the key of this seal may serve again here."""
        return number in self._fresh or number in self._anew

    def sealed(self, seq: int, seal: Sealed) -> None:
        """A seal, by the number of its entry."""
        number = seal.again or seal.number
        self._fresh.add(number)
        self._alive.append((seq, number))

    def broken(self) -> None:
        """Something came from outside."""
        self._fresh.clear()

    def passed(self, seq: int, record: Record) -> None:
        """A record that sets others aside, or lets them count again. Raises Tampered for one that undoes no rewind."""
        match record:
            case Renewed(to=to):
                self._anew = {number for at, number in self._alive if at > to}
                self._keep(to)
            case Rewound(to=to):
                self._before[seq] = self._alive
                self._anew = set()
                self._keep(to)
            case Forwarded(undoes=undone):
                if undone not in self._before:
                    raise Tampered(seq, f"undoes entry {undone}, which is no rewind")
                self._anew = set()
                self._alive = list(self._before[undone])

    def _keep(self, to: int) -> None:
        self._alive = [(at, number) for at, number in self._alive if at <= to]
