"""What the server of forks loads first (see tests.program): every command, and the templates they write letters by."""

import gc

import referee.cli
from referee.adapters.pages.render import TemplateRenderer
from tests import program

__all__ = ["program", "referee"]

TemplateRenderer()
gc.freeze()
