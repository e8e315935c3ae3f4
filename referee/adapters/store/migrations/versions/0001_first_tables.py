"""The first tables: letters in and out, people, matches, the log, tokens, alarms, reports, notes."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

__all__ = ["upgrade"]

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _text(name: str, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _moment(name: str, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _bytes(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _flag(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _key(*columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns)


def _belongs_to(column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], deferrable=True, initially="DEFERRED")


def upgrade() -> None:
    """Make the first tables."""
    _letters()
    _people()
    _matches()
    _clock()


def _letters() -> None:
    op.create_table(
        "letter_in",
        _number("id"),
        _text("transport"),
        _moment("received_at"),
        _text("sender"),
        _text("recipient"),
        _text("status"),
        _text("verdict"),
        _text("match"),
        _number("attempts"),
        _text("logical", nullable=True),
        _bytes("raw"),
        _key("id"),
        sa.UniqueConstraint("logical"),
        sa.UniqueConstraint("transport"),
    )
    op.create_index(op.f("ix_letter_in_status_id"), "letter_in", ["status", "id"])
    op.create_table(
        "letter_out",
        _number("id"),
        _text("message_id"),
        _text("match"),
        _text("kind"),
        _text("sender"),
        _text("recipient"),
        _moment("created_at"),
        _moment("due_at"),
        _text("status"),
        _number("attempts"),
        _text("error"),
        _moment("leased_until", nullable=True),
        _moment("sent_at", nullable=True),
        _key("id"),
        sa.UniqueConstraint("message_id"),
    )
    op.create_index(op.f("ix_letter_out_match"), "letter_out", ["match"])
    op.create_index(op.f("ix_letter_out_recipient_kind_created_at"), "letter_out", ["recipient", "kind", "created_at"])
    op.create_index(op.f("ix_letter_out_status_due_at"), "letter_out", ["status", "due_at"])
    op.create_table(
        "letter_out_raw",
        _number("letter"),
        _bytes("raw"),
        _bytes("source"),
        _key("letter"),
        _belongs_to("letter", "letter_out.id"),
    )


def _people() -> None:
    op.create_table(
        "player",
        _number("id"),
        _text("name"),
        _text("zone"),
        _key("id"),
    )
    op.create_table(
        "address",
        _text("address"),
        _text("written"),
        _number("player"),
        _number("place"),
        _key("address"),
        _belongs_to("player", "player.id"),
    )
    op.create_index(op.f("ix_address_player_place"), "address", ["player", "place"])


def _matches() -> None:
    op.create_table(
        "match",
        _text("name"),
        _text("game"),
        _text("status"),
        _bytes("secret"),
        _text("options"),
        _text("settings"),
        _moment("created_at"),
        _number("turn"),
        _text("trouble"),
        _key("name"),
    )
    op.create_index(op.f("ix_match_status"), "match", ["status"])
    op.create_table(
        "member",
        _number("id"),
        _text("match"),
        _number("player"),
        _text("role"),
        _text("status"),
        _text("seat"),
        _text("wishes"),
        _number("number"),
        _key("id"),
        _belongs_to("match", "match.name"),
        _belongs_to("player", "player.id"),
    )
    op.create_index(op.f("ix_member_match_number"), "member", ["match", "number"])
    op.create_index(op.f("ix_member_player"), "member", ["player"])
    op.create_table(
        "entry",
        _text("match"),
        _number("seq"),
        _text("at"),
        _text("kind"),
        _text("payload"),
        _text("cause"),
        _text("previous"),
        _text("digest"),
        _text("hash"),
        _key("match", "seq"),
        _belongs_to("match", "match.name"),
    )
    op.create_table(
        "report",
        _text("match"),
        _number("turn"),
        _text("reader"),
        _number("epoch"),
        _text("title"),
        _moment("at"),
        _number("seq"),
        _text("head"),
        _bytes("page"),
        _bytes("sheets"),
        _key("match", "turn", "reader", "epoch"),
        _belongs_to("match", "match.name"),
    )


def _clock() -> None:
    op.create_table(
        "token",
        _text("digest"),
        _text("match"),
        _number("player"),
        _text("seat"),
        _number("turn"),
        _flag("alive"),
        _key("digest"),
    )
    op.create_index(op.f("ix_token_match_turn"), "token", ["match", "turn"])
    op.create_table(
        "alarm",
        _text("match"),
        _text("kind"),
        _text("key"),
        _moment("due_at"),
        _text("seat"),
        _text("payload"),
        _key("match", "kind", "key"),
    )
    op.create_index(op.f("ix_alarm_due_at"), "alarm", ["due_at"])
    op.create_table(
        "note",
        _text("match"),
        _text("seat"),
        _text("name"),
        _text("value"),
        _key("match", "seat", "name"),
    )
