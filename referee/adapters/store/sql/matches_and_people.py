"""Matches, their members, and people; and how much of everything there is, for a monitor of the service."""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, case, delete, func, insert, literal_column, select, update

from referee.adapters.store.sql.statements import TABLES, Part, fields, upsert, values
from referee.service.base.ports import Conflict, MatchRow, Member, Player, Tally

_M = TABLES["match"]
_MATCHES = select(*fields(_M, MatchRow)).order_by(_M.c.created_at, _M.c.name)
_BY_NAME = _MATCHES.where(_M.c.name == bindparam("name"))
_BY_STATUS = _MATCHES.where(_M.c.status == bindparam("status"))

_B = TABLES["member"]
_MEMBERS = select(*fields(_B, Member))
_OF_MATCH = _MEMBERS.where(_B.c.match == bindparam("match")).order_by(_B.c.number, _B.c.id)
_OF_PLAYER = _MEMBERS.where(_B.c.player == bindparam("player")).order_by(_B.c.id)
_ADD_MEMBER = insert(_B).returning(_B.c.id)


class Matches(Part):
    """The register of matches, and who has which part in them."""

    def match(self, name: str) -> MatchRow | None:
        """The match of this name."""
        return self._once("match", name, lambda: self._one(MatchRow, _BY_NAME, name=name))

    def matches(self, status: str = "") -> list[MatchRow]:
        """Matches of a status, or all, the oldest first."""
        return self._all(MatchRow, _BY_STATUS, status=status) if status else self._all(MatchRow, _MATCHES)

    def save_match(self, match: MatchRow) -> None:
        """Insert or replace by name."""
        self._forget("match", match.name)
        self._run(upsert(self._dialect, "match"), values(match))

    def members(self, match: str) -> list[Member]:
        """Everybody in a match, in the order of joining."""
        return list(self._once("members", match, lambda: self._all(Member, _OF_MATCH, match=match)))

    def memberships(self, player: int) -> list[Member]:
        """Every part a person has in any match."""
        return self._all(Member, _OF_PLAYER, player=player)

    def save_member(self, member: Member) -> Member:
        """Insert (id 0) or replace; returns it with its id."""
        self._forget("members", member.match)
        self._touch(member.match)
        if member.id:
            self._run(upsert(self._dialect, "member"), values(member))
            return member
        id = int(self._value(_ADD_MEMBER, **values(member, "id")))
        return msgspec.structs.replace(member, id=id)


# ---------------------------------------------------------------- people and their addresses
# People and their addresses. Addresses are compared in their one spelling and kept as written.


_P = TABLES["player"]
_A = TABLES["address"]
_BY_ID = (
    select(_P.c.name, _P.c.zone, _A.c.written)
    .outerjoin_from(_P, _A, _A.c.player == _P.c.id)
    .where(_P.c.id == bindparam("id"))
    .order_by(_A.c.place)
)
_ID_AT = select(_A.c.player).where(_A.c.address == bindparam("address"))
_INSERT = insert(_P).returning(_P.c.id)
_UPDATE = update(_P).where(_P.c.id == bindparam("player")).values(name=bindparam("name"), zone=bindparam("zone"))
_FORGET = delete(_A).where(_A.c.player == bindparam("owner"))


def _once(addresses: tuple[str, ...]) -> dict[str, str]:
    """Each address once, by its spelling, as written first."""
    once: dict[str, str] = {}
    for address in addresses:
        once.setdefault(_spelling(address), address)
    return once


def _spelling(address: str) -> str:
    """How an address is looked up; what no letter can be sent to may stand here from earlier."""
    if address.isascii() and not address.endswith("."):
        return address.lower()
    from referee.mail.address import spelt  # few addresses need it, and a command that only looks reads no mail

    return spelt(address) or address.lower()


class People(Part):
    """The address book: people, their zones and addresses."""

    def player(self, id: int) -> Player | None:
        """The person with this id."""
        return self._once("player", id, lambda: self._player(id))

    def _player(self, id: int) -> Player | None:
        found = self._rows(_BY_ID, {"id": id})
        if not found:
            return None
        name, zone, _ = found[0]
        return Player(id, name, tuple(written for _, _, written in found if written is not None), zone)

    def player_at(self, address: str) -> Player | None:
        """The person who has this address, however it is spelt."""
        id = self._value(_ID_AT, address=_spelling(address))
        return None if id is None else self.player(id)

    def save_player(self, player: Player) -> Player:
        """Insert (id 0) or replace; returns it with its id. Raises Conflict when an address is another's."""
        once = _once(player.addresses)
        owners = self._rows_each(_ID_AT, [{"address": address} for address in once])
        if any(found and found[0][0] != player.id for found in owners):
            raise Conflict("an address is another's")  # before anything is written, as the step may go on
        self._forget("player")
        id = self._save_name(player)
        rows = enumerate(once.items())
        self._insert("address", [{"address": a, "written": w, "player": id, "place": n} for n, (a, w) in rows])
        return msgspec.structs.replace(player, id=id, addresses=tuple(once.values()))

    def _save_name(self, player: Player) -> int:
        if not player.id:
            return int(self._value(_INSERT, name=player.name, zone=player.zone))
        self._run(_UPDATE, {"player": player.id, "name": player.name, "zone": player.zone})
        self._run(_FORGET, {"owner": player.id})
        return player.id


# ---------------------------------------------------------------- tallies
# How much of everything there is, for a monitor of the service.


_I, _O, _MATCH = TABLES["letter_in"], TABLES["letter_out"], TABLES["match"]
_CAME = select(_I.c.status, func.count()).group_by(_I.c.status)
_WENT = select(_O.c.kind, _O.c.status, func.count()).group_by(_O.c.kind, _O.c.status)
_BY_STATE = select(_MATCH.c.status, func.count()).group_by(_MATCH.c.status)
_FIRST_IN = (
    select(_I.c.received_at)
    .where(_I.c.status.in_([literal_column(f"'{status}'") for status in ("new", "held", "shunted")]))
    .where(_I.c.status == literal_column("'new'"))
    .order_by(_I.c.id)
    .limit(1)
)
_QUEUED = select(
    func.min(_O.c.created_at), func.min(_O.c.due_at), func.coalesce(func.sum(case((_O.c.attempts > 0, 1), else_=0)), 0)
).where(_O.c.status == literal_column("'queued'"))
"""As the indexes say it that hold what waits alone."""


class Tallies(Part):
    """Counts of what the others keep."""

    def tally(self) -> Tally:
        """How much of everything there is. It looks at every letter that ever came or went, so not to be asked all the time."""
        out: dict[str, dict[str, int]] = {}
        for kind, status, count in self._rows(_WENT, {}):
            out.setdefault(kind, {})[status] = count
        ((first_out, due_out, failed),) = self._rows(_QUEUED, {})
        return Tally(
            {status: count for status, count in self._rows(_CAME, {})},
            out,
            {status: count for status, count in self._rows(_BY_STATE, {})},
            self._value(_FIRST_IN),
            first_out,
            due_out,
            int(failed),
        )
