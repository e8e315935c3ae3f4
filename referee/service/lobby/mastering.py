"""What a game master decides about a match whether it has begun or not: lists, muster, abandonment, who masters it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from referee.core.order import Order
from referee.service.match.dummies import enter_dummies
from referee.service.match.houserules import HouseRules, house_rules, keep_house_rules
from referee.service.match.naming import call_otherwise, name_from
from referee.service.office import Office
from referee.service.people.admission import refuse_entry
from referee.service.people.said import Said
from referee.service.ports import Conflict, MatchRow, Member, Player, Step

Decision = Callable[[Office, Step, MatchRow, Order], Said]


def _no(sentence: str) -> Said:
    return Said(False, (sentence,))


def _names(order: Order) -> list[str]:
    found = (thing.name for thing in order.things if thing.kind != "match")
    return [name for written in found for name in written.replace(",", " ").casefold().split()]


def _listed(field: str, clears: str, said: str, cleared: str) -> Decision:
    def decide(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
        names, rules = _names(order), house_rules(step, row.name)
        if names == [clears]:
            keep_house_rules(step, row.name, msgspec.structs.replace(rules, **{field: ()}))
            return Said(True, (cleared,))
        wrong = [name for name in names if "." not in name.rpartition("@")[2]]
        if wrong or not names:
            return _no(
                f"{' '.join(wrong) or 'Nothing'} is neither an address nor a domain; write name@host.org or host.org."
            )
        whole = tuple(dict.fromkeys((*getattr(rules, field), *names)))
        keep_house_rules(step, row.name, msgspec.structs.replace(rules, **{field: whole}))
        return Said(True, (f"{said} {', '.join(whole)}.",))

    return decide


def _muster(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    wanted = _yes_or_no(order, row)
    if row.status != "forming":
        return _no(f"{row.name} has started; a muster is held before.")
    if wanted is None:
        return _no("Write MUSTER yes or MUSTER no.")
    keep_house_rules(step, row.name, msgspec.structs.replace(house_rules(step, row.name), muster=wanted))
    return Said(
        True, ("START first asks everybody whether he is still there." if wanted else "START asks nobody any more.",)
    )


def _number(order: Order, otherwise: int) -> int:
    """The number in a sentence; written before a name, as in DUMMY 2 nw1, it is read as so many of that."""
    return next((thing.count() for thing in order.things if thing.quantity is not None), otherwise)


def _yes_or_no(order: Order, row: MatchRow) -> bool | None:
    written = " ".join(
        name for name in _names(order) if name != row.name
    )  # LISTED no nw1 has the match among its words
    return {"yes": True, "on": True, "no": False, "off": False}.get(written)


def _list(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    wanted = _yes_or_no(order, row)
    if wanted is None:
        return _no("Write LISTED yes or LISTED no.")
    keep_house_rules(step, row.name, msgspec.structs.replace(house_rules(step, row.name), listed=wanted))
    return Said(True, (f"{row.name} is {'listed' if wanted else 'not listed'} for those who take no part in it.",))


def _comment(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    text = ", ".join(thing.name for thing in order.things if thing.kind != "match").strip()
    if not 0 < len(text) <= 500:
        return _no('Write the comment in quotation marks, of 500 characters at most: COMMENT "Beginners welcome."')
    comment = "" if text.casefold() == "none" else text
    keep_house_rules(step, row.name, msgspec.structs.replace(house_rules(step, row.name), comment=comment))
    return Said(
        True, (f"{row.name} is listed with this comment: {comment}" if comment else "The comment is taken off.",)
    )


def _reliable(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    share = _number(order, -1)
    if not 0 <= share <= 100:
        return _no("Write of how many slots in a hundred: RELIABILITY 80; 0 admits everybody.")
    keep_house_rules(step, row.name, msgspec.structs.replace(house_rules(step, row.name), reliable=share))
    said = f"Only who is on time in {share} of 100 slots is admitted from now on, and who is new."
    return Said(True, (said if share else "Nobody's record keeps him out.",))


def _abandon(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    numbers, then = (
        order.after("AFTER"),
        " ".join(thing.name for thing in order.after("GIVING TO")).casefold() or "standby",
    )
    if not numbers or not 0 <= (count := numbers[0].count()) <= 99 or then not in ("standby", "dummy", "ask"):
        return _no(
            "Write ABANDON AFTER 3 GIVING TO standby; or to dummy, or to ask, which leaves it to you; AFTER 0 is never."
        )
    rules = house_rules(step, row.name)
    keep_house_rules(
        step,
        row.name,
        msgspec.convert({**msgspec.to_builtins(rules), "abandon_after": count, "abandoned": then}, HouseRules),
    )
    what = {"standby": "goes to who stands by", "dummy": "goes to a dummy", "ask": "waits for the game master"}[then]
    return Said(
        True,
        (f"A seat rolled out {count} times in a row is abandoned and {what}." if count else "No seat is abandoned.",),
    )


# ---------------------------------------------------------------- people


def _person(office: Office, step: Step, order: Order) -> Player | None:
    """The person an address names, made known if he is not yet."""
    address = next((thing.name for thing in order.things if thing.kind == "address"), "").casefold()
    if not address:
        return None
    try:
        return step.player_at(address) or step.save_player(Player(0, name_from("", address), (address,), office.zone))
    except Conflict:
        return None


def _masters(step: Step, match: str) -> list[Member]:
    return [member for member in step.members(match) if member.role == "gm"]


def _promote(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    player = _person(office, step, order)
    if player is None:
        return _no("Say whom by his address: PROMOTE ben@example.org.")
    if unwanted := refuse_entry(office, step, row.name, player.addresses, player.addresses[0]):
        return _no(unwanted)
    if any(member.player == player.id for member in _masters(step, row.name)):
        return _no(f"{player.name} is game master of {row.name} already.")
    player, _ = call_otherwise(office, step, row.name, player)
    watching = next((m for m in step.members(row.name) if m.player == player.id and m.role == "observer"), None)
    step.save_member(Member(watching.id if watching else 0, row.name, player.id, "gm", "watching"))
    return Said(True, (f"{player.name} is game master of {row.name} too.",))


def _eject(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    player = _person(office, step, order)
    mine = [m for m in step.members(row.name) if player and m.player == player.id]
    master = next((m for m in mine if m.role == "gm"), None)
    out: Sequence[Member] = [m for m in mine if m.status in ("applied", "watching", "standby")]
    if player is None or not out:
        return _no(
            "That address is nobody's who masters, watches or has joined; a player's seat goes by EJECT and its name."
        )
    if master and len(_masters(step, row.name)) == 1:
        return _no(f"{player.name} is the only game master of {row.name}; PROMOTE somebody else first.")
    for member in out:
        role = "observer" if member.role == "gm" else member.role
        step.save_member(msgspec.structs.replace(member, role=role, status="left"))
    return Said(True, (f"{player.name} is no longer part of {row.name}.",))


def _dummies(office: Office, step: Step, row: MatchRow, order: Order) -> Said:
    number = _number(order, 0)
    if row.status != "forming" or not 0 < number <= 20:
        return _no(
            f"Before the start write how many: DUMMY 2 {row.name}; in a running match name the seat: DUMMY France."
        )
    joined = sum(m.status == "applied" for m in step.members(row.name))
    seats = len(office.games[row.game].seat_names(row.options))
    if joined + number > seats:
        return _no(f"{row.name} has {seats} seats and {joined} joined so far; {seats - joined} are left for dummies.")
    enter_dummies(step, row, number)
    joined += number
    return Said(
        True, (f"{number} dumm{'ies have' if number > 1 else 'y has'} joined {row.name}; {joined} joined so far.",)
    )


DECISIONS: Mapping[str, Decision] = {
    "ALLOW": _listed("allow", "anybody", "Admitted are only", "Anybody is admitted who is not denied."),
    "DENY": _listed("deny", "nobody", "Kept out are", "Nobody is kept out."),
    "MUSTER": _muster,
    "ABANDON": _abandon,
    "COMMENT": _comment,
    "LISTED": _list,
    "RELIABILITY": _reliable,
    "PROMOTE": _promote,
    "EJECT": _eject,
    "DUMMY": _dummies,
}
"""By their words."""
