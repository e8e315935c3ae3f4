"""The staging words that only cases of optional rules need."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.war.events.combat import RoundFought
from referee.games.war.position import Coalition, Feud, Fleet, Load
from referee.games.war.position.state import War
from referee.games.war.reckoning import allied
from referee.games.war.reckoning.scoring import CARDS, EUROPEAN

# ---------------------------------------------------------------- the canal


def _canal(war: War, how: str) -> War:
    return replace(war, canal=(0,) if how == "half paid" else (0, 1))


def _check_canal(war: War, how: str) -> str | None:
    found = ("not begun", "half paid", "complete")[len(war.canal)]
    return None if found == how else f"it is {found}"


# ---------------------------------------------------------------- alliances


def _allied(war: War, one: str, other: str, foe: str) -> War:
    """Both are at war with the third, who declared it on the second in turn 1; all may attack."""
    joined, leader, enemy = Seat(one), Seat(other), Seat(foe)
    number = len(war.coalitions) + 1
    coalition = Coalition(number, 1, ((enemy,), (leader, joined)))
    old = [feud for feud in war.feuds if not any(feud.between(enemy, seat) for seat in (leader, joined))]
    fresh = [Feud(enemy, seat, (enemy, seat)) for seat in (leader, joined)]
    return replace(war, coalitions=(*war.coalitions, coalition), feuds=(*old, *fresh))


def _were_allies(war: War, one: str, other: str) -> War:
    return replace(war, parted=((Seat(one), Seat(other), "T1/M2/None"),))


def _shut(war: War, owner: str, guest: str) -> War:
    return replace(war, shut={**war.shut, Seat(owner): (Seat(guest),)})


def _carries(war: War, owner: str, sea: str, number: str, guest: str, kind: str) -> War:
    fleet = Fleet(war.next_fleet, Seat(owner), sea, cargo=(Load(Seat(guest), kind, int(number)),))
    return replace(war.with_fleet(fleet), next_fleet=war.next_fleet + 1)


def _check_allied(war: War, one: str, other: str, no: str | None) -> str | None:
    found = allied(war, Seat(one), Seat(other))
    return None if found is not bool(no) else f"allies: {found}"


_COLOUR = r"(Red|Green|Blue|Yellow|Purple|Gray|White|Black)"


def _capital(war: War, seat: str, region: str) -> War:
    return replace(war, capitals={**war.capitals, Seat(seat): region})


def _card(war: War, seat: str, card: str) -> War:
    return replace(war, cards={**war.cards, Seat(seat): card})


def _fallen(war: War, by: str, victim: str) -> War:
    return replace(war, fallen={**war.fallen, Seat(victim): Seat(by)})


def _check_not_fallen(war: War, victim: str) -> str | None:
    return None if Seat(victim) not in war.fallen else f"{war.fallen[Seat(victim)]} did"


def _check_card(war: War, seat: str) -> str | None:
    others = [card for other, card in war.cards.items() if other != seat]
    found = war.cards.get(Seat(seat))
    return None if found in CARDS and found not in others else f"he holds {found}"


def _check_nobody(war: War, card: str) -> str | None:
    return None if card not in war.cards.values() else f"the cards are {war.cards}"


def _check_home(war: War, seat: str) -> str | None:
    home = war.homes.get(Seat(seat), "")
    return None if home in EUROPEAN and war.lands[home].owner == seat else f"it is {home}"


def _check_strong(war: War, region: str) -> str | None:
    marker = war.lands[region].marker
    return None if marker and marker.strength >= 7 and marker.plus == 2 else f"they are {marker}"


def check_modifier(events: Sequence[Event], wanted: bool, name: str) -> str | None:
    """Whether the modifiers of any round of battle have a line of this name."""
    rounds = [event for event in events if isinstance(event, RoundFought)]
    lines = [why for event in rounds for volley in event.volleys for why, _ in volley.lines]
    return None if rounds and (name in lines) is wanted else f"the lines are {lines}"


GIVEN: dict[str, Callable[..., War]] = {
    rf"{_COLOUR} is allied with {_COLOUR} against {_COLOUR}": _allied,
    rf"{_COLOUR} and {_COLOUR} were allies until now": _were_allies,
    rf"{_COLOUR} lets nobody in, not even {_COLOUR}": _shut,
    rf"a fleet of {_COLOUR} in (.+) carries (\d+) of {_COLOUR}'s (infantry|cavalry|artillery)": _carries,
    r"the canal is (half paid|complete)": _canal,
    r"(\w+)'s card is (.+)": _card,
    r"(\w+) took the last region of (\w+)": _fallen,
    r"the westernizing of (.+) by (\d) is put off": lambda war, region, n: replace(war, put_off={region: int(n)}),
    r"the capital of (\w+) is (.+)": _capital,
}
"""What GIVEN lines may set up, by pattern."""

EXPECT: dict[str, Callable[..., str | None]] = {
    r"(\w+) holds a secret card": _check_card,
    r"(\w+) has a home in Europe": _check_home,
    r"the natives of (.+) are strong": _check_strong,
    r"nobody holds the card (.+)": _check_nobody,
    r"nobody took the last region of (\w+)": _check_not_fallen,
    rf"{_COLOUR} and {_COLOUR} are (not )?allied": _check_allied,
    r"the canal is (not begun|half paid|complete)": _check_canal,
}
"""What EXPECT lines may claim, by pattern."""
