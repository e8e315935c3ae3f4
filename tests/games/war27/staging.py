"""The staging words of War!'s cases: what GIVEN lines may set up and EXPECT lines may claim.

The stage: Red, Blue and Green, who move in this order; turn 2, round 1, Red's share. Red holds Great Britain, Blue
Japan, Green Madagascar, each with one infantry and a dot chit; everything else is native and undrawn. Nobody has PP
or DP.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.war.position import Army, Feud, Land, Load, Marker, Offer, Stack, Treasury
from referee.games.war.position.state import War, first_position
from referee.games.war.reckoning.scoring import points, tally
from referee.games.war.rulebook import BOARD, BUILDINGS, CHITS, KINDS, LAND_UNITS, LEADERS, MARKERS, plural
from tests.games.war27.staging_options import EXPECT, GIVEN, check_modifier

HOMES = {"Red": "Great Britain", "Blue": "Japan", "Green": "Madagascar"}
"""Where the three players of a case live unless it says otherwise: islands, out of everybody's way."""

LAND_KINDS = tuple(kind for kind in LAND_UNITS if kind in KINDS)
"""The land units of Version 27."""

_WORDS = {word: kind for kind in (*KINDS, *LEADERS, *BUILDINGS) for word in (kind, plural(kind))}


def stage(options: Mapping[str, str], players: tuple[str, ...] = tuple(HOMES)) -> War:
    """The position from which GIVEN starts."""
    seats = tuple(Seat(name) for name in players)
    war = replace(first_position(seats, options), stage="movement", turn=2, round=1, slot=5)
    war = replace(war, active=seats[0], waiting=seats[1:])
    for name, home in HOMES.items():
        if name in players:
            war = war.with_land(home, owner=Seat(name), chit="dot", stacks=(Stack(Seat(name), "infantry", 1),))
    return war


# ---------------------------------------------------------------- words


def _counts(text: str) -> dict[str, int]:
    """`3 infantry, 1 general and a city` -> {"infantry": 3, ...}; `nothing` is nothing."""
    found: dict[str, int] = {}
    if text in ("nothing", "no units", "nobody"):
        return found
    for part in re.split(r",\s*|\s+and\s+", text):
        number, _, word = part.partition(" ")
        if word not in _WORDS:
            raise ValueError(f"{part!r} is no number of units or buildings")
        found[_WORDS[word]] = 1 if number in ("a", "an") else 0 if number == "no" else int(number)
    return found


def _region(name: str) -> str:
    if name not in BOARD.regions:
        raise ValueError(f"{name!r} is no region")
    return name


def _sea(name: str) -> str:
    if name not in BOARD.seas:
        raise ValueError(f"{name!r} is no sea area")
    return name


def _marker(text: str, face_up: bool) -> Marker:
    strength = text.rstrip("+")
    return Marker(int(strength), len(text) - len(strength), face_up)


# ---------------------------------------------------------------- GIVEN


def given(state: War, fact: str) -> War:
    """The position changed so that a fact holds. Raises ValueError for a fact it does not understand."""
    for pattern, change in (GIVEN | _GIVEN).items():
        match = re.fullmatch(pattern, fact)
        if match:
            return change(state, *match.groups())
    raise ValueError(f"GIVEN does not understand {fact!r}")


def _players(war: War, names: str) -> War:
    return stage(war.options, tuple(names.split(", ")))


def _before_setup(war: War) -> War:
    return first_position(war.seats, war.options)


def _order(war: War, names: str) -> War:
    return replace(war, order=tuple(Seat(name) for name in names.split(", ")))


def _share(war: War, seat: str, turn: str, round_: str) -> War:
    place = war.order.index(Seat(seat))
    return replace(
        war, stage="movement", turn=int(turn), round=int(round_), active=Seat(seat), waiting=war.order[place + 1 :]
    )


def _production(war: War, turn: str) -> War:
    return replace(war, stage="production", turn=int(turn), round=0, active=None, waiting=())


def _purse(war: War, seat: str, pp: str, dp: str | None) -> War:
    hand = Treasury(int(pp), int(dp) if dp else 0)
    return replace(war, treasuries={**war.treasuries, Seat(seat): hand})


def _diplomacy(war: War, seat: str, dp: str) -> War:
    return replace(war, treasuries={**war.treasuries, Seat(seat): Treasury(war.treasuries[Seat(seat)].pp, int(dp))})


def _holds_nothing(war: War, seat: str) -> War:
    lands = {name: Land(name) if land.owner == seat else land for name, land in war.lands.items()}
    return replace(war, lands=lands)


def _holds(war: War, seat: str, regions: str, text: str | None) -> War:
    """Regions with an infantry each, or with the units and buildings named; westernized, a dot chit."""
    counts = _counts(text) if text else {"infantry": 1}
    for name in re.split(r",\s*|\s+and\s+", regions):
        stacks = tuple(Stack(Seat(seat), kind, n) for kind, n in counts.items() if kind not in BUILDINGS and n)
        buildings = tuple(kind for kind, n in counts.items() if kind in BUILDINGS and n)
        chit = war.lands[_region(name)].chit or "dot"
        war = war.with_land(
            name, owner=Seat(seat), stacks=stacks, buildings=buildings, chit=chit, marker=war.lands[name].marker
        )
    return war


def _holds_zone(war: War, seat: str, zone: str) -> War:
    """Every region of a zone that nobody else holds."""
    free = [name for name in BOARD.zones[zone] if war.lands[name].owner is None]
    return _holds(war, seat, ", ".join(free), None)


def _holds_the_rest(war: War, seat: str, but: str | None) -> War:
    """Every native region, or all but some."""
    spared = [_region(name) for name in re.split(r",\s*|\s+and\s+", but)] if but else []
    return _holds(war, seat, ", ".join(land.name for land in war.regions_of(None) if land.name not in spared), None)


def _stands(war: War, seat: str, text: str, region: str) -> War:
    """Units in a region that need not be his: an explorer among natives."""
    for kind, number in _counts(text).items():
        war = war.with_units(_region(region), Stack(Seat(seat), kind, number))
    return war


def _building(war: War, text: str, region: str) -> War:
    kinds = tuple(_counts(text))
    return war.with_land(_region(region), buildings=(*war.lands[region].buildings, *kinds))


def _natives(war: War, region: str, marker: str, side: str | None) -> War:
    war = war.with_land(_region(region), marker=_marker(marker, side == " face up"))
    return replace(war, markers={**war.markers, marker: max(0, war.markers.get(marker, 0) - 1)})


def _westernized(war: War, region: str) -> War:
    return war.with_land(_region(region), marker=None)


def _chit(war: War, region: str, chit: str, developed: str | None) -> War:
    if chit not in CHITS:
        raise ValueError(f"{chit!r} is no chit")
    return war.with_land(_region(region), chit=chit, developed=bool(developed))


def _no_chit(war: War, region: str) -> War:
    return war.with_land(_region(region), chit=None)


def _spheres(war: War, number: str, seat: str, region: str) -> War:
    spheres = {**war.lands[_region(region)].spheres, Seat(seat): int(number)}
    return war.with_land(region, spheres=spheres)


def _revolt(war: War, region: str, text: str) -> War:
    counts = _counts(text)
    army = Army(counts.get("infantry", 0), counts.get("cavalry", 0), counts.get("artillery", 0))
    return war.with_land(_region(region), revolt=army)


def _side(war: War, seat: str, does: str, region: str) -> War:
    sides = {**war.lands[_region(region)].sides, Seat(seat): "support" if does == "supports" else "suppress"}
    return war.with_land(region, sides=sides)


def _fleets(war: War, number: str, seat: str, sea: str, text: str | None) -> War:
    for place in range(1 if number in ("a", "one") else int(number)):
        cargo = tuple(Load(Seat(seat), kind, n) for kind, n in _counts(text).items()) if text and not place else ()
        war = war.launching(Seat(seat), _sea(sea))
        war = war.with_fleet(replace(war.fleets[war.next_fleet - 1], cargo=cargo))
    return war


def _at_war(war: War, one: str, other: str) -> War:
    return replace(war, feuds=(*war.feuds, Feud(Seat(one), Seat(other), (Seat(one), Seat(other)))))


def _declared(war: War, one: str, other: str) -> War:
    """War declared just now: nobody's time to attack has come."""
    return replace(war, feuds=(*war.feuds, Feud(Seat(one), Seat(other))))


def _offers_peace(war: War, maker: str, to: str, accepted: str | None) -> War:
    offer = Offer(war.next_offer, "peace", Seat(maker), Seat(to), accepted=bool(accepted))
    return replace(war, offers=(*war.offers, offer), next_offer=war.next_offer + 1)


def _cedes(war: War, maker: str, region: str, to: str) -> War:
    offer = Offer(war.next_offer, "cede", Seat(maker), Seat(to), _region(region))
    return replace(war, offers=(*war.offers, offer), next_offer=war.next_offer + 1)


def _cup(war: War, what: str, text: str) -> War:
    """Only these are in the cup."""
    known = MARKERS if what == "marker" else CHITS
    holds = dict.fromkeys(known, 0)
    for part in text.split(", "):
        number, _, name = part.rpartition(" ")
        if name not in known:
            raise ValueError(f"{name!r} is no {what}")
        holds[name] += int(number) if number else 1
    return replace(war, **{f"{what}s": holds})


def _asked(war: War, seat: str, how: str) -> War:
    mode = "interactive" if how == "is asked" else "standing"
    return replace(war, decisions={**war.decisions, Seat(seat): mode})


def _new_city(war: War, region: str) -> War:
    return replace(war, new_cities=(*war.new_cities, _region(region)))


_SEAT = r"(Red|Green|Blue|Yellow|Purple|Gray|White|Black)"
_GIVEN: dict[str, Callable[..., War]] = {
    r"the players are (.+)": _players,
    r"the set-up is still to come": _before_setup,
    r"the order is (.+)": _order,
    rf"it is the share of {_SEAT}, turn (\d+), round (\d)": _share,
    r"it is production of turn (\d+)": _production,
    rf"{_SEAT} has (\d+) PP(?:(?:,| and) (\d+) DP)?": _purse,
    rf"{_SEAT} has (\d+) DP": _diplomacy,
    rf"{_SEAT} holds nothing": _holds_nothing,
    rf"{_SEAT} holds all of (.+)": _holds_zone,
    rf"{_SEAT} holds all that is native(?: but (.+))?": _holds_the_rest,
    rf"{_SEAT} holds (.+?)(?: with (.+))?": _holds,
    rf"{_SEAT} has (.+) in (.+)": _stands,
    r"there (?:is|are) (.+) in (.+)": _building,
    r"the natives of (.+) are (\d+\+{0,2})( face up| face down)?": _natives,
    r"(.+) is westernized": _westernized,
    r"the chit of (.+) is (\w+)(, developed)?": _chit,
    r"(.+) has no chit": _no_chit,
    rf"(\d+) spheres? of {_SEAT} (?:is|are) in (.+)": _spheres,
    r"(.+) is in revolt with (.+)": _revolt,
    rf"{_SEAT} (supports|suppresses) the revolt in (.+)": _side,
    rf"(a|one|\d+) fleets? of {_SEAT} (?:is|are|lies|lie) in (.+?)(?: with (.+) aboard)?": _fleets,
    rf"{_SEAT} and {_SEAT} are at war": _at_war,
    rf"{_SEAT} has just declared war on {_SEAT}": _declared,
    rf"{_SEAT} is out": lambda war, seat: replace(_holds_nothing(war, seat), out=(*war.out, Seat(seat))),
    rf"{_SEAT} offers peace to {_SEAT}(, accepted)?": _offers_peace,
    rf"{_SEAT} offers to cede (.+) to {_SEAT}": _cedes,
    r"the (marker|chit) cup holds (.+)": _cup,
    rf"{_SEAT} (is asked|is never asked)": _asked,
    r"the city of (.+) was built this turn": _new_city,
}


# ---------------------------------------------------------------- EXPECT


def expect(before: War, events: Sequence[Event], after: War, fact: str) -> str | None:
    """None where the fact holds after the phase, otherwise what is true instead. Raises ValueError."""
    if found := re.fullmatch(r'"(.+)" comes before "(.+)"', fact):
        return _check_sequence(events, found[1], found[2])
    if found := re.fullmatch(r'(some|no) modifier is "(.+)"', fact):
        return check_modifier(events, found[1] == "some", found[2])
    for pattern, claim in (EXPECT | _EXPECT).items():
        match = re.fullmatch(pattern, fact)
        if match:
            return claim(after, *match.groups())
    raise ValueError(f"EXPECT does not understand {fact!r}")


def _check_sequence(events: Sequence[Event], first: str, later: str) -> str | None:
    """Of all that was said, the first mention of one thing comes before the first of the other."""
    told = [event.sentence() for event in events]
    places = [next((n for n, said in enumerate(told) if words in said), -1) for words in (first, later)]
    if -1 in places:
        return f"what happened was {told}"
    return None if places[0] < places[1] else "it was the other way round"


def _check_purse(war: War, seat: str, pp: str | None, dp: str | None) -> str | None:
    hand = war.treasuries[Seat(seat)]
    good = (pp is None or hand.pp == int(pp)) and (dp is None or hand.dp == int(dp))
    return None if good else f"{seat} has {hand.pp} PP and {hand.dp} DP"


def _check_points(war: War, seat: str, number: str) -> str | None:
    found = points(war, Seat(seat))
    return None if found == int(number) else f"{seat} has {found} victory points"


def _check_holds(war: War, seat: str, no: str | None, region: str) -> str | None:
    owner = war.lands[_region(region)].owner
    return None if (owner == seat) is not bool(no) else f"{region} is {owner or 'native'}"


def _check_native(war: War, region: str) -> str | None:
    owner = war.lands[_region(region)].owner
    return None if owner is None else f"{region} is {owner}'s"


def _check_units(war: War, seat: str, text: str, region: str) -> str | None:
    """Exactly these land units of his (kinds not named: none) or, of buildings, at least these."""
    land, wanted = war.lands[_region(region)], _counts(text)
    if wanted and all(kind in BUILDINGS for kind in wanted):
        return None if all(land.has(kind) for kind in wanted) else f"{region} has {land.buildings}"
    found: dict[str, int] = {}
    for stack in land.stacks:
        if stack.owner == seat:
            found[stack.kind] = found.get(stack.kind, 0) + stack.number
    return None if found == {k: n for k, n in wanted.items() if n} else f"{seat} has {found or 'nothing'} there"


def _check_building(war: War, no: str | None, kind: str, region: str) -> str | None:
    found = war.lands[_region(region)].has(_WORDS[kind])
    return None if found is not bool(no) else f"{region} has {war.lands[region].buildings}"


def _check_fleets(war: War, seat: str, number: str, sea: str, text: str | None) -> str | None:
    found = war.fleets_of(Seat(seat), _sea(sea))
    if len(found) != (0 if number == "no" else int(number)):
        return f"{seat} has {len(found)} fleets in {sea}"
    if text is None:
        return None
    aboard: dict[str, int] = {}
    for load in (load for fleet in found for load in fleet.cargo):
        aboard[load.kind] = aboard.get(load.kind, 0) + load.number
    return None if aboard == _counts(text) else f"aboard are {aboard}"


def _check_marker(war: War, region: str, marker: str, side: str | None) -> str | None:
    found = war.lands[_region(region)].marker
    if found is None:
        return f"{region} has no marker"
    good = str(found) == marker and (side is None or found.face_up == (side == " face up"))
    return None if good else f"it is {found}, face {'up' if found.face_up else 'down'}"


def _check_westernized(war: War, region: str, no: str | None) -> str | None:
    found = war.lands[_region(region)].westernized
    return None if found is not bool(no) else f"{region} has {war.lands[region].marker}"


def _check_chit(war: War, region: str, chit: str, developed: str | None) -> str | None:
    land = war.lands[_region(region)]
    good = land.chit == chit and (developed is None or land.developed == (developed == ", developed"))
    return None if good else f"it is {land.chit}, {'developed' if land.developed else 'undeveloped'}"


def _check_spheres(war: War, number: str, seat: str, region: str) -> str | None:
    found = war.lands[_region(region)].spheres.get(Seat(seat), 0)
    return None if found == (0 if number == "no" else int(number)) else f"there are {found}"


def _check_revolt(war: War, region: str, no: str | None) -> str | None:
    found = war.lands[_region(region)].revolt
    return None if (found is not None) is not bool(no) else f"the revolt there: {found}"


def _check_at_war(war: War, one: str, other: str, no: str | None) -> str | None:
    found = war.at_war(Seat(one), Seat(other))
    return None if found is not bool(no) else f"war between them: {found}"


def _check_may_attack(war: War, one: str, no: str | None, other: str) -> str | None:
    found = war.may_attack(Seat(one), Seat(other))
    return None if found is not bool(no) else f"he may attack: {found}"


def _check_game(war: War, state: str) -> str | None:
    return None if bool(war.ended) is (state == "is over") else f"the end: {war.ended or 'not yet'}"


def _check_leads(war: War, names: str) -> str | None:
    found = tally(war).winners()
    return None if found == tuple(names.split(" and ")) else f"first: {', '.join(found)}"


def _check_turn(war: War, seat: str, turn: str, round_: str) -> str | None:
    good = (war.active, war.turn, war.round) == (seat, int(turn), int(round_))
    return None if good else f"it is {war.stage} of {war.active}, turn {war.turn}, round {war.round}"


def _check_next_production(war: War, turn: str) -> str | None:
    good = war.stage == "production" and war.turn == int(turn)
    return None if good else f"it is {war.stage}, turn {war.turn}"


def _check_order(war: War, names: str) -> str | None:
    return None if war.order == tuple(names.split(", ")) else f"the order is {', '.join(war.order)}"


def _check_out(war: War, seat: str, no: str | None) -> str | None:
    return None if (Seat(seat) in war.out) is not bool(no) else f"out are {war.out}"


def _check_offers(war: War, number: str) -> str | None:
    return None if len(war.offers) == (0 if number == "no" else int(number)) else f"open: {war.offers}"


def _check_ready_to_move(war: War, seat: str, number: str, region: str) -> str | None:
    """How many of his units there have not moved: after a share opens all are fresh."""
    found = sum(s.number for s in war.lands[_region(region)].stacks if s.owner == seat and not s.spent)
    return None if found == int(number) else f"{found} are fresh"


def _check_side(war: War, seat: str, does: str, region: str) -> str | None:
    found = war.lands[_region(region)].sides.get(Seat(seat))
    return None if found == ("support" if does == "supports" else "suppress") else f"{seat}'s spheres: {found}"


def _check_knows(war: War, who: str, region: str) -> str | None:
    """A marker that lies face down, and who has seen it."""
    marker = war.lands[_region(region)].marker
    if marker is None:
        return f"{region} has no marker"
    if who == "nobody knows":
        return None if not marker.face_up and not marker.seen_by else f"known to {marker.seen_by}"
    seat, _, verb = who.partition(" ")
    known = marker.face_up or Seat(seat) in marker.seen_by
    return None if known is (verb == "knows") else f"known to {marker.seen_by}"


def _check_cup(war: War, what: str, number: str, name: str) -> str | None:
    cup = war.markers if what == "marker" else war.chits
    if name not in cup and name not in ("markers", "chits"):
        raise ValueError(f"{name!r} is no {what}")
    found = cup.get(name, sum(cup.values()))
    return None if found == (0 if number == "no" else int(number)) else f"it holds {found}"


def _check_regions(war: War, seat: str, number: str) -> str | None:
    found = len(war.regions_of(Seat(seat)))
    return None if found == int(number) else f"{seat} holds {found}"


_EXPECT: dict[str, Callable[..., str | None]] = {
    rf"{_SEAT} has (\d+) PP(?: and (\d+) DP)?": _check_purse,
    rf"{_SEAT} has (\d+) DP": lambda war, seat, dp: _check_purse(war, seat, None, dp),
    rf"{_SEAT} has (\d+) victory points": _check_points,
    rf"{_SEAT} holds (\d+) regions": _check_regions,
    rf"{_SEAT} (?:holds|does (not) hold) (.+)": _check_holds,
    r"(.+) is native": _check_native,
    rf"{_SEAT} has (no|\d+) fleets? in (.+?)(?: with (.+) aboard)?": _check_fleets,
    rf"{_SEAT} has (\d+) fresh units in (.+)": _check_ready_to_move,
    rf"{_SEAT} has (.+) in (.+)": _check_units,
    r"there is (?:a|an|(no)) (\w+) in (.+)": _check_building,
    r"the natives of (.+) are (\d+\+{0,2})( face up| face down)?": _check_marker,
    r"(.+) is (not )?westernized": _check_westernized,
    r"the chit of (.+) is (\w+)(, developed|, undeveloped)?": _check_chit,
    rf"(no|\d+) spheres? of {_SEAT} (?:is|are) in (.+)": _check_spheres,
    r"(.+) is (not )?in revolt": _check_revolt,
    rf"{_SEAT} (supports|suppresses) the revolt in (.+)": _check_side,
    r"(nobody knows|\w+ knows|\w+ does not know) the natives of (.+)": _check_knows,
    r"the (marker|chit) cup holds (no|\d+) (.+)": _check_cup,
    rf"{_SEAT} and {_SEAT} are (not )?at war": _check_at_war,
    rf"{_SEAT} may (not )?attack {_SEAT}": _check_may_attack,
    r"the game (is over|goes on)": _check_game,
    r"(.+) (?:leads|lead|wins|win)": _check_leads,
    rf"it is the share of {_SEAT}, turn (\d+), round (\d)": _check_turn,
    r"it is production of turn (\d+)": _check_next_production,
    r"the order is (.+)": _check_order,
    rf"{_SEAT} is (not )?out": _check_out,
    r"(no|\d+) offers? (?:is|are) open": _check_offers,
}
