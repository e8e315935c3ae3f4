"""The README's conversation is held with a real referee, letter by letter; its answers must be in the real ones."""

from __future__ import annotations

import re
from pathlib import Path

from tests.world import Mail, World

README = Path(__file__).parent.parent / "README.md"
_BLOCK = re.compile(r"^```(letter|reply|answer|clock)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _address(name: str) -> str:
    return f"{name.lower()}@example.org"


def _assert_told(mail: Mail, shown: str) -> None:
    """Every paragraph shown stands in the letter, in this order; a line of three dots stands for anything."""
    lines = [f"Subject: {mail.subject}", *mail.text.splitlines()]
    place = 0
    for line in shown.splitlines():
        if line.strip() in ("", "..."):
            continue
        rest = [candidate.rstrip() for candidate in lines[place:]]
        assert line.rstrip() in rest, f"{line!r} is not in the letter {mail.subject!r} after line {place}:\n{mail.text}"
        place += rest.index(line.rstrip()) + 1


def test_the_conversation_of_the_readme(tmp_path: Path) -> None:
    world = World(tmp_path, seed="readme")
    blocks = _BLOCK.findall(README.read_text("utf-8"))
    assert len([kind for kind, _, _ in blocks if kind == "answer"]) >= 5
    for number, (kind, about, body) in enumerate(blocks):
        name = about.split()[-1] if about.split() else ""
        if kind == "letter":
            shown = "Was this you?" in blocks[number + 1][2]  # once; the others say YES unseen
            world.write(_address(name), body, says="" if shown else "YES")
        elif kind == "reply":
            world.reply(_address(name), body, confirms=False)
        elif kind == "clock":
            world.wait(hours=float(about.split()[0]))
        else:
            _assert_told(world.last(_address(name)), body)
    world.close()
