"""Reports, record sheets and standings can be had at every boundary by every reader, from what he was told."""

from __future__ import annotations

import io

import msgspec
from PIL import Image, ImageChops

from referee.adapters.pages.picture import composed, drawn
from referee.core.event import Event
from referee.core.names import Reader, Role
from referee.core.page import Page, Sheet, Tally
from referee.core.position import told
from tests.contract.bots import GameRecord, briefest, readers


def walk(record: GameRecord, reader: Reader, sheets_every: int) -> None:
    """Fold what the reader is told phase by phase; take the report each time, the sheets now and then, the logs once."""
    game = record.game
    state = game.setup(record.created.seats, record.created.options)
    history: list[Event] = []
    for number, ended in enumerate(record.ended):
        known = told(ended.events, reader)
        before = state
        for event in known:
            state = game.evolve(state, event)
        history += known
        page = game.report(before, known, state, reader)
        check_page(page)
        if number % sheets_every == 0 or number == len(record.ended) - 1:
            for sheet in game.sheets(history, state, reader):
                check_sheet(sheet, record)
    for sheet in game.logs(history, reader):
        check_sheet(sheet, record)


def check_page(page: Page) -> None:
    assert page.title.strip() and page.summary.strip()
    assert "\n" not in page.title + page.summary
    assert msgspec.json.decode(msgspec.json.encode(page), type=Page) == page


def check_sheet(sheet: Sheet, record: GameRecord) -> None:
    assert sheet.name.strip() and sheet.title.strip()
    assert sheet.of is None or sheet.of in record.created.seats
    for grid in sheet.grids:
        assert all(len(row) == len(grid.columns) for row in grid.rows), sheet.title
        assert grid.total is None or len(grid.total) == len(grid.columns)
    assert msgspec.json.decode(msgspec.json.encode(sheet), type=Sheet) == sheet


def test_every_reader_gets_his_pages_and_sheets(played: tuple[GameRecord, ...]) -> None:
    for record in briefest(played, 4):
        for reader in (*readers(record), Role.REFEREE):
            walk(record, reader, sheets_every=7)


def test_the_report_does_not_hang_on_the_kind_of_sequence_it_is_handed(played: tuple[GameRecord, ...]) -> None:
    for record in played[:4]:
        ended = record.ended[-1]
        arguments = (ended.before, ended.events, ended.after, Role.REFEREE)
        listed = (ended.before, list(ended.events), ended.after, Role.REFEREE)
        assert record.game.report(*arguments) == record.game.report(*listed)


def test_a_game_of_one_report_makes_nothing_of_its_reader(played: tuple[GameRecord, ...]) -> None:
    for record in (r for r in played[:4] if r.game.one_report):
        history = [event for ended in record.ended for event in ended.events]
        ended, everybody = record.ended[-1], readers(record)
        reports = [record.game.report(ended.before, ended.events, ended.after, reader) for reader in everybody]
        sheets = [record.game.sheets(history, ended.after, reader) for reader in everybody]
        assert len(everybody) > 1 and reports == reports[:1] * len(everybody) and sheets == sheets[:1] * len(everybody)


def test_a_map_in_parts_is_the_picture_it_would_be_in_one_piece(played: tuple[GameRecord, ...]) -> None:
    """All signs and patterns are on it; only what lies at the edge of a part may be drawn a shade otherwise."""
    for record in briefest(played, 1):
        ended = record.ended[-1]
        if chart := record.game.chart(ended.after, Role.OBSERVER, ended.events):
            whole = Image.open(io.BytesIO(drawn(chart.svg))).convert("RGB")
            apart = (
                ImageChops.difference(composed(chart.svg), whole).convert("L").point(lambda shade: 255 * (shade > 40))
            )
            assert apart.histogram()[255] < 0.001 * whole.width * whole.height


def test_standings_are_ranked_at_every_boundary(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        for ended in (*record.ended[::3], record.ended[-1]):
            check_tally(record.game.score(ended.after), record)
            assert set(record.game.living(ended.after)) <= set(record.created.seats)


def check_tally(tally: Tally, record: GameRecord) -> None:
    ranks = [standing.rank for standing in tally.standings]
    assert ranks == sorted(ranks) and ranks[0] == 1
    assert sorted(standing.seat for standing in tally.standings) == sorted(record.created.seats)
    for standing in tally.standings:
        assert standing.rank == 1 + sum(other.rank < standing.rank for other in tally.standings)


def test_the_standings_are_final_only_at_the_end(played: tuple[GameRecord, ...]) -> None:
    for record in played:
        finals = [record.game.score(ended.after).final for ended in (*record.ended[:-1:3], record.ended[-1])]
        assert finals[-1] and not any(finals[:-1])


def test_a_chart_has_words_that_replace_it(played: tuple[GameRecord, ...]) -> None:
    for record in played[:8]:
        for reader in readers(record):
            drawing = record.game.chart(record.state, reader)
            assert drawing is None or (drawing.svg.lstrip().startswith("<") and drawing.instead.strip())
