"""The demo of War! Version 27: a match of four players by letter, its battles decided round by round by mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from referee.demo.client import Letter
from referee.demo.service_process import House
from referee.demo.table import Show, Unexpected, form_of, need
from tests.demo.scripts.war import (
    Edition,
    Manners,
    SetUp,
    Summoned,
    WarTable,
    acceptance,
    act,
    choices,
    drafting,
    hand_in,
    peace_offer,
    play_edition,
    proposed_answer,
    proposed_orders,
    silence,
    tell_decisions,
    typing_errors,
    uncommented,
    usual,
)

BRIGADES = ("infantry", "cavalry", "artillery")
"""Units that fight."""


@dataclass(frozen=True)
class Empire(SetUp):
    """What a player wants: his regions, what 250 PP buy, the ways of his explorers, and how dear his troops are."""

    ways: Mapping[str, tuple[str, ...]]
    """Where the explorers of a region go, one after the other."""
    dear: tuple[str, ...] = BRIGADES
    """Kinds of brigade, in the order in which their owner gives them up."""
    stands: int = 99
    """After so many rounds he leaves a battle in which he is not the stronger."""


EMPIRES: Mapping[str, Empire] = {
    "Red": Empire(
        "DRAFT Germany, Italy, Prussia, Austria-Hungary, Scandinavia, Lithuania",
        "BUY 7 infantry, 3 cavalry, 1 artillery, 1 general, 2 fleets, 4 explorers\n"
        "PLACE 7 infantry, 3 cavalry, 1 artillery, 1 general IN Germany\n"
        "PLACE 2 fleets IN Eastern Mediterranean\n"
        "PLACE 2 explorers IN Lithuania\n"
        "PLACE 2 explorers IN Austria-Hungary",
        {"Lithuania": ("Russia", "Trans-Ural VIA Russia"), "Austria-Hungary": ("Balkans", "Ukraine")},
    ),
    "Blue": Empire(
        "DRAFT France, Spain, Great Britain, Morocco, Algeria, Mauritania",
        "BUY 6 infantry, 2 cavalry, 2 artillery, 1 fleet, 1 city, 1 port, 3 explorers\n"
        "PLACE 6 infantry, 2 cavalry, 2 artillery IN France\n"
        "PLACE 1 port IN Great Britain\n"
        "PLACE 1 fleet IN North Atlantic\n"
        "PLACE 1 city, 3 explorers IN Algeria",
        {"Algeria": ("West Africa", "Nigeria VIA West Africa", "Equatorial Africa VIA West Africa")},
        ("cavalry", "infantry", "artillery"),
        2,
    ),
    "Green": Empire(
        "DRAFT Egypt, Palestine, Ottoman, Mesopotamia, Tripoli, Arabia",
        "BUY 2 fleets, 1 city, 1 school, 6 infantry, 1 general, 5 explorers\n"
        "PLACE 2 fleets IN Eastern Mediterranean\n"
        "PLACE 1 city, 1 school, 4 explorers IN Egypt\n"
        "PLACE 6 infantry, 1 general, 1 explorer IN Ottoman",
        {
            "Egypt": ("Sudan", "Abyssinia VIA Sudan", "Kenya VIA Sudan", "Kongo VIA Sudan"),
            "Ottoman": ("Caucasus",),
        },
    ),
    "Yellow": Empire(
        "DRAFT India, Bengal, Afghanistan, Persia, Siam, Annam",
        "BUY 12 explorers, 1 city, 1 port, 4 infantry, 1 fleet\n"
        "PLACE 1 city, 3 explorers IN India\n"
        "PLACE 1 port, 4 infantry, 6 explorers IN Bengal\n"
        "PLACE 3 explorers IN Afghanistan\n"
        "PLACE 1 fleet IN Bay of Bengal",
        {
            "India": ("Tibet", "Kashmir", "Tibet"),
            "Bengal": ("China", "Mongolia VIA China", "Manchuria VIA China", "Siberia VIA China", "China", "Tibet"),
            "Afghanistan": ("Kazakhstan", "Turkestan", "Trans-Ural VIA Kazakhstan"),
        },
    ),
}
"""Neighbours who will quarrel, fleets of two of them in one sea, and explorers for all natives around.

The lists have no region in common, so everybody gets what he wants whatever the order of set-up.
"""


# ---------------------------------------------------------------- sheets


_ASHORE = re.compile(r"^# (?P<here>[A-Z][\w' -]*): (?P<units>\d.*?)\. Next to it: (?P<around>.*)\.$")
_AFLOAT = re.compile(r"^# (?P<sea>[A-Z][\w ]*): (?P<own>\d+) fleets?\b.*Others there: (?P<others>.*)\.$")


def marches(form: Sequence[str], at_least: int = 6) -> list[str]:
    """Every army of so many infantry attacks the first natives next to it, its general ahead; a brigade stays."""
    lines = []
    for found in filter(None, map(_ASHORE.match, form)):
        here = {kind: int(number) for number, kind in _POOL.findall(found["units"])}
        native = re.search(r"([A-Z][\w' -]*) \(native\)", found["around"])
        if native is not None and here.get("infantry", 0) >= at_least:
            general = ", 1 general" if here.get("general") else ""
            lines.append(f"MOVE {here['infantry'] - 1} infantry{general} FROM {found['here']} TO {native[1]}")
    return lines


def sea_fights(form: Sequence[str]) -> list[str]:
    """An attack wherever an enemy who may be attacked has fewer fleets in a sea than oneself."""
    enemies = re.findall(r"You are at war with (\w+) and may attack\.", "\n".join(form))
    lines = []
    for found in filter(None, map(_AFLOAT.match, form)):
        others = {seat: int(number) for seat, number in re.findall(r"(\w+) (\d+)", found["others"])}
        lines += [f"ATTACK {seat} IN {found['sea']}" for seat in enemies if 0 < others.get(seat, 0) < int(found["own"])]
    return lines


def explorers(form: Sequence[str], ways: Mapping[str, Sequence[str]]) -> list[str]:
    """An explorer by each way, for as many as the form says are there; those among natives already stay and talk."""
    moves, talks = list[str](), dict[str, None]()
    for found in filter(None, map(_ASHORE.match, form)):
        here = {kind: int(number) for number, kind in _POOL.findall(found["units"])}
        if here.get("explorer") and not any(here.get(kind) for kind in BRIGADES):
            talks[found["here"]] = None
        for goal in ways.get(found["here"], ())[: here.get("explorer", 0)]:
            moves.append(f"MOVE 1 explorer FROM {found['here']} TO {goal}")
            talks[goal.partition(" VIA ")[0]] = None
    return [*moves, *(f"EXPLORE {region}" for region in talks)]


_LEFT = re.compile(r"(\d+) PP are left\.")


def builds(form: Sequence[str], explorers_wanted: bool) -> list[str]:
    """What the form proposes for natives, for one resource, and for one kind of unit, explorers while they are wanted."""
    left = _LEFT.search("\n".join(form))
    cities = [line for line in uncommented(form, "BUILD") if line.startswith("BUILD 1 explorer ")]
    if explorers_wanted and cities and left is not None:
        return [*proposed_orders(form), cities[0].replace("1 explorer", f"{int(left[1]) // 10} explorers")]
    return [*proposed_orders(form), *uncommented(form, "DEVELOP")[:1], *uncommented(form, "BUILD")[-1:]]


# ---------------------------------------------------------------- answers in the middle of a turn

_POOL = re.compile(r"(\d+) (infantry|cavalry|artillery|[a-z]+?)s?\b")
_ROUND = re.compile(r"round (\d+)")
_FACING = re.compile(r"you have (.+?) against (.+?)\. Fight on")


def answer(empire: Empire, letter: Letter) -> str:
    """What a player replies to a question: his own mind where he has one, else what the letter proposes."""
    for sign, decide in _MINDS.items():
        if sign in letter.flat:
            return f"CHOOSE {decide(empire, letter)}"
    return proposed_answer(letter)


def _losses(empire: Empire, letter: Letter) -> str:
    """So many of the pool, the least dear first, parties last."""
    menu = next(line for line in form_of(letter) if " in all out of " in line)
    number, _, pool = menu.removeprefix("# ").partition(" in all out of ")
    left, lots = int(number), []
    here = {kind: int(n) for n, kind in _POOL.findall(pool.partition(";")[0])}
    for kind in sorted(here, key=lambda kind: empire.dear.index(kind) if kind in empire.dear else len(empire.dear)):
        taken = min(left, here[kind])
        left -= taken
        lots += [f"{taken} {kind}"] if taken else []
    return ", ".join(lots)


def _fused(empire: Empire, letter: Letter) -> str:
    """Guns are worth it, as long as other hits are left."""
    hits = re.search(r"you scored (\d+) hits", letter.flat)
    return "1 artillery" if hits and int(hits[1]) > 3 and " artillery" in form_of(letter)[0] else "none"


def _retreat(empire: Empire, letter: Letter) -> str:
    """Leaves when his patience is over and he is not the stronger; to the first place on the menu."""
    facing, round = _FACING.search(letter.flat), _ROUND.search(letter.flat)
    away = next((word for word in choices(letter) if word != "stay"), "stay")
    if facing is None or round is None or int(round[1]) < empire.stands:
        return "stay"
    return away if _strength(facing[1]) <= _strength(facing[2]) else "stay"


def _strength(units: str) -> int:
    return sum(int(number) for number, kind in _POOL.findall(units) if kind in BRIGADES)


def _naval(empire: Empire, letter: Letter) -> str:
    """Fights on while he has no fewer fleets."""
    found = re.search(r"you have (\d+) left, the enemy (\d+)", letter.flat)
    return "break off" if found is not None and int(found[1]) < int(found[2]) else "fight"


_MINDS: Mapping[str, Callable[[Empire, Letter], str]] = {
    "must go. Which?": _losses,
    "Three hits may become one": _fused,
    "Fight on or retreat?": _retreat,
    "Fight on, or break off?": _naval,
    "Do you intercept with": lambda empire, letter: "yes",
}
"""By the words of the question, how it is decided."""


# ---------------------------------------------------------------- what happens on the way


# ---------------------------------------------------------------- whatever is owed


def _movement(table: WarTable, now: Summoned) -> Sequence[str]:
    """Explorers and armies among the natives; at sea the stronger attacks, once the first turn is over."""
    fights = sea_fights(now.form) if now.turn > 1 else []
    return [*fights, *explorers(now.form, EMPIRES[now.seat].ways), *marches(now.form)]


_QUESTIONS = {
    "must go. Which?": "casualties",
    "Three hits may become one": "hits fused",
    "Fight on or retreat?": "retreat",
    "must retreat. Where to?": "way out",
    "Do you intercept with": "interception",
    "Does he talk to the natives?": "explorers",
    "Where do they go?": "way out",
    "Fight on, or break off?": "breaking off",
}

MANNERS = Manners(
    EMPIRES,
    movement=_movement,
    production=lambda table, now: builds(now.form, explorers_wanted=not table.spheres()),
    answer=lambda now: answer(EMPIRES[now.seat], now.letter),
    questions=_QUESTIONS,
)
"""Explorers first, until one of them has placed a sphere of influence."""


# ---------------------------------------------------------------- the acts


def purchase(table: WarTable, now: Summoned) -> None:
    """Anna buys, and wants to be asked in her battles."""
    table.show.scene("Sealed purchases, revealed together")
    _asks_for_letters(table, now)


def purchase_too(table: WarTable, now: Summoned) -> None:
    """Ben wants the same."""
    _asks_for_letters(table, now)


def _asks_for_letters(table: WarTable, now: Summoned) -> None:
    body = f"{EMPIRES[now.seat].purchase}\nDECISIONS interactive"
    need(hand_in(table, now, body), "Ask you by mail whatever your standing orders leave open")
    table.show.good(f"{now.client.name} wants to be asked by letter in the middle of battles.")


def standing_orders(table: WarTable, now: Summoned) -> None:
    """Green files what her fleets do while others move; she is never asked."""
    show = table.show
    show.scene(f"{now.client.name} leaves standing orders to her admirals and generals")
    body = "STANDING\n  INTERCEPT Red IN Eastern Mediterranean ALWAYS\n  BREAK OFF AT 3 TO 1\n  RETREAT BELOW 3 TO Ottoman\nEND"
    receipt = hand_in(table, now, body, *usual(table, now))
    need(receipt, "Your standing orders", "INTERCEPT Red IN Eastern Mediterranean ALWAYS", "BREAK OFF AT 3 TO 1")
    show.got(now.client.name, receipt, "Your standing orders", 16)


def exploring(table: WarTable, now: Summoned) -> None:
    """Twelve explorers set out, one of them with a gift."""
    table.show.scene(f"{now.client.name} sends his explorers out")
    body = "\n".join(usual(table, now)).replace("EXPLORE Kashmir", "EXPLORE Kashmir WITH gift")
    hand_in(table, now, body)


def declarations(table: WarTable, now: Summoned) -> None:
    """Red quarrels with both neighbours."""
    table.show.scene(f"{now.client.name} declares war")
    body = "DECLARE WAR ON Blue\nDECLARE WAR ON Green"
    hand_in(table, now, body, *usual(table, now))
    table.promise(now.phase, "Red declares war on Blue", "Red declares war on Green")


def invasion(table: WarTable, now: Summoned) -> None:
    """Red marches into France and sails past Green's fleets; the battles are then played by letter."""
    table.show.scene(f"{now.client.name} invades France and sets sail; Green lies in wait")
    body = (
        "SAIL 2 fleets FROM Eastern Mediterranean TO Adriatic Sea\n"
        "MOVE 7 infantry, 3 cavalry, 1 artillery, 1 general FROM Germany TO France"
    )
    hand_in(table, now, body, *usual(table, now))
    table.invaded = now.phase


# ---------------------------------------------------------------- when


ACTS = (
    act(drafting, "Red", "draft"),
    act(purchase, "Red", "purchase"),
    act(purchase_too, "Blue", "purchase"),
    act(declarations, "Red", "movement", 1, 1),
    act(standing_orders, "Green", "movement", 1, 1),
    act(exploring, "Yellow", "movement", 1, 1),
    act(invasion, "Red", "movement", 1, 2),
    act(typing_errors, "Green", "production", 2),
    act(peace_offer, "Blue", "production", 2),
    act(acceptance, "Red", "movement", 2, 1, "# ACCEPT "),
    act(silence, "Yellow", "movement", 2, 1),
)
"""What happens on the way: whenever somebody is asked, the first of those left that fits."""


# ---------------------------------------------------------------- the match


LAST_TURN = 2
"""The turn after which the match ends, unless somebody is eliminated before."""

MOST_TURNS = 1 + LAST_TURN * 8 + LAST_TURN - 1
"""The set-up, two rounds of movement for four players a turn, and productions from turn 2 on."""


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    return play_edition(house, show, _EDITION)


# ---------------------------------------------------------------- what must have happened


def _look_back(table: WarTable, invasion: Letter) -> None:
    """The reports say that it happened: the interception, the battle decided by letter, the sphere."""
    show = table.show
    need(invasion, "Green intercepts Red's fleets in Eastern Mediterranean", "Battle of France")
    admirals = table.report_of(table.seats["Green"], table.invaded)
    need(admirals, "was decided by standing orders")
    show.got(table.seats["Green"].name, admirals, "Decided without a letter", 12)
    show.got(table.watcher.name, invasion, "Naval battle", 12)
    show.got(table.watcher.name, invasion, "Battle of France", 30)
    tell_decisions(table, "casualties", "retreat")
    placed = table.spheres()
    if not placed:
        raise Unexpected("None of the explorers placed a sphere of influence.")
    show.good(f"{placed[0]} {len(placed)} were placed in all.")


_EDITION = Edition("war27", "War! Age of Imperialism, Version 27", "w27", LAST_TURN, MANNERS, ACTS, _look_back)
