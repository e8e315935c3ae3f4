"""What the server of forks loads first (see tests.program): every command, and the templates they write letters by."""

import gc

from referee import desk_process
from referee.adapters.pages.render import TemplateRenderer
from referee.games import GAMES
from tests import commands, program

__all__ = ["commands", "desk_process", "program"]

TemplateRenderer()
len(GAMES)
gc.freeze()
