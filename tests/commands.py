"""Every command of the command line, loaded."""

from functools import cache

import typer.testing
from typer.main import get_command

from referee.cli.program import whole

app = whole()

# Made once: the runner of typer makes it anew for each call, in 27 ms, and can be handed none that is made. The name is
# private; a typer that has another one fails here, and is not only slow.
assert "_get_command" in vars(typer.testing)
vars(typer.testing)["_get_command"] = cache(get_command)
