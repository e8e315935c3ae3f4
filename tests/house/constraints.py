"""The exact versions that this tree was tested with, for hosts: python -m tests.house.constraints. For `make constraints`."""

from __future__ import annotations

from importlib.metadata import requires, version

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.sources import ROOT

FILE = ROOT / "docs" / "hosting" / "constraints.txt"
EXTRAS = ("", "beacon", "postgresql")
HEAD = """\
# The versions of all libraries that this version of the referee was tested with, for pip's --constraint. Written by
# make constraints; docs/hosting.md tells how it is used.
"""


def stands_on() -> dict[str, str]:
    """Every library that an installation has, and its version here."""
    found: dict[str, str] = {}
    waiting = [("referee", extra) for extra in EXTRAS]
    seen = set(waiting)
    while waiting:
        name, extra = waiting.pop()
        if name != "referee":
            found[name] = version(name)
        for text in requires(name) or ():
            wish = Requirement(text)
            if wish.marker is None or wish.marker.evaluate({"extra": extra}):
                below = [(canonicalize_name(wish.name), each) for each in ("", *wish.extras)]
                waiting += [each for each in below if each not in seen]
                seen.update(below)
    return dict(sorted(found.items()))


if __name__ == "__main__":
    FILE.write_text(HEAD + "".join(f"{name}=={number}\n" for name, number in stands_on().items()), "utf-8")
