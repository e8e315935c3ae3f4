"""Every command of the command line, loaded."""

from functools import cache

import typer.testing
from typer.main import get_command

from referee.cli.whole import whole

app = whole()

vars(typer.testing)["_get_command"] = cache(get_command)  # made once, and not for every call
