"""Every command of the command line, loaded."""

from referee.cli.whole import whole

app = whole()
