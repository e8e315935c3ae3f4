"""Who plays which country."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.chance import Chance
from referee.core.game import Options
from referee.core.names import Seat
from referee.games.newworld.rulebook.tables import SEATS, TABLES
from referee.kit.places import first_free


def seat_names(options: Options) -> tuple[str, ...]:
    """The countries that can be played."""
    return tuple(TABLES.nations) if options["nationalities"] == "yes" else SEATS


def refuse_options(options: Options, players: int) -> str | None:
    """nw.r32: two to six players, to five with nationalities."""
    most = len(seat_names(options))
    if not 2 <= players <= most:
        how = "with" if options["nationalities"] == "yes" else "without"
        return f"New World {how} nationalities is for 2 to {most} players, not {players}."
    return None


def seat_players(wishes: Sequence[tuple[str, ...]], options: Options, chance: Chance) -> tuple[Seat, ...]:
    """The seat of each applicant: by lot with nationalities (nw.nation.choice), otherwise first come, first served."""
    by_lot = options["nationalities"] == "yes"
    free = list(seat_names(options))
    seats: dict[int, Seat] = {}
    for place in reversed(_lots(len(wishes), chance)) if by_lot else range(len(wishes)):
        seats[place] = first_free(wishes[place], free)
    for place, seat in seats.items():
        if not seat:
            index = chance.face(f"seating/country of applicant {place + 1}", 0, len(free)) if by_lot else 1
            seats[place] = Seat(free.pop(index - 1))
    return tuple(seats[place] for place in range(len(wishes)))


def _lots(count: int, chance: Chance) -> list[int]:
    """The applicants in the order of their lots."""
    left = list(range(count))
    return [left.pop(chance.face("seating/lots", i, len(left)) - 1) for i in range(count)]
