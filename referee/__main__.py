"""The program: `referee`, or python -m referee."""

from __future__ import annotations

import sys


def main() -> None:
    """Run a command. The version is told without loading the parts that commands need."""
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        print(version("referee"))
        return
    from referee.cli.program import main as run

    run()


if __name__ == "__main__":
    main()
