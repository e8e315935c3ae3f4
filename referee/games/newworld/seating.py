"""Who plays which country."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.games.newworld.data import SEATS, TABLES

__all__ = ["refuse_options", "seat_players"]


def _countries(options: Options) -> tuple[str, ...]:
    return tuple(TABLES.nations) if options["nationalities"] == "yes" else SEATS


def refuse_options(options: Options, players: int) -> str | None:
    """nw.r32: two to six players, to five with nationalities."""
    most = len(_countries(options))
    if not 2 <= players <= most:
        how = "with" if options["nationalities"] == "yes" else "without"
        return f"New World {how} nationalities is for 2 to {most} players, not {players}."
    return None


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """The seat of each applicant: by lot with nationalities (nw.nation.choice), otherwise first come, first served."""
    by_lot = options["nationalities"] == "yes"
    free = list(_countries(options))
    seats: dict[int, Seat] = {}
    for place in reversed(_lots(len(wishes), chance)) if by_lot else range(len(wishes)):
        seats[place] = _first_free(wishes[place], free)
    for place, seat in seats.items():
        if not seat:
            index = chance.face(f"seating/country of applicant {place + 1}", 0, len(free)) if by_lot else 1
            seats[place] = Seat(free.pop(index - 1))
    return tuple(seats[place] for place in range(len(wishes)))


def _lots(count: int, chance: Chance) -> list[int]:
    """The applicants in the order of their lots."""
    left = list(range(count))
    return [left.pop(chance.face("seating/lots", i, len(left)) - 1) for i in range(count)]


def _first_free(wishes: Sequence[str], free: list[str]) -> Seat:
    """The first country wished for that is free, taken; an empty seat when there is none."""
    for wish in wishes:
        for country in free:
            if country.casefold() == wish.casefold():
                free.remove(country)
                return Seat(country)
    return Seat("")
