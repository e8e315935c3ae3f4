"""Providers of mailboxes that are known by name: where their servers are, and how one is let in."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

Security = Literal["tls", "starttls", "none"]
Login = Literal["password", "app password", "token"]

_SECURITY: dict[int, Security] = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls", 25: "none"}
"""What is spoken at a port, where nobody says otherwise."""


class Server(msgspec.Struct, frozen=True):
    """A mail server, and how the connection to it is protected."""

    host: str
    port: int
    security: Security


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """A provider, as providers.toml tells it; its servers are written HOST:PORT there."""

    name: str
    imap: str
    smtp: str
    login: Login = "password"
    where: str = ""
    domains: tuple[str, ...] = ()
    imap_user: Literal["address", "name"] = "address"
    plus: bool = True


@cache
def providers() -> dict[str, Provider]:
    """All of them by the word by which they are chosen, the most used first."""
    text = files("referee.setup").joinpath("providers.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Provider])


def whose(address: str) -> str:
    """The word of the provider whose address this is known to be, "" for none."""
    domain = address.rpartition("@")[2].lower()
    return next((word for word, provider in providers().items() if domain in provider.domains), "")


def server(text: str, usual: int) -> Server:
    """A server from HOST or HOST:PORT. Raises ValueError."""
    host, _, port = text.strip().partition(":")
    number = int(port) if port else usual
    if not host or any(letter.isspace() for letter in host) or not 0 < number < 65536:
        raise ValueError(text)
    return Server(host, number, _SECURITY.get(number, "starttls"))
