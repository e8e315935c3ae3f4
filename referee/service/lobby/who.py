"""WHO: what everybody may know of a match: its game and rules, its clock, who plays, who masters it, who stands by."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.page import Block, Bullets, Grid, Heading, Page, Paragraph
from referee.kit.wording import are, in_a_row
from referee.service import notes
from referee.service.clock.clock_words import clock_sentences
from referee.service.clock.slot_life import is_under_way
from referee.service.manners import manners_rows
from referee.service.match.house_rules import house_rules, unlisted_matches
from referee.service.match.playing import load
from referee.service.match.witnesses import called, witnesses
from referee.service.office import At
from referee.service.outgoing.frames import option_rows
from referee.service.ports import MatchRow, Member, Step
from referee.service.settings import settings_of


def known_matches(step: Step, player: int = 0) -> list[MatchRow]:
    """The matches somebody may be told of: those that are listed, and those he takes part in."""
    unlisted = unlisted_matches(step)
    mine = {m.match for m in step.memberships(player) if m.status != "left"} if unlisted and player else set[str]()
    return [row for row in step.matches() if row.name not in unlisted or row.name in mine]


def no_match(step: Step, name: str) -> str:
    """That there is no such match, and which there are."""
    known = [row.name for row in known_matches(step)]
    return f"I know no match {name or '(no name given)'}; I know {', '.join(known) or 'none yet'}."


def taken_and_all(at: At, row: MatchRow) -> tuple[int, int]:
    """How many seats of a match that is forming are taken, and how many it has."""
    taken = sum(m.role == "player" and m.status == "applied" for m in at.step.members(row.name))
    return taken, len(at.office.games[row.game].seat_names(row.options))


def seats_sentence(at: At, row: MatchRow) -> str:
    """How full a match is: `3 of 6 seats are taken, 3 are free.`"""
    taken, seats = taken_and_all(at, row)
    left = seats - taken
    return f"{taken} of {seats} seats {are(taken)} taken, {f'{left} {are(left)}' if left else 'none is'} free."


def who_page(at: At, row: MatchRow) -> Page:
    """A match as it may be told to anybody. Who plays which seat of an anonymous match is not told before its end."""
    members, settings = at.step.members(row.name), settings_of(row.settings)
    hidden = settings.manners.anonymous and row.status != "over"
    comment = house_rules(at.step, row.name).comment
    blocks: list[Block] = [Paragraph(comment)] if comment else []
    blocks += [Heading("Who plays"), *_players(at.step, row, members, hidden)]
    options = option_rows(at.office.games[row.game].settings, row.options) + manners_rows(settings.manners)
    blocks += [Heading("Its rules"), Grid(("setting", "value", "meaning"), options)] if options else []
    blocks += [Heading("Its clock"), Bullets(clock_sentences(settings))]
    phase = stands_at(at, row)
    stands = f"{row.status}: {phase}" if phase else row.status
    return Page(f"{row.name}: {at.office.games[row.game].title}", f"The match is {stands}.", tuple(blocks))


def stands_at(at: At, row: MatchRow) -> str:
    """The phase that a match in play waits in, as its letters call it; "" for one that has not begun, or is over or stopped."""
    if not is_under_way(row) or at.step.last_entry(row.name) is None:
        return ""
    phase = load(at, row).outcome.phase
    return phase.title if phase else ""


def _players(step: Step, row: MatchRow, members: Sequence[Member], hidden: bool) -> list[Block]:
    found: list[Block] = []
    if row.status == "forming":
        joined = [m for m in members if m.status == "applied"]
        names = [] if hidden else [_name(step, m) for m in joined]
        found.append(Paragraph(f"{len(joined)} joined so far{f': {in_a_row(names)}' if names else ''}."))
    else:
        dummies = [(seat, "a dummy") for seat in notes.DUMMY.every(step, row.name)]
        seated = [m for m in members if m.seat and m.status in ("playing", "out")]
        rows = [*((m.seat, "one of the players" if hidden else _name(step, m)) for m in seated), *dummies]
        found.append(Grid(("seat", "played by"), tuple(sorted(rows))))
    masters = in_a_row([_name(step, m) for m in members if m.role == "gm" and m.status != "left"])
    watch = sum(m.role == "observer" and m.status == "watching" for m in members)
    wait = sum(m.status == "standby" for m in members)
    found.append(Paragraph(f"Game master: {masters or 'the keeper'}. {watch} watch, {wait} stand by."))
    if signers := [called(witness) for witness in witnesses(step, row.name) if witness.key]:
        found.append(Paragraph(f"Its log is witnessed by {in_a_row(signers)}."))
    return found


def _name(step: Step, member: Member) -> str:
    player = step.player(member.player)
    return player.name if player else "somebody"
