"""Matches and the people in them."""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, insert, select

from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES, fields, upsert, values
from referee.service.base.ports import MatchRow, Member

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
