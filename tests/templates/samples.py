"""Letters to show the templates: a real turn of New World between England, Spain, France and Holland, and bare ones."""

from __future__ import annotations

from functools import cache
from typing import Any

from referee.core.chance import Chance
from referee.core.game import Game
from referee.core.names import Seat
from referee.core.page import Bullets, Form, Grid, Heading, Note, Page, Paragraph, Sheet, Tally
