"""How many words the letters of the kept games have, kind by kind: `python -m tests.letters.words`.

The same letters and dice lead to the same turns in every version, so the sums of two versions may be compared.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from tests.letters.first_screen import before_the_sheet
from tests.played.playing import letters_of
from tests.world import Mail

GAMES = ("newworld", "war17", "war27", "empire")


def letters_in(game: str) -> list[Mail]:
    """Every letter written while a kept game is played, oldest first."""
    with tempfile.TemporaryDirectory() as place:
        return letters_of(Path(__file__).parents[1] / "played" / game, Path(place))


def main() -> None:
    """Print the table."""
    print("game      kind            letters   words  a letter  before the sheet (median, most)")
    total: Counter[str] = Counter()
    for game in GAMES:
        kinds: dict[str, list[Mail]] = {}
        for mail in letters_in(game):
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
