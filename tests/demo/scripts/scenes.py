"""Scenes that can be played in the demo of any game: slips corrected by YES, silence, a look at the map."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.demo.client import Letter
from referee.demo.table import REMINDS, Asked, Table, Unexpected, need
from referee.kit.wording import in_a_row


def corrected_by_yes(table: Table, now: Asked, body: str, signs: Sequence[str], right: Sequence[str]) -> Letter:
    """Slips are shown with what would be right, and corrected by a reply that says only YES; the receipt for it.

    `signs` stand in the first receipt, `right` in the second. Raises Unexpected.
    """
    show, player = table.show, now.client
    show.wrote(player.name, body)
    receipt = now.reply(body, "the receipt for orders with slips", quoting=True)
    need(receipt, *signs, "Reply with just YES")
    show.got(player.name, receipt, "Not taken", 24)
    yes = player.reply(receipt, "YES\n\nSent from my phone", quoting=True)
    corrected = player.answer_to(yes, "the receipt for YES")
    need(corrected, *right)
    return corrected


def reminded(table: Table, now: Asked, consequence: str) -> None:
    """Nothing comes from a player: two reminders, twelve and two hours before the deadline, say what will happen."""
    table.show.scene(f"{now.client.name} falls silent")
    for hours, left in ((12, 12), (10, 2)):
        table.pass_time(hours=hours)
        reminder = now.client.expect("a reminder", lambda letter: letter.heading == REMINDS)
        need(reminder, f"{left} h left", f"You owe orders for {now.phase}", consequence)
    table.show.got(now.client.name, reminder, "", 24)


_SHOWN = re.compile(r'<img [^>]*src="cid:((map[^@"]*)[^"]*)"')


def keep_map(table: Table, report: Letter) -> None:
    """The map of a report, as the pictures that its HTML shows and as SVG; all are kept. Raises Unexpected."""
    pictures = {name: report.pictures.get(cid, b"") for cid, name in _SHOWN.findall(report.html)}
    drawings = [data for name, data in report.files.items() if name.endswith(".svg") and b"<svg" in data]
    whole = all(data.startswith(b"\x89PNG\r\n") and data.endswith(b"IEND\xaeB`\x82") for data in pictures.values())
    if not pictures or not whole or len(drawings) != 1:
        raise Unexpected(f"The letter “{report.subject}” does not show the map.")
    need(report, "The map shows")
    folder = table.house.folder
    for name, picture in pictures.items():
        (folder / f"{name}.png").write_bytes(picture)
    (folder / "map.svg").write_bytes(drawings[0])
    wide = sum(int.from_bytes(picture[16:20]) for picture in pictures.values())
    kept = in_a_row([*(f"{name}.png" for name in pictures), "map.svg"])
    table.show.good(f"The HTML letter shows the map, {wide} points wide; it was saved in {folder} as {kept}.")
