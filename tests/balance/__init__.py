"""Four written strategies of Empire played against each other by the thousand, and what comes of it: `referee simulate`.

Read in this order: playing, figures, showing.
"""

from tests.balance.showing import study

__all__ = ["study"]
