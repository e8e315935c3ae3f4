"""How reliably somebody plays: counted from the logs of all his matches, so that it can never disagree with them.

A slot counts for whoever held the seat when it was closed. What was rewound counts for nobody; neither does the first
slot of a seat taken over, nor what standing orders or IF LATE orders played, for its player had arranged it, nor what
was played for a seat whose player had resigned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from referee.core.page import Grid, Page, Paragraph
from referee.core.question import Source
from referee.core.record import Answered, Live, Overrode
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player, Step
from referee.service.match.clocks import slot_of
from referee.service.match.members import hides_late, holders, masters_of
from referee.service.match.playing import alive_in


class Reliability(msgspec.Struct, frozen=True):
    """Slots by how they were closed. `taken_over`: closed late or unplayed, but the first of a seat taken over."""

    on_time: int = 0
    late: int = 0
    rolled_out: int = 0
    excused: int = 0
    arranged: int = 0
    taken_over: int = 0

    @property
    def counted(self) -> int:
        """Slots that count."""
        return self.on_time + self.late + self.rolled_out

    def sentence(self) -> str:
        """In one sentence."""
        if not self.counted:
            counts = "no slot that counts yet"
        else:
            share = 100 * self.on_time // self.counted
            counts = f"{self.on_time} on time, {self.late} late, {self.rolled_out} rolled out ({share}% on time)"
        others = (
            (self.excused, "excused"),
            (self.arranged, "by own standing or late orders"),
            (self.taken_over, "taken over"),
        )
        besides = ", ".join(f"{number} {what}" for number, what in others if number)
        return f"{counts}{f'; not counted: {besides}' if besides else ''}."

    def __add__(self, other: Reliability) -> Reliability:
        return Reliability(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


def _closed(alive: Iterable[Live], seat: str) -> list[tuple[int, str]]:
    """The slots of a seat with the entry that closed each last, and how: a word of Reliability."""
    slots: dict[str, tuple[int, str]] = {}
    for entry in alive:
        answer = entry.record
        if isinstance(answer, Answered) and answer.seat == seat and answer.key.rpartition("/")[2].startswith("orders"):
            before = slots.get(slot_of(answer.key), (0, "on_time"))[1]
            slots[slot_of(answer.key)] = (entry.seq, max(before, _how(answer), key=_WORSE.index))
    return list(slots.values())


_WORSE = ("on_time", "arranged", "late", "rolled_out")
_COUNTED = (Answered, Overrode)
"""The kinds of record that tell of slots, of what game masters excused, and of who resigned."""


def _how(answer: Answered) -> str:
    if answer.source in (Source.STANDING, Source.LATE_INSTRUCTION):
        return "arranged"
    if answer.source is Source.PLAYER:
        return "late" if answer.late_by else "on_time"
    return "rolled_out"


def _excused(alive: Iterable[Live], seat: str, slots: Sequence[tuple[int, str]]) -> set[int]:
    """The slots that EXCUSE excuses: the last lapse before it, or the next one where there is none that is not excused."""
    lapses, found = [seq for seq, how in slots if how in ("late", "rolled_out")], set[int]()
    for entry in alive:
        if isinstance(entry.record, Overrode) and entry.record.action == f"EXCUSE {seat}":
            before = [seq for seq in lapses if seq < entry.seq and seq not in found]
            after = [seq for seq in lapses if seq > entry.seq and seq not in found]
            found |= set(before[-1:] or after[:1])
    return found


def reliability_in(at: At, row: MatchRow, player: int) -> Reliability:
    """How reliably somebody played in one match, in all the seats he held."""
    members = [m for m in at.step.members(row.name) if m.player == player and m.role == "player" and m.seat]
    if not members or at.step.last_entry(row.name) is None:
        return Reliability()
    alive = alive_in(at, row, *_COUNTED)
    return sum(
        (_of_seat(at.step, row, alive, seat, player) for seat in sorted({m.seat for m in members})), Reliability()
    )


def reliability_of_each(step: Step, row: MatchRow, alive: Sequence[Live]) -> dict[int, Reliability]:
    """How reliably everybody who held a seat of a match played in it, by his number; of the records that count."""
    held = {(m.player, m.seat) for m in step.members(row.name) if m.role == "player" and m.seat}
    found = dict[int, Reliability]()
    for player, seat in sorted(held):
        found[player] = found.get(player, Reliability()) + _of_seat(step, row, alive, seat, player)
    return found


def _of_seat(step: Step, row: MatchRow, alive: Sequence[Live], seat: str, player: int) -> Reliability:
    before = holders(step, row.name, seat)
    now = next((m.player for m in step.members(row.name) if m.seat == seat and m.status in ("playing", "out")), 0)
    tenures = [*before, (now, alive[-1].seq if alive else 0)]
    slots = _closed(alive, seat)
    # What was played for somebody after he resigned counts for nobody.
    gone = [e.seq for e in alive if isinstance(e.record, Overrode) and e.record.action == f"RESIGN {seat}"]
    excused, found, start = _excused(alive, seat, slots), Reliability(), -1
    for number, (holder, until) in enumerate(tenures):
        left = min((seq for seq in gone if start < seq), default=until)
        mine = [(seq, how) for seq, how in slots if start < seq <= min(until, left)]
        start = until
        if holder == player:
            found += _counted(mine, excused, taken_over=number > 0)
    return found


def _counted(slots: Sequence[tuple[int, str]], excused: set[int], taken_over: bool) -> Reliability:
    counts = dict.fromkeys(Reliability.__struct_fields__, 0)
    for number, (seq, how) in enumerate(slots):
        lapse = how in ("late", "rolled_out")
        counts["taken_over" if lapse and taken_over and number == 0 else "excused" if seq in excused else how] += 1
    return Reliability(**counts)


def reliability(at: At, player: int, reader: int | None = None) -> Reliability:
    """How reliably somebody played in all his matches, as far as a `reader` may know it; None may know everything.

    A match that hides who was late counts before its end for its player and its game masters alone.
    """
    return sum((found for _, found in _by_match(at, player, reader)), Reliability())


def _by_match(at: At, player: int, reader: int | None) -> list[tuple[str, Reliability]]:
    names = sorted({m.match for m in at.step.memberships(player) if m.role == "player"})
    rows = [row for name in names if (row := at.step.match(name)) and _counts_for(at.step, row, player, reader)]
    return [(row.name, reliability_in(at, row, player)) for row in rows]


def _counts_for(step: Step, row: MatchRow, player: int, reader: int | None) -> bool:
    return reader in (None, player) or not hides_late(row) or reader in masters_of(step, row.name)


def record_page(at: At, players: Sequence[Player], own: bool, reader: int | None = None) -> Page:
    """The records of some people, as far as a reader may know them; one's `own` match by match."""
    columns = ("match" if own else "player", *(name.replace("_", " ") for name in Reliability.__struct_fields__))
    rows: list[tuple[str | int, ...]] = []
    for player in players:
        total = reliability(at, player.id, reader)
        if own:
            rows += [(name, *_row(found)) for name, found in _by_match(at, player.id, reader)]
        rows.append(("all matches" if own else player.name, *_row(total)))
    return Page("Reliability", "Counted over all matches played here.", (Paragraph(_WHAT), Grid(columns, tuple(rows))))


_WHAT = (
    "On time, late and rolled out count. Not counted: what a game master excused, what was rewound, what one's own "
    "standing or late orders played, what was played after one had resigned, and the first slot of a seat taken over from "
    "somebody else."
)


def _row(found: Reliability) -> tuple[int, ...]:
    return tuple(getattr(found, name) for name in found.__struct_fields__)


def rolled_out_running(at: At, row: MatchRow, seat: str) -> int:
    """How many of a seat's last slots were rolled out without a break, in the time of its present player."""
    alive = alive_in(at, row, *_COUNTED)
    since = max((until for _, until in holders(at.step, row.name, seat)), default=-1)
    slots = _closed(alive, seat)
    excused = _excused(alive, seat, slots)
    count = 0
    for seq, how in reversed(slots):
        if seq <= since or how != "rolled_out" or seq in excused:
            break
        count += 1
    return count
