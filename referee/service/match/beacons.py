"""Whether a match may take public randomness into its dice: only in a house that has a beacon."""

from __future__ import annotations

from referee.service.office import Office
from referee.service.settings import ClockSettings


def refuse_beacon(office: Office, settings: ClockSettings, before: ClockSettings | None = None) -> str:
    """Why the dice of a match cannot come of a beacon as its settings would; "" where they can, or shall not.

    A match whose dice did so `before` is changed in other things all the same.
    """
    had = before is not None and before.beacon == settings.beacon
    if settings.beacon == "letters" or had or office.randomness is not None:
        return ""
    return (
        "No beacon of public randomness is set up here, so beacon drand cannot be had; with beacon letters the dice come of "
        "the secret and of all that was written."
    )
