"""How reliably somebody plays, counted from the logs of his matches; and the hours at which people write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo

import msgspec

from referee.core.page import Grid, Page, Paragraph
from referee.core.question import Source, slot_of
from referee.core.record import Answered, Filed, Live, Overrode
from referee.moments import zone_named
from referee.service.base.match_settings import settings_of
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player, Step
from referee.service.match.bots import OWN_BOT
from referee.service.match.members import hides_late, holders, masters_of
from referee.service.match.playing import alive_in, read_log

# ---------------------------------------------------------------- how reliably somebody plays
# Counted from the logs of all his matches, so that it can never disagree with them.
#
# A slot counts for the holder of the seat when it was closed. Rewound slots count for nobody; neither does the first slot of
# a seat taken over, nor what standing orders or IF LATE orders played, for its player had arranged it, nor what was played for
# a seat whose player had resigned.


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
"""The kinds of record that tell of slots, of excuses by game masters, and of resignations."""


def _how(answer: Answered) -> str:
    if answer.source in (Source.STANDING, Source.LATE_INSTRUCTION) or answer.by == OWN_BOT:
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
    # Games of a seat after its player resigned count for nobody.
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
    "On time, late and rolled out count. Not counted are slots that a game master excused, slots that were rewound, slots "
    "played by one's own standing or late orders or after a resignation, and the first slot of a seat taken over from "
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


# ---------------------------------------------------------------- SEND hours
# At which hours of the day orders come and slots are missed here, so that a table can pick a better deadline.
#
# Counted over all matches together, and never of fewer than three people: nobody can be told apart. Matches that hide names or
# lateness are left out while they are played.


_SPAN = 3
_LEAST_PEOPLE = 3
_LEAST_LETTERS = 10
_MATCHES = 100
"""So many matches are counted, the newest first: an answer must not take minutes."""


def hours_page(at: At, zone: str) -> Page:
    """The counts, by hours of a day in the reader's zone."""
    came, missed = Counter[int](), Counter[int]()
    people: set[int] = set()
    here = zone_named(zone) or UTC
    for row in _matches_counted(at.step):
        players = {m.seat: m.player for m in at.step.members(row.name) if m.seat}
        for seat, hour, late in _slots(at, row, here):
            people.add(players.get(seat, 0))
            (missed if late else came)[hour // _SPAN] += 1
    people.discard(0)
    if len(people) < _LEAST_PEOPLE or sum(came.values()) < _LEAST_LETTERS:
        return Page("Hours", "Too few have played here so far to count without telling who.", ())
    rows = tuple(
        (f"{span * _SPAN:02}:00 to {span * _SPAN + _SPAN:02}:00", came[span], missed[span])
        for span in range(24 // _SPAN)
    )
    said = f"All matches here together, {len(people)} people; the hours are those of {zone}."
    grid = Grid(("between", "orders came", "slots were missed"), rows)
    return Page("Hours", said, (Paragraph("CLOCK clock 18:00 sets the hour at which the slots of a match end."), grid))


def _matches_counted(step: Step) -> list[MatchRow]:
    """Begun matches that may be counted."""
    begun = [row for row in step.matches() if row.status != "forming"]
    newest = sorted(begun, key=lambda row: row.created_at, reverse=True)[:_MATCHES]
    return [row for row in newest if row.status == "over" or not _hides(row)]


def _hides(row: MatchRow) -> bool:
    settings = settings_of(row.settings)
    return settings.hides_late or settings.manners.anonymous


def _slots(at: At, row: MatchRow, here: tzinfo) -> Iterator[tuple[str, int, bool]]:
    """Seat, hour and whether a slot was missed then; else orders came."""
    log = read_log(at.office.games[row.game], at.step.entries_of(row.name, Filed, Answered))
    moments = {entry.seq: entry.at for entry in log.entries}
    for entry in log.alive():
        record, hour = entry.record, datetime.fromisoformat(moments[entry.seq]).astimezone(here).hour
        if isinstance(record, Filed) and record.letter and record.sheet:
            yield record.seat, hour, False
        elif isinstance(record, Answered) and _missed(record):
            yield record.seat, hour, True


def _missed(answer: Answered) -> bool:
    """Whether a slot ended without a sheet of its player's, by the clock."""
    whole = answer.key.rpartition("/")[2].startswith("orders")
    return whole and answer.source is not Source.PLAYER and not answer.by
