"""CREATE: a match is opened, with its options and its clock."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from referee.core.chance import commitment
from referee.core.game import Completes, KeepsTime
from referee.kit.missing import why_missing
from referee.orders import did_you_mean
from referee.service.clock.clock_words import CLOCK_WORDS, read_clock
from referee.service.lobby.lapsing import keep_open
from referee.service.match.hidden_lateness import refuse_hiding
from referee.service.match.house_rules import refuse_beacon
from referee.service.match.result import Denial, Told, heed, need
from referee.service.office import At, Office
from referee.service.ports import MatchRow, Member, Player
from referee.service.settings import ClockSettings, settings_of

_NAME = re.compile(r"[a-z][a-z0-9-]{1,23}")


def read_options(office: Office, game: str, written: str) -> dict[str, str]:
    """Options as written, "nationalities yes, coal metal", completed by defaults; raises Denial where they are none."""
    settings = {setting.name: setting for setting in office.games[game].settings}
    options = {name: setting.default for name, setting in settings.items()}
    for part in filter(None, (piece.strip() for piece in re.split(r"[,;]", written))):
        name, _, value = part.replace("=", " ").partition(" ")
        name, value = name.strip().lower(), value.strip().lower()
        if name not in settings:
            near = did_you_mean(name, settings)
            meant = f"Did you mean {' or '.join(near)}?" if near else f"Its options are {', '.join(settings)}."
            raise Denial(f"{name} is no option of {game}. {meant}")
        if value not in settings[name].values:
            raise Denial(f"{name} takes {' or '.join(settings[name].values)}, not {value or 'nothing'}.")
        options[name] = value
    played: Any = office.games[game]
    completed = played.complete(options) if isinstance(played, Completes) else options
    if isinstance(completed, str):
        raise Denial(completed)
    return completed


def _told_apart(office: Office, game: str, written: str) -> tuple[str, list[str]]:
    """The options of the game and the settings of the clock in what stands after WITH.

    What begins with neither belongs to the setting before it, as in `days Mon, Tue`.
    """
    names = {setting.name for setting in office.games[game].settings}
    of_game: list[str] = []
    of_clock: list[str] = []
    for part in filter(None, (piece.strip() for piece in re.split(r"[,;]", written))):
        name = part.replace("=", " ").partition(" ")[0].lower()
        if name in CLOCK_WORDS and name not in names:
            of_clock.append(part)
        elif name in names or not of_clock or not _goes_on(part):
            of_game.append(part)
        else:
            of_clock[-1] += f" {part}"
    return ", ".join(of_game), of_clock


def _goes_on(part: str) -> bool:
    """Whether a part can be more of a list of days, countries, dates or spans of time: it names no value of an option."""
    return all(re.fullmatch(r"[\w-]{1,10}", word) for word in part.split()) and (
        " " not in part or " and " in f" {part} "
    )


def create(
    at: At,
    player: Player,
    game: str,
    name: str,
    written: str = "",
    clock: ClockSettings | None = None,
) -> Told:
    """Open a match; its creator becomes its game master."""
    may = not at.office.creators or at.office.creators & set(player.addresses)
    need(may, "Matches are created by the keeper here; ask him, or JOIN one that is forming (GAMES lists them).")
    need(game in at.office.games, f"I know no game {game}; I know {', '.join(at.office.games)}.")
    why = why_missing(at.office.games[game])
    need(not why, f"{why}.")
    heed(_misnamed(game, name))
    need(at.step.match(name.lower()) is None, f"There is a match {name} already; choose another name.")
    of_game, of_clock = _told_apart(at.office, game, written)
    options = read_options(at.office, game, of_game)
    settings = msgspec.to_builtins(clock or at.office.clock_defaults)
    played: Any = at.office.games[game]
    if clock is None and isinstance(played, KeepsTime):
        settings = {**settings, **played.clock(options)}
    chosen = read_clock(settings_of(settings), of_clock, player.zone, at.now)
    heed(refuse_hiding(played, chosen) or refuse_beacon(at.office, chosen))
    settings = msgspec.to_builtins(chosen)
    if options.get("mode") == "two_step" or "decisions" in options:  # the game itself asks only whom it should
        settings = {**settings, "waits": True}
    row = MatchRow(name.lower(), game, "forming", at.office.secrets.secret(), options, settings, at.now)
    at.step.save_match(row)
    at.step.save_member(Member(0, row.name, player.id, "gm", "watching"))
    keep_open(at, row.name)
    return (
        f"Match {row.name} of {at.office.games[game].title} is open and you are its game master.",
        f"Players join by writing JOIN {row.name} to {at.office.address}; you hear of each. {_starts(chosen, row.name)}",
        "A reply of STATUS tells who has joined; HELP, what you can do until then.",
        *chosen.slots.odd_ends(at.now),
        f"The dice are committed to already: the SHA-256 of their secret is {commitment(row.secret)}.",
    )


def _starts(settings: ClockSettings, match: str) -> str:
    if settings.starts_full:
        return f"It starts by itself when the last seat is taken, or before by START {match}."
    return f"You begin it with START {match}; SET start full lets it start by itself when the last seat is taken."


def is_match_name(name: str) -> bool:
    """Whether a match can have this name, as it is kept."""
    return _NAME.fullmatch(name) is not None


def _misnamed(game: str, name: str) -> str:
    """Why a match cannot have this name, and what would be right; "" where it can."""
    if is_match_name(name.lower()):
        return ""
    first, *more = re.split(r"[,\s]+", name.strip())
    if not more or not is_match_name(first.lower()):
        return f"{name} is no name for a match; use 2 to 24 letters, digits or hyphens, beginning with a letter."
    chosen = " ".join(more) if len(more) > 1 else f"{more[0]} yes"
    return f"The name of a match is one word, and what is chosen follows WITH: CREATE {game} AS {first} WITH {chosen}."
