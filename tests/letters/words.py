"""How many words the letters of the kept games have, kind by kind: `python -m tests.letters.words`.

The same letters and dice lead to the same turns in every version, so the sums of two versions may be compared.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path

from tests.played.playing import play
from tests.world import Mail, World

GAMES = ("newworld", "war17", "war27", "empire")
_CUT = re.compile(r"^.*- cut here -.*$", re.MULTILINE)


def letters_of(game: str) -> list[Mail]:
    """Every letter written while a kept game is played, oldest first."""
    folder = Path(__file__).parents[1] / "played" / game
    with tempfile.TemporaryDirectory() as place:
        for _ in play(folder, Path(place)):
            pass
        world = World(Path(place))
        mails = world.all_mail()
        for mail in mails:
            assert mail.text is not None
        world.close()
    return mails


def before_the_sheet(text: str) -> int | None:
    """Words of a letter that stand before its order sheet; None without one."""
    cut = _CUT.search(text)
    return len(text[: cut.start()].split()) if cut else None


def main() -> None:
    """Print the table."""
    print("game      kind            letters   words  a letter  before the sheet (median, most)")
    total: Counter[str] = Counter()
    for game in GAMES:
        kinds: dict[str, list[Mail]] = {}
        for mail in letters_of(game):
            kinds.setdefault(mail.kind, []).append(mail)
        for kind, mails in sorted(kinds.items()):
            words = sum(len(mail.text.split()) for mail in mails)
            sheets = sorted(n for mail in mails if (n := before_the_sheet(mail.text)) is not None)
            way = f"{sheets[len(sheets) // 2]}, {sheets[-1]}" if sheets else ""
            print(f"{game:9} {kind:14} {len(mails):8} {words:7} {words // len(mails):9}  {way}")
            total.update(letters=len(mails), words=words)
    print(f"{'all':24} {total['letters']:8} {total['words']:7} {total['words'] // total['letters']:9}")


if __name__ == "__main__":
    main()
