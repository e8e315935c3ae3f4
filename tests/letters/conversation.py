"""Golden conversations: what people wrote and were answered, whole, in files that a player can read.

A test holds the conversation with a real referee in one process, and `kept` compares it with `NAME.txt` beside this module;
`PLAYED=write` writes that anew, and its difference is to be read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from textwrap import indent

from tests.world import Mail, World

_DIGEST = re.compile(r"\b[0-9a-f]{8,64}\b")
"""Fingerprints follow from every byte of a log: they would change with each rule, and say nothing to a reader."""


def address_of(name: str) -> str:
    """Where somebody of a conversation gets his letters."""
    return f"{name.lower()}@players.example"


class Conversation:
    """Letters between the referee and a few people, in order; those of `silent` people are not kept."""

    def __init__(self, world: World, *silent: str) -> None:
        self.world = world
        self._silent = {address_of(name) for name in silent}
        self._lines: list[str] = []

    def writes(self, name: str, body: str, subject: str = "") -> list[Mail]:
        """Somebody writes to the referee's own address; the letters that follow."""
        self._say(name, "to the referee", subject, body)
        return self._come(self.world.write(address_of(name), body, subject=subject or "hello", says=""))

    def replies(self, name: str, body: str, kind: str = "") -> list[Mail]:
        """Somebody replies to the last letter (of a kind) that he got; the letters that follow."""
        last = self.world.last(address_of(name), kind)
        self._say(name, f"in reply to “{last.subject}”", "", body)
        return self._come(self.world.reply(address_of(name), body, kind, confirms=False))

    def comes(self, name: str) -> list[Mail]:
        """The last letter that somebody got, which nobody had asked for."""
        return self._come([self.world.last(address_of(name))])

    def waits(self, **span: float) -> list[Mail]:
        """Time passes; the letters that come meanwhile."""
        self._lines += [f"SOME TIME PASSES: {', '.join(f'{count} {unit}' for unit, count in span.items())}", ""]
        return self._come(self.world.wait(**span))

    def kept(self, name: str) -> None:
        """The conversation is as its file says."""
        file, held = (
            Path(__file__).with_name(f"{name}.txt"),
            _DIGEST.sub("0…", "\n".join(self._lines)).replace("\r", ""),
        )
        if os.environ.get("PLAYED") == "write":
            file.write_text(held, "utf-8")
        assert held == file.read_text("utf-8")

    def _say(self, name: str, where: str, subject: str, body: str) -> None:
        if address_of(name) not in self._silent:
            about = f", subject “{subject}”" if subject else ""
            self._lines += [f"{name.upper()} WRITES {where}{about}:", "", indent(body, "    "), ""]

    def _come(self, mails: Iterable[Mail]) -> list[Mail]:
        mails = list(mails)
        for mail in mails:
            if mail.to not in self._silent:
                text = indent(mail.text.rstrip(), "    ", lambda line: bool(line.strip()))
                self._lines += [f"{mail.to.partition('@')[0].upper()} GETS “{mail.subject}”:", "", text, ""]
        return mails
