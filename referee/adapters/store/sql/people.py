"""People and their addresses. Addresses are compared in their one spelling and kept as written."""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from referee.adapters.store.sql.part import Part
from referee.adapters.store.sql.statements import TABLES
from referee.service.base.ports import Conflict, Player

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
