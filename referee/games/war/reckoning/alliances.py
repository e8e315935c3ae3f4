"""Who is whose ally, and what that opens to him: war-time alliances (27.opt.alliances). Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.position.places import Fleet, Land
from referee.games.war.position.relations import Coalition, Feud
from referee.games.war.position.state import War
from referee.kit.wording import in_a_row

# ---------------------------------------------------------------- who is allied


def common_enemies(war: War, coalition: Coalition, one: Seat, other: Seat) -> tuple[Seat, ...]:
    """Whom two players on one side of a war both still fight there; nobody if they are not on one side of it."""
    side = coalition.side(one)
    if side is None or one == other or coalition.side(other) != side:
        return ()
    return tuple(foe for foe in coalition.sides[1 - side] if war.at_war(one, foe) and war.at_war(other, foe))


def allied(war: War, one: Seat, other: Seat) -> bool:
    """27.opt.alliances.5: allies as long as they fight a common enemy of the war that made them so."""
    return any(common_enemies(war, coalition, one, other) for coalition in war.coalitions)


def allies(war: War, seat: Seat) -> tuple[Seat, ...]:
    """A player's allies, in movement order."""
    return tuple(other for other in war.order if allied(war, seat, other)) if war.coalitions else ()


def partners(war: War, seat: Seat) -> tuple[Seat, ...]:
    """27.opt.alliances.3: himself, his allies, theirs, and so on."""
    found = [seat]
    for one in found:
        found += [other for other in allies(war, one) if other not in found]
    return tuple(found)


def alliances_in_words(war: War) -> tuple[str, ...]:
    """Who is allied with whom, and why, a sentence for each pair and war."""
    said: list[str] = []
    for coalition in war.coalitions:
        began = f"the war that {coalition.sides[0][0]} declared on {coalition.sides[1][0]} in turn {coalition.turn}"
        for side in coalition.sides:
            for one, other in ((one, other) for place, one in enumerate(side) for other in side[place + 1 :]):
                foes = common_enemies(war, coalition, one, other)
                if foes:
                    said.append(f"{one} and {other} are allies against {in_a_row(list(foes))}, since {began}.")
    shut = {owner: tuple(s for s in refused if allied(war, owner, s)) for owner, refused in war.shut.items()}
    said += [f"{owner} keeps {in_a_row(list(out))} out of his land." for owner, out in shut.items() if out]
    return tuple(said)


# ---------------------------------------------------------------- joining


def joined(war: War, seat: Seat, coalition: Coalition, side: int) -> War:
    """The position once a player is on a side: at war with all on the other (27.opt.alliances.1)."""
    sides = (
        (coalition.sides[0], (*coalition.sides[1], seat)) if side else ((*coalition.sides[0], seat), coalition.sides[1])
    )
    grown = replace(coalition, sides=sides)
    feuds = tuple(Feud(seat, foe) for foe in coalition.sides[1 - side] if not war.at_war(seat, foe))
    coalitions = tuple(grown if old.number == coalition.number else old for old in war.coalitions)
    return replace(war, coalitions=coalitions, feuds=(*war.feuds, *feuds))


def bar_to_joining(war: War, seat: Seat, coalition: Coalition, side: int) -> tuple[Seat, Seat] | None:
    """27.opt.alliances.3: two players who would be allies, be it through others, and are at war; None if nothing bars it."""
    together = partners(joined(war, seat, coalition, side), seat)
    after = joined(war, seat, coalition, side)
    pairs = ((one, other) for place, one in enumerate(together) for other in together[place + 1 :])
    return next((pair for pair in pairs if after.at_war(*pair)), None)


def trimmed(war: War) -> tuple[Coalition, ...]:
    """27.opt.alliances.5: the wars that go on, without those who have made peace with everybody on the other side."""
    return tuple(left for coalition in war.coalitions if all((left := _still(war, coalition)).sides))


def _still(war: War, coalition: Coalition) -> Coalition:
    one, other = coalition.sides
    left = tuple(seat for seat in one if any(war.at_war(seat, foe) for foe in other))
    return replace(coalition, sides=(left, tuple(foe for foe in other if any(war.at_war(foe, seat) for seat in one))))


# ---------------------------------------------------------------- what it opens


def friends(war: War, seat: Seat) -> tuple[Seat, ...]:
    """27.opt.alliances.6: whose land and fleets are open to a player: his own, and those of allies who let him in."""
    return (seat, *(ally for ally in allies(war, seat) if seat not in war.shut.get(ally, ())))


def carriers(war: War, seat: Seat, sea: str) -> tuple[Fleet, ...]:
    """27.opt.alliances.8: fleets that would take his units aboard in a sea area, his own first."""
    return tuple(fleet for owner in friends(war, seat) for fleet in war.fleets_of(owner, sea))


def guests(war: War, region: str, attacker: Seat | None) -> tuple[Seat, ...]:
    """27.opt.alliances.7: allies who defend a region with its owner, against natives (None) or an enemy of theirs too."""
    land = war.lands[region]
    return tuple(
        seat
        for seat in land.present
        if land.owner is not None and allied(war, seat, land.owner) and (attacker is None or war.at_war(seat, attacker))
    )


def attackers(war: War, land: Land) -> Iterator[Seat]:
    """Who stands in a region of somebody else to fight for it: not guests, nor those who were guests."""
    for seat in land.present:
        guest = war.coalitions or war.parted
        if seat != land.owner and (not guest or land.owner is None or _fights(war, seat, land.owner)):
            yield seat


def _fights(war: War, seat: Seat, owner: Seat) -> bool:
    return seat == war.active and war.at_war(seat, owner)


def heir(war: War, region: str) -> Seat | None:
    """27.board.8, R27-98: the ally who holds a region that its owner has no brigade left in."""
    land = war.lands[region]
    if land.owner is None or land.brigades(land.owner):
        return None
    there = [seat for seat in land.present if land.brigades(seat) and allied(war, seat, land.owner)]
    return max(there, key=land.brigades, default=None)
