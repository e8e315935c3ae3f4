"""A match that waits for players, before it has pages of its own: who is in, how many seats are free, the words that take one."""

from __future__ import annotations

import msgspec

from referee.mail import mailto_new
from referee.service.clock.clock_words import clock_sentences
from referee.service.lobby.who import taken_and_all
from referee.service.match.house_rules import house_rules, unlisted_matches
from referee.service.office import At, Office
from referee.service.outgoing.frames import option_rows
from referee.service.ports import MatchRow
from referee.service.settings import settings_of
from referee.service.site.card import names, pace_of


class Way(msgspec.Struct, frozen=True):
    """What can be done by a letter of one line: the line, what it does, and the link that writes it."""

    line: str
    does: str
    link: str


class Forming(msgspec.Struct, frozen=True):
    """A match that waits for players: how many of its seats are taken and by whom, and the letters that take one.

    `joined` is empty where nobody may know. One `called_off` waits for nobody any more.
    """

    match: str
    game: str
    title: str
    about: str
    taken: int
    seats: int
    joined: tuple[str, ...]
    choices: tuple[str, ...]
    masters: tuple[str, ...]
    pace: str
    clock: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    by_itself: bool
    comment: str
    ways: tuple[Way, ...]
    called_off: bool = False

    @property
    def page(self) -> str:
        """Its page: when it begins, the front of its folder."""
        return f"{self.match}/index.html"

    @property
    def free(self) -> int:
        """How many more can join."""
        return max(0, self.seats - self.taken)


class FormingPage(msgspec.Struct, frozen=True):
    """The page of a match that waits for players; letters go to this `address`."""

    house: str
    address: str
    game: str
    match: Forming


def forming_page(office: Office, found: Forming) -> FormingPage:
    """The page of one."""
    return FormingPage(office.name, office.address, found.title, found)


def forming_matches(at: At) -> tuple[Forming, ...]:
    """The matches that wait for players and strangers may be told of, the newest first."""
    unlisted = unlisted_matches(at.step)
    return tuple(found for found in all_forming(at) if found.match not in unlisted and not found.called_off)


def all_forming(at: At) -> tuple[Forming, ...]:
    """Every match that has not begun, the newest first; also those that are told to nobody, and those that never will."""
    newest = sorted(at.step.matches("forming"), key=lambda row: row.created_at, reverse=True)
    return tuple(_forming(at, row) for row in newest)


def _forming(at: At, row: MatchRow) -> Forming:
    game, settings, rules = at.office.games[row.game], settings_of(row.settings), house_rules(at.step, row.name)
    members = at.step.members(row.name)
    applied = sorted((m for m in members if m.status == "applied"), key=lambda member: member.number)
    taken, seats = taken_and_all(at, row)
    choices = game.seat_names(row.options)
    return Forming(
        match=row.name,
        game=game.name,
        title=game.title,
        about=game.about,
        taken=taken,
        seats=seats,
        joined=() if settings.manners.anonymous else names(at.step, applied),
        choices=choices,
        masters=names(at.step, [m for m in members if m.role == "gm" and m.status != "left"]),
        pace=pace_of(row),
        clock=clock_sentences(settings),
        options=tuple(shown[:2] for shown in sorted(option_rows(game.settings, row.options))),
        by_itself=settings.starts_full,
        comment=rules.comment,
        ways=_ways(at.office, row, choices, taken < seats),
        called_off=rules.called_off,
    )


def _ways(office: Office, row: MatchRow, choices: tuple[str, ...], free: bool) -> tuple[Way, ...]:
    lines = (
        (f"JOIN {row.name}", "takes the next free seat"),
        (f"JOIN {row.name} AS {choices[0]}", f"asks for a seat by its name: {', '.join(choices)}"),
    )
    watch = (f"OBSERVE {row.name}", "watches, and plays nobody's seat")
    return tuple(
        Way(line, does, mailto_new(office.address, row.name, (line,)))
        for line, does in (*(lines if free else ()), watch)
    )
