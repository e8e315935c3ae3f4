"""The golden conversation: a new game master, given README and HELP alone, does all his work by mail.

`new_game_master.txt` is the conversation as it was held: his letters, and what he was answered up to the proof of each.
`PLAYED=write` writes it anew. Each order he uses stands in the README, or in a letter that he has got by then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish
from referee.core.record import Overrode, Rewound
from tests.house.sources import ROOT
from tests.world import Mail, World

NINA, OTTO = "nina@players.example", "otto@players.example"
PLAYERS = ("anna@players.example", "ben@players.example", "carla@players.example")
GOLDEN = Path(__file__).with_name("new_game_master.txt")


class Newcomer:
    """Nina: she writes only what she has read, and keeps the conversation."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.read = (ROOT / "README.md").read_text("utf-8")
        self.kept: list[str] = []

    def write(self, line: str, reply: bool = False) -> Mail:
        """A letter to the referee's address, or a reply to the last one in the match; her answer."""
        order = re.match(r"[A-Z]+(?: [A-Z]+\b)*", line.removeprefix("HELP "))
        assert order and order[0] in self.read, f"nobody told her of {order and order[0]}"
        mails = self.world.reply(NINA, line, confirms=False) if reply else self.world.write(NINA, line, says="")
        self.read += "".join(mail.flat for mail in mails if mail.to == NINA)
        questions = [mail for mail in mails if mail.kind in ("confirmation", "entry")]
        for question in questions:
            self._keep(line, question.text.rstrip())
            mails, line = self.world.write(NINA, "YES", question.reply_to), "YES"
        (receipt,) = [mail for mail in mails if (mail.is_a("receipt") or mail.kind == "refusal") and mail.to == NINA]
        assert receipt.subject.startswith("Welcome!") or receipt.flat.startswith("DONE"), receipt.text
        said = receipt.text.partition("\n------")[0].rstrip()
        shown = "(every word that can be written, with an example)" if line == "HELP ALL" else said
        self._keep(line, shown)
        return receipt

    def _keep(self, line: str, answer: str) -> None:
        self.kept += [f"NINA WRITES: {line}", "", *(f"    {words}".rstrip() for words in answer.splitlines()), ""]

    def helped(self, word: str, example: str, reply: bool = True) -> None:
        """HELP with a word, whose answer shows this example."""
        assert example in self.write(f"HELP {word}", reply).flat


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


def test_a_new_game_master_runs_a_match_by_mail_alone(world: World, tmp_path: Path) -> None:
    nina = Newcomer(world)
    nina.write("HELP")
    nina.write("HELP ALL")
    nina.helped("CREATE", "CREATE newworld AS nw1", reply=False)
    opened = nina.write("CREATE newworld AS spring")
    assert "Players join by writing JOIN spring" in opened.flat  # what she forwards to invite them
    for player in PLAYERS:
        world.write(player, "JOIN spring")
    nina.write("START spring", reply=True)
    assert world.status("spring") == "running"

    nina.helped("DEADLINE", "DEADLINE")
    late = world.alarms("deadline", "spring")[0].due_at
    nina.write('DEADLINE +12h BECAUSE "Ben travels"', reply=True)
    assert (world.alarms("deadline", "spring")[0].due_at - late).total_seconds() == 12 * 3600

    nina.helped("REPLACE", "REPLACE")
    seat, before = world.waits_for("spring"), world.on_turn("spring")
    nina.write(f'REPLACE {seat} BY {OTTO} BECAUSE "he moved house"', reply=True)
    assert world.player(seat, "spring") == OTTO != before

    for _ in range(3):
        world.reply(world.on_turn("spring"), "RESEARCH any\nROLL OUT")
    assert world.playing("spring").turn == 4
    nina.helped("REWIND", "REWIND TO TURN")
    nina.write('REWIND TO TURN 2 BECAUSE "a misread order"', reply=True)
    assert world.playing("spring").turn == 2 and world.log(Rewound, "spring")[-1].reason == "a misread order"

    nina.helped("ANNOUNCE", "ANNOUNCE")
    nina.write('ANNOUNCE "We stop here; the archive has it all."', reply=True)
    nina.helped("TERMINATE", "TERMINATE")
    nina.write('TERMINATE BECAUSE "the club closes"', reply=True)
    nina.helped("SEND", "history")
    assert "turn 1:" in world.reply(NINA, "SEND history")[-1].flat
    index = publish(world.office, Site(tmp_path / "archive"), "spring")  # the archivist does this after each step
    assert index is not None and index.is_file()
    words = [o.action.split()[0].rstrip(":") for o in world.log(Overrode, "spring")]
    assert words == ["DEADLINE", "REPLACE", "ANNOUNCE", "TERMINATE"]

    conversation = "\n".join(nina.kept)
    if os.environ.get("PLAYED") == "write":
        GOLDEN.write_text(conversation, "utf-8")
    assert conversation == GOLDEN.read_text("utf-8")
