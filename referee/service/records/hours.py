"""SEND hours: at which hours of the day orders come and slots are missed here, so that a table can pick a better deadline.

Counted over all matches together, and never of fewer than three people: nobody can be told apart. Matches that hide
names or lateness are left out while they are played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo

from referee.core.page import Grid, Page, Paragraph
from referee.core.question import Source
from referee.core.record import Answered, Filed
from referee.moments import zone_named
from referee.service.match.playing import read_log
from referee.service.office import At
from referee.service.ports import MatchRow, Step
from referee.service.settings import settings_of

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
    for row in _counted(at.step):
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


def _counted(step: Step) -> list[MatchRow]:
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
