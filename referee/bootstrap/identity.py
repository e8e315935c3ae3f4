"""Who a house is: its address and its keys stand in the database, and whoever comes with others does not serve."""

from __future__ import annotations

import msgspec

from referee.adapters.unusable import Unusable
from referee.config import Config
from referee.core.proof.key_change import read_change
from referee.service.base import notes
from referee.service.base.office import Office
from referee.service.base.remembered import Identity


def of_this_machine(config: Config, office: Office) -> Identity:
    """What these settings, and the files that they name, say."""
    assert office.signer is not None
    return Identity(office.address.lower(), office.signer.public.hex(), _selectors(config)[0])


def _selectors(config: Config) -> tuple[str, ...]:
    """Who signs letters, and who did so before him."""
    if not config.dkim.selector:
        return ("",)
    from referee.bootstrap.signatures import dkim_keys

    keys = dkim_keys(config)
    return (keys.signer().selector, *keys.old()) if keys else ("",)


def otherwise(config: Config, office: Office) -> str:
    """Why the database is that of another house than these settings; "" where it is not."""
    with office.store.look() as step:
        kept = notes.IDENTITY.of().read(step)
    here = of_this_machine(config, office)
    if kept is None:
        return ""
    if kept.address != here.address:
        said = f"The database is that of {kept.address}, and [referee] address is {here.address}: set it to that"
    elif kept.key not in (here.key, *_former(office)):
        said = "Another key than signing.key here signs for this house: copy signing.key and signing.changes of its other machine"
    elif kept.selector not in ("", *_selectors(config)):
        said = f"Letters of this house are signed by {kept.selector} (DKIM), and here by {here.selector or 'nobody'}"
        said += ": take over [dkim] and the folder dkim of its other machine"
    else:
        return ""
    return f"{said}, or say referee keys accept if it is to be so from now on."


def _former(office: Office) -> list[str]:
    return [change.old.public.hex() for written in office.key_changes if (change := read_change(written))]


def take_up(config: Config, office: Office) -> None:
    """At the start of a service. Raises Unusable for a database of another house; new keys in good order are noted."""
    if said := otherwise(config, office):
        raise Unusable(said)
    office.sign(b"From: a@b.example\r\n\r\n")  # a key that cannot sign is told now, not at the first letter
    accept(config, office)


def accept(config: Config, office: Office) -> Identity:
    """From now on the house is who these settings say."""
    here, note = of_this_machine(config, office), notes.IDENTITY.of()
    with office.store.look() as step:
        before = note.read(step)
        begins = before is None and not (config.referee.answer_old or step.matches() or step.tally().letters_in)
    since = office.clock.now() if begins else before and before.since
    here = msgspec.structs.replace(here, since=since)
    if before != here:
        with office.store.step() as step:
            note.keep(step, here)
    return here
