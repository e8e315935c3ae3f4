"""Commands by which a game master keeps house: whom a match admits, who plays, who is ejected and who gets his seat, who masters
it, who witnesses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import msgspec
from msgspec.structs import replace

from referee.core.game import AnyGame
from referee.core.order import Order
from referee.kit.opponents import Strength
from referee.mail import address_in, domain_of, parse_recipient, spelt
from referee.service.base.note_values import HouseRules
from referee.service.base.office import At
from referee.service.base.ports import MatchRow, Member, Player
from referee.service.house.forming import let_bots_in
from referee.service.house.invitations import ask, needs_no_question, promote, refuse_master
from referee.service.house.people import is_on
from referee.service.house.replacements import give_to_dummy, give_to_standby, replace_player, standing_by, why_not
from referee.service.intake.commands.command import (
    Before,
    By,
    Command,
    Here,
    always,
    begun_already,
    named,
    nothing_to_do,
    reason,
    word,
)
from referee.service.intake.commands.help import seat_told
from referee.service.match.bots import strength_in
from referee.service.match.members import house_rules, keep_house_rules
from referee.service.match.open_log import keep_witness, key_text, witnesses
from referee.service.match.result import Denial, Told, heed
from referee.service.turn.signed_heads import name_witness, send_heads
from referee.service.turn.writer import Hand


def in_play(before: Before) -> Callable[[Hand, Order], Told]:
    """In a running match a decision is logged and told to everybody, too."""

    def here(hand: Hand, order: Order) -> Told:
        said = before(hand, hand.playing.row, hand.player, order)
        # Addresses are nobody's business but the game master's; a log is for all, in the end.
        of_addresses = order.verb in ("ALLOW", "DENY")
        hand.log(f"{order.verb}: {'the list has changed.' if of_addresses else ' '.join(said)}")
        return said if of_addresses else hand.tell(f"the game master wrote {order.verb}", said)

    return here


def _names(order: Order) -> list[str]:
    """The words of a sentence, and its addresses in their one spelling."""
    found = [thing for thing in order.things if thing.kind != "match"]
    words = [[thing.name] if thing.kind == "address" else thing.name.replace(",", " ").split() for thing in found]
    return [address_in(word) or domain_of(word) or word.casefold() for each in words for word in each]


def _listed(field: str, clears: str, said: str, cleared: str) -> Before:
    def before(at: At, row: MatchRow, by: Player, order: Order) -> Told:
        names, rules = _names(order), house_rules(at.step, row.name)
        if names == [clears]:
            keep_house_rules(at.step, row.name, msgspec.structs.replace(rules, **{field: ()}))
            return (cleared,)
        wrong = [name for name in names if not (spelt(name) if "@" in name else "." in name and domain_of(name))]
        if wrong or not names:
            raise Denial(
                f"{' '.join(wrong) or 'Nothing'} is neither an address nor a domain; write name@host.org or host.org."
            )
        whole = tuple(dict.fromkeys((*getattr(rules, field), *names)))
        keep_house_rules(at.step, row.name, msgspec.structs.replace(rules, **{field: whole}))
        return (f"{said} {', '.join(whole)}.",)

    return before


def _muster(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    wanted = _yes_or_no(order, row)
    if row.status != "forming":
        raise Denial(f"{row.name} has started; a muster is held before.")
    if wanted is None:
        raise Denial("Write MUSTER yes or MUSTER no.")
    keep_house_rules(at.step, row.name, msgspec.structs.replace(house_rules(at.step, row.name), muster=wanted))
    return ("START first asks everybody whether he is still there." if wanted else "START asks nobody any more.",)


def _number(order: Order, otherwise: int) -> int:
    """The number in a sentence; written before a name, as in BOT 2 nw1, it is read as so many of that."""
    return next((thing.count() for thing in order.things if thing.quantity is not None), otherwise)


def _yes_or_no(order: Order, row: MatchRow) -> bool | None:
    written = " ".join(
        name for name in _names(order) if name != row.name
    )  # LISTED no nw1 has the match among its words
    return {"yes": True, "on": True, "no": False, "off": False}.get(written)


def _list(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    wanted = _yes_or_no(order, row)
    if wanted is None:
        raise Denial("Write LISTED yes or LISTED no.")
    keep_house_rules(at.step, row.name, msgspec.structs.replace(house_rules(at.step, row.name), listed=wanted))
    return (f"{row.name} is {'listed' if wanted else 'not listed'} for those who take no part in it.",)


def _comment(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    text = ", ".join(thing.name for thing in order.things if thing.kind != "match").strip()
    if not 0 < len(text) <= 500:
        raise Denial('Write the comment in quotation marks, of 500 characters at most: COMMENT "Beginners welcome."')
    comment = "" if text.casefold() == "none" else text
    keep_house_rules(at.step, row.name, msgspec.structs.replace(house_rules(at.step, row.name), comment=comment))
    return (f"{row.name} is listed with this comment: {comment}" if comment else "The comment is taken off.",)


def _reliable(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    share = _number(order, -1)
    if not 0 <= share <= 100:
        raise Denial("Write of how many slots in a hundred: RELIABILITY 80; 0 admits everybody.")
    keep_house_rules(at.step, row.name, msgspec.structs.replace(house_rules(at.step, row.name), reliable=share))
    said = f"Only players on time in {share} of 100 slots are admitted from now on, and newcomers."
    return (said if share else "Nobody's record keeps him out.",)


def _abandon(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    numbers, then = (
        order.after("AFTER"),
        " ".join(thing.name for thing in order.after("GIVING TO")).casefold().replace("bot", "dummy") or "standby",
    )
    if not numbers or not 0 <= (count := numbers[0].count()) <= 99 or then not in ("standby", "dummy", "ask"):
        raise Denial(
            "Write ABANDON AFTER 3 GIVING TO standby; or to bot, or to ask, which leaves it to you; AFTER 0 is never."
        )
    rules = house_rules(at.step, row.name)
    keep_house_rules(
        at.step,
        row.name,
        msgspec.convert({**msgspec.to_builtins(rules), "abandon_after": count, "abandoned": then}, HouseRules),
    )
    what = {"standby": "goes to a standby player", "dummy": "goes to a steady bot", "ask": "waits for the game master"}[
        then
    ]
    return (f"A seat rolled out {count} times in a row is abandoned and {what}." if count else "No seat is abandoned.",)


# ---------------------------------------------------------------- people


def _promote(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    """A member becomes game master at once; anybody else is asked before."""
    address = address_in(named(order, "address"))
    if address is None:
        raise Denial(f"{named(order, 'address')} is no address I can write to; write PROMOTE ben@example.org.")
    here = needs_no_question(at.step, row.name, address, by)
    if here is not None:
        return promote(at, row, here)
    heed(refuse_master(at, row, at.step.player_at(address) or Player(0, "", (address,))))
    return ask(at, row, by, address, "master", why=reason(order))


def _eject(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    written = named(order, "address")
    player = at.step.player_at(address_in(written) or written)
    mine = [m for m in at.step.members(row.name) if player and m.player == player.id]
    master = next((m for m in mine if m.role == "gm"), None)
    out: Sequence[Member] = [m for m in mine if m.status in ("applied", "watching", "standby")]
    if player is None or not out:
        raise Denial(
            "That address is nobody's who masters, watches or has joined; a player's seat goes by EJECT and its name."
        )
    if master and sum(member.role == "gm" for member in at.step.members(row.name)) == 1:
        raise Denial(f"{player.name} is the only game master of {row.name}; PROMOTE somebody else first.")
    for member in out:
        role = "observer" if member.role == "gm" else member.role
        at.step.save_member(msgspec.structs.replace(member, role=role, status="left"))
    return (f"{player.name} is no longer part of {row.name}.",)


def _dummies(at: At, row: MatchRow, by: Player, order: Order) -> Told:
    number = _number(order, 0)
    if row.status != "forming" or not 0 < number <= 20:
        raise Denial(
            f"Before the start write how many: BOT 2 novice {row.name}; in a running match name the seat: BOT France steady."
        )
    return let_bots_in(at, row, number, _strength(at.office.games[row.game], order))


def _strength(game: AnyGame, order: Order) -> Strength:
    return strength_in(
        game, next((clause.preposition for clause in order.clauses if clause.preposition in _STRENGTHS), "")
    )


_STRENGTHS = tuple(strength.upper() for strength in get_args(Strength))
"""The words that may stand behind the number, or the seat."""


def _dummy(hand: Hand, order: Order) -> Told:
    """BOT gives a seat to a bot."""
    if seat := named(order, "seat"):
        return give_to_dummy(hand, seat, _strength(hand.playing.game, order))
    return in_play(_dummies)(hand, order)


def _put_out(hand: Hand, order: Order) -> Told:
    """EJECT gives a player's seat to a standby player, and to the bots if there is none."""
    seat = named(order, "seat")
    if not seat:
        return in_play(_eject)(hand, order)
    try:
        return give_to_standby(hand, seat)
    except Denial:
        return give_to_dummy(hand, seat)


def _ejected(hand: Hand) -> str | None:
    return f'EJECT {seat_told(hand)} BECAUSE "abuse"' if hand.game_master else None


def _replace(hand: Hand, order: Order) -> Told:
    """A member has the seat at once; anybody else is asked before, and until his YES it stays with its player."""
    step, by, why = hand.step, hand.player, hand.reason
    seat, written = named(order, "seat"), order.words_after("BY")
    if not written:
        return give_to_standby(hand, seat)
    address = address_in(written)
    if address is None:
        raise Denial(f"{written} is no address I can write to; write REPLACE {seat} BY anna@example.org.")
    here = needs_no_question(step, hand.match, address, by)
    if here is not None:
        return replace_player(hand, seat, here)
    newcomer = step.player_at(address) or Player(0, "", (address,))
    heed(why_not(hand, seat, newcomer))
    return ask(hand, hand.playing.row, by, address, "seat", seat, why)


def _who_stands_by(hand: Hand) -> str | None:
    first = next((hand.step.player(m.player) for m in standing_by(hand.step, hand.match)), None)
    if first is None or not first.addresses or not hand.game_master:
        return None
    return f"REPLACE {seat_told(hand)} BY {first.addresses[0]}"


_ALLOW = _listed("allow", "anybody", "Admitted are only", "Anybody is admitted who is not denied.")
_DENY = _listed("deny", "nobody", "Kept out are", "Nobody is kept out.")


# ---------------------------------------------------------------- witnessing
# Commands by which a game master names who shall witness a match: another referee, or a program, that signs heads of its log.


_NOTHING_SIGNED = "This referee signs no heads of logs, so there is nothing to witness."


def _in_play(before: Before) -> Here:
    """The named witness is asked about the head that then stands."""
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
            "REPLACE",
            "gives a seat to another player, who is asked first if he takes no part yet; without BY, to the first who stands by",
            "REPLACE France BY anna@example.org",
            "1..1 seat; BY address; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_replace,
        grave=True,
        key=always,
        example=_who_stands_by,
    ),
    Command(
        verb=word(
            "BOT",
            "has a bot play a seat, a novice, a steady, a strong or a patient one; before the start, so many of them join",
            'BOT France steady BECAUSE "nobody stands by"',
            f"1..2 seat match number; {'; '.join(f'{strength} match' for strength in _STRENGTHS)}; BECAUSE words text",
            aliases=("DUMMY",),
            ways=_STRENGTHS,
        ),
        by=By.MASTERS,
        here=_dummy,
        before=_dummies,
        grave=True,
        key=always,
        instead="AUTOPLAY UNTIL and a day has a bot play for you while you are away",
    ),
    Command(
        verb=word(
            "PROMOTE",
            "makes somebody game master beside you, who is asked first if he takes no part yet",
            "PROMOTE ben@example.org",
            "1..2 address match; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=lambda hand, order: _promote(hand, hand.playing.row, hand.player, order),
        before=_promote,
        grave=True,
        key=always,
    ),
    Command(
        verb=word(
            "EJECT",
            "takes somebody out: a fellow game master, an observer, somebody who has joined; the seat of a player goes to the "
            "list or a bot",
            'EJECT ben@example.org BECAUSE "abuse"',
            "1..2 address seat match; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_put_out,
        before=_eject,
        grave=True,
        key=always,
        example=_ejected,
    ),
    Command(
        verb=word(
            "ALLOW",
            "admits only these addresses or domains from now on; ALLOW anybody forgets that list",
            "ALLOW club.example, anna@example.org",
            "1.. match address words text",
        ),
        by=By.MASTERS,
        here=in_play(_ALLOW),
        before=_ALLOW,
        key=always,
    ),
    Command(
        verb=word(
            "DENY",
            "keeps these addresses or domains out; DENY nobody forgets that list",
            "DENY spam.example",
            "1.. match address words text",
        ),
        by=By.MASTERS,
        here=in_play(_DENY),
        before=_DENY,
        key=always,
    ),
    Command(
        verb=word(
            "RELIABILITY",
            "admits only players on time in so many slots of a hundred, over all their matches, and newcomers; 0: everybody",
            "RELIABILITY 80",
            "1..2 number match",
        ),
        by=By.MASTERS,
        here=in_play(_reliable),
        before=_reliable,
    ),
    Command(
        verb=word(
            "COMMENT",
            "says something about the match wherever it is listed; COMMENT none takes it off",
            'COMMENT "Beginners welcome."',
            "1..2 text words match",
        ),
        by=By.MASTERS,
        here=in_play(_comment),
        before=_comment,
        public=True,
    ),
    Command(
        verb=word(
            "LISTED",
            "sets whether people who take no part in the match are told of it",
            "LISTED no",
            "1..2 words match",
        ),
        by=By.MASTERS,
        here=in_play(_list),
        before=_list,
    ),
    Command(
        verb=word(
            "MUSTER",
            "sets whether START first asks everybody whether he is still there",
            "MUSTER yes",
            "1..2 match words",
        ),
        by=By.MASTERS,
        here=in_play(_muster),
        before=_muster,
        example=nothing_to_do,
        note=begun_already,
    ),
    Command(
        verb=word(
            "ABANDON",
            "sets after how many turns rolled out in a row a seat is abandoned (0: never), and then: standby, bot or ask",
            "ABANDON AFTER 3 GIVING TO standby",
            "..1 match; AFTER number; GIVING TO words",
        ),
        by=By.MASTERS,
        here=in_play(_abandon),
        before=_abandon,
        grave=True,
        key=always,
    ),
    Command(
        verb=word(
            "WITNESS",
            "asks another referee to sign each head of the log, so that nobody can be shown another log; three at most",
            "WITNESS referee@club.example",
            "1..2 address match; BECAUSE words text",
        ),
        by=By.MASTERS,
        here=_in_play(_witness),
        before=_witness,
        example=_somebody,
        note=_unsigned,
    ),
    Command(
        verb=word(
            "NO WITNESS", "asks it no more", "NO WITNESS referee@club.example", "1..2 address match; BECAUSE words text"
        ),
        by=By.MASTERS,
        here=_in_play(_no_witness),
        before=_no_witness,
        example=_first,
        note=_nobody,
    ),
)
