"""Who proved nothing is asked before anything is done in his name: a letter that would do something is kept until its YES.

What is shown of it is what was understood, in our own words: neither text nor link of whoever wrote it goes to an address that
may know nothing of it.
"""

from __future__ import annotations

from referee.core.order import Order
from referee.orders import Reading
from referee.service.commands.command import Command
from referee.service.commands.words import command
from referee.service.office import At
from referee.service.people.seat_wishes import read_wishes
from referee.service.ports import Player

_SHOWN = 8


def does_in_his_name(at: At, player: Player, reading: Reading) -> tuple[str, ...]:
    """What a letter would do in the name of this person, as it is shown to him: each line once, a few of them."""
    does = [s.order for s in reading.desk if _does(command(s.order.verb), bool(player.id))]
    lines = tuple(dict.fromkeys(_as_read(at, order) for order in does))
    more = (f"and {len(lines) - _SHOWN} lines more",) if len(lines) > _SHOWN else ()
    return (*lines[:_SHOWN], *more)


def _does(asked: Command, known: bool) -> bool:
    """Whether a command does something outside of a match; who is not `known` may ask only what lets him in."""
    return asked.enters or (known and asked.proof and bool(asked.door or asked.before))


def _as_read(at: At, order: Order) -> str:
    """A line as it was understood: its word, the match or game, and the seats that there are."""
    about = next((thing.name for thing in order.things if thing.kind in ("match", "game")), "")
    row = at.step.match(about) if about else None
    seats = at.office.games[row.game].seat_names(row.options) if row else ()
    wished = tuple(filter(None, (part.strip() for part in order.words_after("AS").split(","))))
    meant, _ = read_wishes(seats, wished, "") if seats else ((), ())
    return " ".join(filter(None, (order.verb, about, f"AS {', '.join(meant)}" if meant else "")))
