"""The baseline of what takes letters in: stock aiosmtpd that forgets every letter, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from aiosmtpd.smtp import SMTP, Envelope, Session

_CALLS = {"RCPT": 10_000, "MAIL": 10_000, "DATA": 10_000, "*": 10_000}
"""aiosmtpd lets a session say each word so often; the load generator says them more often than by default."""


class _Nothing:
    """A handler that takes every letter and forgets it."""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return "250 2.0.0 Forgotten"


@contextmanager
def forgetful(protocol: type[SMTP]) -> Iterator[int]:
    """SMTP or LMTP on a port of loopback, which is yielded; as aiosmtpd's own Controller runs it."""
    port: Future[int] = Future()
    ending = threading.Event()

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: protocol(
                _Nothing(), enable_SMTPUTF8=True, hostname="localhost", command_call_limit=_CALLS, loop=loop
            ),
            "127.0.0.1",
            0,
        )
        async with server:
            port.set_result(server.sockets[0].getsockname()[1])
            await loop.run_in_executor(None, ending.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    try:
        yield port.result()
    finally:
        ending.set()
        thread.join()
