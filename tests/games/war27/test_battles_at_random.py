"""Battles with random forces, dice and answers: whatever happens, nobody is conjured up and the region has one holder."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.choices import Pick
from referee.core.event import Event
from referee.core.names import Role, Seat
from referee.core.question import Question
from referee.games.war.deeds.marching import battles_of, revolts_of
from referee.games.war.events.combat import BattleBegan, BattleEnded, FleetLost, PartyConverted, UnitsLost, UnitsRaised
from referee.games.war.phases.land_battle import combat_phase
from referee.games.war.position import Army, Feud, Fleet, Marker, Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BRIGADES, KINDS, PARTIES
from referee.kit.game import evolve
from tests.games.war27.driving import BLUE, GREEN, RED, holding, native, play, position, table, told
from tests.games.war27.staging import LAND_KINDS

Census = Counter[tuple[Seat, str]]


def picker(seed: int) -> Pick:
    """A stream of choices: SHA-256 in counter mode."""
    counter = iter(range(10**9))

    def pick(n: int) -> int:
        return int.from_bytes(hashlib.sha256(f"{seed}/{next(counter)}".encode()).digest(), "big") % n

    return pick


def census(war: War) -> Census:
    """All land units, ashore and aboard, by owner and kind."""
    found: Census = Counter()
    for land in war.lands.values():
        for stack in land.stacks:
            found[stack.owner, stack.kind] += stack.number
    for fleet in war.fleets.values():
        for load in fleet.cargo:
            found[load.owner, load.kind] += load.number
    return found


def force(pick: Pick, most: int) -> dict[str, int]:
    """A random force with a brigade at least."""
    units = {kind: pick(most) for kind in BRIGADES} | {kind: pick(2) for kind in PARTIES if kind in KINDS}
    return {**units, "infantry": units["infantry"] + 1}


def invaders(pick: Pick, origin: str, landed: bool) -> tuple[Stack, ...]:
    return tuple(Stack(RED, kind, n, 1, origin, landed) for kind, n in force(pick, 4).items() if n)


def coast() -> list[str]:
    """Regions with a land border and a coast."""
    return [name for name, region in BOARD.regions.items() if region.borders and region.seas]


def warfare(pick: Pick) -> War:
    """Red attacks some of his neighbours, players and natives; fleets of all lie about; one of his regions may revolt."""
    war = position(RED, BLUE, GREEN)
    war = replace(war, feuds=(Feud(RED, BLUE, (RED, BLUE)), Feud(BLUE, GREEN, (BLUE, GREEN))))
    for name, region in BOARD.regions.items():
        match pick(4):
            case 0:
                war = holding(war, RED, name, ("fort",) if pick(2) else (), **force(pick, 3))
                if pick(5) == 0:
                    army = Army(1 + pick(5), pick(3), pick(2))
                    war = native(war, name, "6+").with_land(
                        name, revolt=army, spheres={BLUE: 2}, sides={BLUE: "support"}
                    )
            case 1 | 2:
                war = holding(war, BLUE, name, ("fort", "city") if pick(2) else ("school", "city"), **force(pick, 3))
            case 3:
                war = native(war, name, f"{4 + pick(6)}{'+' * pick(3)}")
                marker = war.lands[name].marker
                assert isinstance(marker, Marker)
                war = war.with_land(name, marker=replace(marker, face_up=bool(pick(2))))
        for sea in region.seas:
            if pick(3) == 0:
                fleet = Fleet(war.next_fleet, (RED, BLUE, GREEN)[pick(3)], sea)
                war = replace(war.with_fleet(fleet), next_fleet=war.next_fleet + 1)
    for name in coast():
        region = BOARD.regions[name]
        if war.lands[name].owner != RED and pick(4) == 0:
            landed = bool(pick(2))
            origin = region.seas[pick(len(region.seas))] if landed else region.borders[pick(len(region.borders))]
            extra = invaders(pick, origin, landed)
            war = war.with_land(name, stacks=(*war.lands[name].stacks, *extra))
    return war


def check_units(before: War, after: War, events: Sequence[Event]) -> None:
    """What stands is what stood, less what was lost; what came is an explorer or a party turned infantry."""
    lost: Census = Counter()
    for event in told(events, UnitsLost):
        lost[event.lost.owner, event.lost.kind] += event.lost.number
    for raised in told(events, UnitsRaised):
        lost[raised.owner, raised.kind] -= raised.number
    for sunk in told(events, FleetLost):
        for load in sunk.cargo:
            lost[load.owner, load.kind] += load.number
    for converted in told(events, PartyConverted):
        lost[converted.party.owner, converted.party.kind] += 1
        lost[converted.party.owner, "infantry"] -= 1
    then, now = census(before), census(after)
    for seat in before.seats:
        for kind in LAND_KINDS:
            assert now[seat, kind] == then[seat, kind] - lost[seat, kind]
    stacks = [(land, stack) for land in after.lands.values() for stack in land.stacks]
    assert all(stack.number > 0 and (land.revolt is not None or not stack.late) for land, stack in stacks)


@pytest.mark.parametrize("seed", range(60))
def test_any_combat_phase_ends_with_one_holder_a_region(seed: int) -> None:
    pick = picker(seed)
    before = warfare(pick)
    made, events = table(before, chance=Keyed(b"random battles", seed))
    asked: list[Question[object]] = []
    fights = (*revolts_of(before, RED), *battles_of(before, RED))
    play(combat_phase(made, RED, ()), asked=asked, pick=pick)
    after = made.state
    check_units(before, after, events)
    assert len({question.key for question in asked}) == len(asked)
    assert len(told(events, BattleBegan)) == len(told(events, BattleEnded)) == len(fights)
    for land in after.lands.values():
        if land.owner is not None:
            assert land.present == (land.owner,) and land.brigades(land.owner) > 0, land
        else:
            assert not any(stack.kind in BRIGADES for stack in land.stacks), land
    for fleet in after.fleets.values():
        assert 0 <= fleet.points <= 8


@pytest.mark.parametrize("seed", range(5))
def test_every_reader_can_follow_what_he_is_told(seed: int) -> None:
    pick = picker(100 + seed)
    before = warfare(pick)
    made, events = table(before, chance=Keyed(b"random battles", seed))
    play(combat_phase(made, RED, ()), pick=pick)
    for reader in (RED, GREEN, Role.OBSERVER):
        seen = before
        for event in events:
            shown = event.told_to(reader)
            if shown is not None:
                assert isinstance(shown.sentence(), str)
                seen = evolve(seen, shown)
        for name, land in made.state.lands.items():
            assert (seen.lands[name].owner, seen.lands[name].stacks) == (land.owner, land.stacks)
