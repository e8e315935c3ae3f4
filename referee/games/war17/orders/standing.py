"""Standing orders of Version 1.7: the battle plan, line by line (17.tactical.plan), leave to cross, and those of Version 27."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, number, placed, several
from referee.core.names import Seat
from referee.core.order import Portion, Quantity, Thing
from referee.games.war.deeds import Lot
from referee.games.war.orders.base import NONE, Opponents, StandingOrder
from referee.games.war.orders.standing import MOST, LossOrder, Perhaps, RunNatives, held_kinds, held_places, rivals
from referee.games.war.orders.standing_battles import STANDING_AT_SEA, RetreatRule
from referee.games.war.orders.standing_home import EvacuateTo, PickRule
from referee.games.war.position.state import War
from referee.games.war.rulebook import BRIGADES, KIND_OF
from referee.games.war17.reckoning import SECTORS
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, One, Row, Said, most_of, share_of, written
from referee.kit.refused import Refused
from referee.kit.wording import counted

_PLAN, _STANCES, _FEEDING, _CROSSING = (
    "17.tactical.plan.1",
    "17.tactical.plan.2",
    "17.tactical.plan.3",
    "17.move.land.4",
)


def _regions(war: War, seat: Seat, *_: object) -> Iterable[Choice[str]]:
    """Everywhere, first where he has brigades."""
    return map(placed, held_places(war, seat, *BRIGADES))


_WHERE = Perhaps("region", "IN", _PLAN, among=_regions)


def _region(war: War, seat: Seat) -> Asking[str]:
    """One region, or none for everywhere."""
    return "".join((yield from several("region", list(_regions(war, seat)), 0, 1)))


def _sectors(*_: object) -> list[Choice[str]]:
    return [Choice(sector, sector) for sector in SECTORS]


# ---------------------------------------------------------------- where they stand


def _many(said: Said, thing: Thing) -> int | Quantity:
    """How many of the brigades that are there in a battle; a bare name is one."""
    if thing.quantity is None and thing.kind != "any":
        return 1
    return most_of(thing, said.order.verb, _PLAN) or Quantity(Portion.ALL)


_Sectors = tuple[tuple[str, int | Quantity], ...]


class _Posts(Field[_Sectors]):
    """`2 left, 3 centre`, `half left, half right`, each sector once; or `even`, which is none of them."""

    most = len(SECTORS)

    def __init__(self) -> None:
        super().__init__("sectors", ("sector", "spread"), "", _posts_in_words)

    def read(self, said: Said) -> _Sectors:
        things = said.order.things
        if len(things) > 1 and any(thing.kind == "spread" for thing in things):
            raise Refused("Say even, or how many in which sector, not both.", _PLAN, "even", ("DEPLOY even",))
        named = [thing for thing in things if thing.kind == "sector"]
        twice = [
            thing.name for place, thing in enumerate(named) if thing.name in (other.name for other in named[:place])
        ]
        if twice:
            raise Refused(f"DEPLOY names each sector once, and {twice[0]} stands here twice.", _PLAN, twice[0])
        return tuple((thing.name, _many(said, thing)) for thing in named)

    def things(self, value: _Sectors, state: Any) -> tuple[Thing, ...]:
        return tuple(Thing("sector", sector, written(many)) for sector, many in value) or (Thing("spread", "even"),)


def _posts_in_words(sectors: _Sectors) -> str:
    return ", ".join(f"{share_of(many)} {sector}" for sector, many in sectors) or "evenly"


class DeployRule(StandingOrder, frozen=True):
    """How many brigades stand in which sector; empty: evenly. `region` "": everywhere."""

    sectors: _Sectors = ()
    region: str = ""

    words = Words(
        "DEPLOY",
        "say how many of your brigades stand in which sector of a battle, or even",
        _PLAN,
        "DEPLOY 2 left, 3 centre, 2 right IN Egypt",
    )
    plain = Plain("Deploy in sectors", theme="In battle")
    fields = (_Posts(), _WHERE)
    says = "Deploy your brigades in battle{region}: {sectors}."

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Any numbers are lawful: the battle shows how many there are."""
        posts: list[tuple[str, int | Quantity]] = []
        for sector in (yield from several("sectors (none: evenly)", _sectors())):
            posts.append((sector, (yield from number(sector, "brigades", 1, MOST, 2))))
        return cls(tuple(posts), (yield from _region(war, seat)))


def _brigades(many: int | Quantity) -> str:
    return Lot("brigade", many).words() if isinstance(many, Quantity) else counted(many, "brigades")


class _HeldBack(Field[int | Quantity]):
    """`2 brigades`, `half the brigades`, or none."""

    def __init__(self) -> None:
        super().__init__("number", ("strength", "nothing", "any"), "", _brigades)

    def read(self, said: Said) -> int | Quantity:
        (thing,) = said.order.things
        return 0 if thing.kind == "nothing" else _many(said, thing)

    def things(self, value: int | Quantity, state: Any) -> tuple[Thing, ...]:
        return (Thing("strength", "brigades", written(value)) if value else NONE,)


class ReserveRule(StandingOrder, frozen=True):
    """How many brigades are held in reserve in a major battle."""

    number: int | Quantity
    region: str = ""

    words = Words(
        "RESERVE", "say how many brigades are held back in a major battle", _PLAN, "RESERVE 2 brigades IN Egypt"
    )
    plain = Plain("Keep a reserve", theme="In battle")
    fields = (_HeldBack(), _WHERE)
    says = "Hold {number} in reserve in major battles{region}."

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        many = yield from number("number", "brigades", 0, MOST, 2)
        return cls(many, (yield from _region(war, seat)))


class LeadersRule(StandingOrder, frozen=True):
    """In which sectors leaders stand, one after the other."""

    sectors: tuple[str, ...]
    region: str = ""

    words = Words(
        "LEADERS",
        "say in which sectors your leaders stand, one after the other",
        _PLAN,
        "LEADERS centre, left IN Egypt",
    )
    plain = Plain("Where leaders stand")
    fields = (Row("sectors", ("sector",), taken=str, say=", ".join, among=_sectors), _WHERE)
    says = "Your leaders{region} stand in turn: {sectors}."


# ---------------------------------------------------------------- how they fight


_STANCE_WORDS = {
    "auto": "Assault when attacking, stand when defending unless outgunned",
    "assault": "Charge whenever an enemy is in the sector",
    "stand": "Hold the line and fire",
}


def _stances(*_: object) -> list[Choice[str]]:
    return [Choice(word, word, words.lower()) for word, words in _STANCE_WORDS.items()]


class StanceRule(StandingOrder, frozen=True):
    """`assault`, `stand` or `auto`, in one sector or, "", in all."""

    stance: str
    sector: str = ""
    region: str = ""

    words = Words(
        "STANCE",
        "say whether you charge (assault), hold (stand) or do either (auto), in all sectors or ON one",
        _STANCES,
        "STANCE assault ON left IN Egypt",
    )
    plain = Plain("Charge or hold", theme="In battle")
    fields = (
        One("stance", ("stance",), taken=str, among=_stances),
        Perhaps("sector", "ON", _STANCES, ("sector",), _sectors),
        _WHERE,
    )

    def meaning(self) -> str:
        on = f" on the {self.sector}" if self.sector else ""
        return f"{_STANCE_WORDS[self.stance]}{on}{_WHERE.say(self.region)}."


class FeedRule(StandingOrder, frozen=True):
    """Where reserves go: `weakest` or a sector."""

    goal: str
    region: str = ""

    words = Words(
        "FEED", "say to which sector reserves go: the weakest, or one by name", _FEEDING, "FEED weakest IN Egypt"
    )
    plain = Plain("Where reserves go")
    fields = (
        One("goal", ("sector", "weakness"), taken=str, among=lambda *_: [Choice("weakest", "weakest"), *_sectors()]),
        _WHERE,
    )

    def meaning(self) -> str:
        return f"Reserves go to the {self.goal}{' sector' if self.goal == 'weakest' else ''}{_WHERE.say(self.region)}."


_PURSUED = ("artillery", "cavalry")
"""The kinds that pursuers may strike first, the usual first."""


class PursueRule(StandingOrder, frozen=True):
    """The kind that your pursuers strike first."""

    kind: str
    region: str = ""

    words = Words(
        "PURSUE", "say what your pursuers strike first, cavalry or artillery", _PLAN, "PURSUE cavalry IN Egypt"
    )
    plain = Plain("Pursuers strike first")
    fields = (
        One("kind", ("unit",), taken=lambda name: KIND_OF[name], among=lambda war, *_: held_kinds(war, _PURSUED)),
        _WHERE,
    )
    says = "In pursuit{region} strike {kind} first."

    def check(self, war: War, seat: Seat) -> None:
        if self.kind not in _PURSUED:
            raise Refused("Pursuers strike cavalry or artillery first.", _PLAN, self.kind, ("PURSUE artillery",))


# ---------------------------------------------------------------- as in Version 27, but for this


class RetreatRule17(RetreatRule, frozen=True, tag="RetreatRule"):
    """When to retreat: `never`, `after` (from) turn n of a battle; `below`, `outnumbered`, `to` and `region` as in Version 27."""

    words = replace(
        RetreatRule.words,
        meaning="say when to leave a land battle (NEVER, AFTER turn n, that is from it on, BELOW so many brigades, "
        "OUTNUMBERED so many TO 1), and where to",
    )
    afterwards, rounds = "from turn {} of a battle on", "turns"


class LossOrder17(LossOrder, frozen=True, tag="LossOrder"):
    """Kinds of brigade in the order in which blows take them; leaders are struck after all of them."""

    able, who = BRIGADES, "Blows take brigades first"


class RunNatives17(RunNatives, frozen=True, tag="RunNatives"):
    """You run native armies against these players (none named: against anybody) by your own battle plan."""

    words = replace(RunNatives.words, meaning="run native armies in battles of others by your own battle plan")


# ---------------------------------------------------------------- leave to cross


class _Crossers(Opponents):
    """Other players, or none."""

    def __init__(self) -> None:
        super().__init__("seats", "", _CROSSING)
        self.kinds = ("side", "nothing")

    def read(self, said: Said) -> tuple[Seat, ...]:
        things = said.order.things
        if len(things) > 1 and any(thing.kind == "nothing" for thing in things):
            raise Refused("Say who may cross, or CROSS none; not both.", _CROSSING, "none", ("CROSS none",))
        return () if things[0].kind == "nothing" else super().read(said)

    def things(self, value: tuple[Seat, ...], state: Any) -> tuple[Thing, ...]:
        return super().things(value, state) or (NONE,)


class CrossRule(StandingOrder, frozen=True):
    """The seats whose units may cross your regions (17.move.land.4); none named: nobody's."""

    seats: tuple[Seat, ...] = ()

    words = Words(
        "CROSS", "let units of these players cross your regions; none lets nobody", _CROSSING, "CROSS {other}"
    )
    plain = Plain("Let units cross", theme="Other powers")
    fields = (_Crossers(),)

    def meaning(self) -> str:
        if not self.seats:
            return "Nobody may cross your regions."
        return f"Units of {', '.join(self.seats)} may cross your regions."

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        return cls((yield from several("who", rivals(war, seat))))


PLAN = (DeployRule, ReserveRule, StanceRule, FeedRule, RetreatRule17, LossOrder17, LeadersRule, PursueRule)
"""The lines of a battle plan."""

STANDING17 = (*PLAN, CrossRule, *STANDING_AT_SEA, EvacuateTo, PickRule, RunNatives17)
