"""The best assignment of factories and resources to ports and factories (rulings R27-13, R27-14). Pure arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

_PORT_CAP = 15
_FACTORY_BASE = 10
_FACTORY_ROOM = 10
_ADJACENT_EACH = 5

Links = Sequence[tuple[int, ...]]
"""For each factory the resources, by number, that are adjacent to it."""

Given = dict[int, int]
"""To which factory each resource is given; both by number."""


def port_income(ports: int, counted: int, objects: int) -> int:
    """What `ports` open ports pay when `counted` ports count and `objects` factories and resources serve (R27-13).

    A port takes objects at 2 PP while two are missing to the cap, then one at 1 PP.
    """
    start = min(_PORT_CAP, 2 * counted)
    at_two, at_one = divmod(_PORT_CAP - start, 2)
    full = min(objects, ports * at_two)
    return ports * start + 2 * full + min(objects - full, ports * at_one)


def factory_income(paying: int, resources: int, links: Links) -> int:
    """What the best `paying` of the factories pay with so many resources (R27-14): 10n + min(10n, R + A)."""
    paying = min(paying, len(links))
    room = paying * _FACTORY_ROOM
    if resources >= room:
        return paying * _FACTORY_BASE + room
    return paying * _FACTORY_BASE + min(room, resources + most_adjacent(paying, links))


def most_adjacent(paying: int, links: Links) -> int:
    """Most resources that `paying` of the factories can take as adjacent ones, each resource once, five a factory."""
    useful = [factory for factory, near in enumerate(links) if near]
    limit = min(paying * _ADJACENT_EACH, len({resource for near in links for resource in near}))
    return _most(min(paying, len(useful)), useful, links, {}, 0, limit)


def _most(left: int, among: Sequence[int], links: Links, given: Given, found: int, limit: int) -> int:
    """The most over all choices of `left` more factories of `among`; `found` was reached elsewhere.

    What a factory adds can only shrink as others are chosen, so the `left` largest gains bound what is still to be had.
    """
    found = max(found, len(given))
    offers = sorted(((_joined(factory, links, given), factory) for factory in among), key=_largest_first)
    gains = [len(offer) - len(given) for offer, _ in offers]
    for place, (offer, _) in enumerate(offers):
        if found >= limit or len(given) + sum(gains[place : place + left]) <= found:
            break
        found = _most(left - 1, [factory for _, factory in offers[place + 1 :]], links, offer, found, limit)
    return found


def _largest_first(offer: tuple[Given, int]) -> tuple[int, int]:
    return -len(offer[0]), offer[1]


def _joined(factory: int, links: Links, given: Given) -> Given:
    """What can be given when one more factory takes part, others passing resources on where that helps."""
    more = dict(given)
    taken = 0
    while taken < _ADJACENT_EACH and _takes_one(factory, links, more, []):
        taken += 1
    return more


def _takes_one(factory: int, links: Links, given: Given, tried: list[int]) -> bool:
    """Give the factory one more of its resources, if need be from another that finds itself a new one."""
    for resource in links[factory]:
        if resource in tried or given.get(resource) == factory:
            continue
        tried.append(resource)
        if resource not in given or _takes_one(given[resource], links, given, tried):
            given[resource] = factory
            return True
    return False
