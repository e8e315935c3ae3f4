"""A mail server for tests: aiosmtpd on a loop in a thread of its own, and nothing of it left open when it is closed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from aiosmtpd.smtp import SMTP


class _Session(SMTP):
    """A session whose connection can be cut."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.connection: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # After STARTTLS there is another one, above this one and lost with it.
        self.connection = self.connection or transport
        super().connection_made(transport)


class Served:
    """Listens on `port` of loopback; `handler` and `options` are aiosmtpd's, the options asked for at every session."""

    def __init__(self, handler: Any, options: Callable[[], dict[str, Any]] = dict) -> None:
        self._handler, self._options = handler, options
        self.sessions: list[_Session] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.server: asyncio.Server = self._in_loop(self._listen())
        self.port: int = self.server.sockets[0].getsockname()[1]

    def _in_loop(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)

    async def _listen(self) -> asyncio.Server:
        return await self._loop.create_server(self._session, "127.0.0.1", 0)

    def _session(self) -> SMTP:
        self.sessions.append(_Session(self._handler, loop=self._loop, **{"hostname": "sink"} | self._options()))
        return self.sessions[-1]

    def hang_up(self) -> None:
        """End every session at once, without a word."""
        self._in_loop(self._cut())

    async def _cut(self) -> None:
        for session in self.sessions:
            if session.connection is not None:
                session.connection.abort()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await asyncio.gather(*others, return_exceptions=True)

    async def _close(self) -> None:
        # Who was let in just now is a session three rounds of the loop later.
        for listening in self.server.sockets:
            self._loop.remove_reader(listening)
        for _ in range(3):
            await asyncio.sleep(0)
        self.server.close()

    def close(self) -> None:
        """Listen no more, and cut whoever is in."""
        self._in_loop(self._close())
        self.hang_up()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
