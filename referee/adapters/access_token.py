"""OAuth2 access tokens, printed by a program of the host's: they live for about an hour, so every login asks for one."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence


class NoToken(Exception):
    """The program printed no token; the message is fit to be shown to the keeper and holds nothing it printed."""


def access_token(command: Sequence[str], timeout: float) -> str:
    """What the command prints, within so many seconds. Raises NoToken when it fails."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        # The command's output is left out: it may hold the token.
        raise NoToken(f"the token command {shlex.quote(command[0])} failed: {type(error).__name__}") from error
    return done.stdout.decode("ascii", "replace").strip()
