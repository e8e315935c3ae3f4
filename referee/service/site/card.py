"""A match on a card: what everybody may know of it at a glance, kept beside its pages for those of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from referee.core.page import Tally
from referee.core.record import Live
from referee.service import notes
from referee.service.clock.clock_words import table_sentence
from referee.service.clock.slot_life import TOLD
from referee.service.match.drafts import how_it_stands
from referee.service.match.hidden_lateness import keeps_quiet
from referee.service.match.house_rules import house_rules, unlisted_matches
from referee.service.match.playing import Playing
from referee.service.people.reliability import Reliability, reliability_of_each
from referee.service.ports import Listed, MatchRow, Member, Step
from referee.service.settings import settings_of
from referee.service.times import iso
from referee.service.turns.retrospect import Course


class Seated(msgspec.Struct, frozen=True):
    """A seat and who plays it; "" and 0 where that is not told, and 0 for who has no page of his own here."""

    seat: str
    name: str = ""
    player: int = 0


class Awaited(msgspec.Struct, frozen=True):
    """Whom everybody waits for, in words and by his seats where all may know, and until when, in ISO 8601; "" for no time."""

    said: str = ""
    seats: tuple[str, ...] = ()
    until: str = ""


class Card(msgspec.Struct, frozen=True):
    """What all may know of a match that has begun.

    `began` and `changed` are ISO 8601, the latter of the last report, rewind or restore; `map` is the file of the last picture
    and `instead` its sentence. `decided`: its game came to an end, and nobody stopped it before. `records` tell how reliably
    each of its players played in it, by his number, once it is over.
    """

    match: str
    game: str
    title: str
    status: str
    phase: str
    awaited: Awaited
    pace: str
    seats: tuple[Seated, ...]
    masters: tuple[str, ...]
    comment: str
    began: str
    changed: str
    reports: int
    map: str
    instead: str
    tally: Tally
    decided: bool = False
    listed: bool = True
    records: dict[int, Reliability] = {}

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.status == "over"

    @property
    def winners(self) -> tuple[Seated, ...]:
        """Who has won; nobody where nobody is ranked, and while the game goes on."""
        winning = self.tally.winners() if self.decided else ()
        return tuple(seated for seated in self.seats if seated.seat in winning)


def read_card(data: bytes) -> Card | None:
    """The card of a match as it was kept; None for one of another form, which is written anew with the match's pages."""
    try:
        return msgspec.json.decode(data, type=Card)
    except msgspec.DecodeError:
        return None


def pace_of(row: MatchRow) -> str:
    """How long somebody on turn has, in words for strangers."""
    settings = settings_of(row.settings)
    return table_sentence("a turn", settings.slot_hours, settings.slots).removesuffix(".")


def card_of(
    step: Step,
    playing: Playing,
    course: Course,
    public: Sequence[Listed],
    changed: str,
    alive: Sequence[Live],
    picture: tuple[str, str],
) -> Card:
    """The card of a match that `changed` then, with the file of its last picture and the sentence that stands for it.

    How reliably everybody played is told of a match that is over, when all can read its log, by the records that are `alive` in it.
    """
    row, phase, tally = playing.row, playing.outcome.phase, course.tally
    members = step.members(row.name)
    listed = row.name not in unlisted_matches(step)
    return Card(
        match=row.name,
        game=row.game,
        title=playing.game.title,
        status=row.status,
        phase=phase.title if phase and row.status != "over" else "",
        awaited=awaited(step, playing),
        pace=pace_of(row),
        seats=_seated(step, row, members, playing.created.seats, listed),
        masters=names(step, [m for m in members if m.role == "gm" and m.status != "left"]),
        comment=house_rules(step, row.name).comment,
        began=iso(row.created_at),
        changed=changed,
        reports=len(public),
        map=picture[0],
        instead=picture[1],
        tally=tally,
        decided=playing.outcome.over,
        listed=listed,
        records=_records(step, row, alive) if listed and row.status == "over" else {},
    )


def _records(step: Step, row: MatchRow, alive: Sequence[Live]) -> dict[int, Reliability]:
    """How reliably each played, but for who was forgotten."""
    found = reliability_of_each(step, row, alive)
    return {number: record for number, record in found.items() if (player := step.player(number)) and player.name}


def awaited(step: Step, playing: Playing) -> Awaited:
    """Whom everybody waits for; where lateness is hidden neither whose time runs is told, nor until when."""
    row = playing.row
    if row.status == "over" or playing.outcome.over:
        return Awaited("The match is over." if playing.outcome.over else "The match was ended; nobody won.")
    if stands := how_it_stands(row):
        return Awaited(f"The match {stands}.")
    keys = {question.key for question in playing.outcome.open}
    if not keys:
        return Awaited("Nobody owes anything.")
    if keeps_quiet(playing) and len(playing.created.seats) > 1:
        return Awaited("Orders are awaited.")
    seats = tuple(sorted({question.seat for question in playing.outcome.open}))
    due = min((a.due_at for a in step.alarms(row.name) if a.kind in TOLD and a.key in keys), default=None)
    return Awaited("", seats, iso(due) if due else "")


def _hidden(row: MatchRow) -> bool:
    """Whether nobody may learn who plays which seat."""
    return settings_of(row.settings).manners.anonymous and row.status != "over"


def _seated(
    step: Step, row: MatchRow, members: Sequence[Member], seats: Sequence[str], listed: bool
) -> tuple[Seated, ...]:
    dummies = notes.DUMMY.every(step, row.name)
    playing = {m.seat: m.player for m in members if m.seat and m.status in ("playing", "out")}
    return tuple(_seat(step, seat, 0 if _hidden(row) else playing.get(seat, 0), dummies, listed) for seat in seats)


def _seat(step: Step, seat: str, player: int, dummies: Mapping[str, object], listed: bool) -> Seated:
    found = step.player(player) if player else None
    if found is None or not found.name:  # nobody, or somebody who was forgotten
        return Seated(seat, "a dummy" if seat in dummies else "")
    return Seated(seat, found.name, found.id if listed else 0)


def names(step: Step, members: Sequence[Member]) -> tuple[str, ...]:
    """The names of members of a match."""
    return tuple(player.name for member in members if (player := step.player(member.player)) and player.name)
