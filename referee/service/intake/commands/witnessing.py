"""Commands by which a game master names who shall witness a match: another referee, or a program, that signs heads of its log."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.order import Order
from referee.mail import address_in, parse_recipient
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Player
from referee.service.house.people import is_on
from referee.service.intake.commands.command import REASON, Before, By, Command, Here, named, word
from referee.service.intake.commands.house import in_play
from referee.service.match.open_log import keep_witness, witnesses
from referee.service.match.result import Denial, Told
from referee.service.post.proof import key_text
from referee.service.turn.hand import Hand
from referee.service.turn.heads import name_witness, send_heads

_NOTHING_SIGNED = "This referee signs no heads of logs, so there is nothing to witness."


def _in_play(before: Before) -> Here:
    """Who was named is asked about the head that then stands."""
    act = in_play(before)

    def here(hand: Hand, order: Order) -> Told:
        said = act(hand, order)
        send_heads(hand)
        return said

    return here


def _witness(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    address = address_in(named(order, "address"))
    if address is None:
        raise Denial("Say by its address whom to ask: WITNESS referee@club.example.")
    if not key_text(at.office):
        raise Denial(_NOTHING_SIGNED)
    if parse_recipient(address, at.office.address) is not None:
        raise Denial("I cannot witness my own log; name another referee.")
    if is_on(at.office.deny, address):
        raise Denial(f"This host does not admit {address}; ask the host if you think that this is a mistake.")
    name_witness(at, row.name, address)
    return (
        f"{address} is to witness {row.name}: it is asked to sign the heads of its log.",
        "It learns the sizes and hashes of the log, and nothing of what happens or who plays.",
    )


def _no_witness(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    address = address_in(named(order, "address"))
    known = next((witness for witness in witnesses(at.step, row.name) if witness.address == address), None)
    if known is None:
        there = ", ".join(witness.address for witness in witnesses(at.step, row.name)) or "none"
        raise Denial(f"{address or 'Nobody'} is no witness of {row.name}; its witnesses: {there}.")
    keep_witness(at.step, row.name, replace(known, on=False))
    return (f"{address} is no witness of {row.name} any more.",)


def _somebody(hand: Hand) -> str | None:
    return None if key_text(hand.office) else ""


def _unsigned(hand: Hand) -> str:
    return "" if key_text(hand.office) else "no heads are signed here"


def _first(hand: Hand) -> str | None:
    there = witnesses(hand.step, hand.match)
    return f"NO WITNESS {there[0].address}" if there else ""


def _nobody(hand: Hand) -> str:
    return "" if witnesses(hand.step, hand.match) else "this match has no witness"


COMMANDS = (
    Command(
        verb=word(
            "WITNESS",
            "asks another referee to sign each head of the log, so that nobody can be shown another log; three at most",
            "WITNESS referee@club.example",
            ("address", "match"),
            1,
            2,
            {"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=_in_play(_witness),
        before=_witness,
        example=_somebody,
        note=_unsigned,
    ),
    Command(
        verb=word(
            "NO WITNESS",
            "asks it no more",
            "NO WITNESS referee@club.example",
            ("address", "match"),
            1,
            2,
            {"BECAUSE": REASON},
        ),
        by=By.MASTERS,
        here=_in_play(_no_witness),
        before=_no_witness,
        example=_first,
        note=_nobody,
    ),
)
