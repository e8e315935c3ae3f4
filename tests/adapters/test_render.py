"""The renderer, its plain-text tables and its workbooks: nothing breaks the 72 columns, templates are read once, by all threads."""

from __future__ import annotations

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from jinja2 import UndefinedError
from openpyxl import load_workbook

from referee.adapters.pages.layout import WIDTH, cells, runs, underlined, wrap
from referee.adapters.pages.render import KINDS, TemplateRenderer, _environment
from referee.adapters.pages.text_table import figures, folds, table
from referee.adapters.pages.workbook import workbook
from referee.core.page import Grid, Sheet
from referee.service.base.letter_facts import Ignored
from tests.templates.samples import bare, full

TEMPLATES = Path(__file__).parents[2] / "templates"


def test_numbers_stand_right_and_text_left_under_an_underlined_header() -> None:
    grid = Grid(("Name", "Gold"), (("England", 7), ("Spain", 123)), total=("All", 130))
    assert table(grid).split("\n") == [
        "Name     Gold",
        "-------  ----",
        "England     7",
        "Spain     123",
        "-------  ----",
        "All       130",
    ]


def test_changes_in_brackets_do_not_push_numbers_out_of_line() -> None:
    grid = Grid(("", "Gold"), (("A", 9), ("B", "12 (+3)")))
    assert table(grid).split("\n")[2:] == ["A   9", "B  12 (+3)"]
    assert figures(grid) == (False, True)


def test_a_wide_text_column_is_wrapped() -> None:
    grid = Grid(("Turn", "What happened"), ((1, "word " * 30), (2, "short")))
    lines = table(grid).split("\n")
    assert len(lines) == 2 + 3 + 1 and lines[-1] == "   2  short"
    assert all(line.startswith("      word") for line in lines[3:5])


def test_too_many_columns_are_split_and_the_first_is_repeated() -> None:
    grid = Grid(("Seat", *(f"Column {i:02}" for i in range(12))), (("England", *range(12)), ("Spain", *range(12))))
    parts = table(grid).split("\n\n")
    assert len(parts) > 1 and all(part.startswith("Seat ") and "\nSpain " in part for part in parts)
    assert [i for i in range(12) if f"Column {i:02}" in table(grid)] == [*range(12)]


_TEXT = some.text(some.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=120)
_CELLS = some.one_of(some.integers(), _TEXT)


@settings(max_examples=80, deadline=None)
@given(some.data())
def test_no_table_ever_runs_over_the_edge(data: some.DataObject) -> None:
    count = data.draw(some.integers(1, 9))
    columns = tuple(data.draw(_TEXT) for _ in range(count))
    rows = tuple(tuple(data.draw(_CELLS) for _ in range(count)) for _ in range(data.draw(some.integers(0, 3))))
    assert max(map(cells, table(Grid(columns, rows)).split("\n"))) <= WIDTH


@settings(max_examples=80, deadline=None)
@given(_TEXT, some.integers(0, 12))
def test_wrapping_keeps_every_character_and_the_width(text: str, indent: int) -> None:
    lines = wrap(text, " " * indent).split("\n")
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(map(cells, lines)) <= WIDTH


def test_a_wrapped_item_hangs_under_its_first_word() -> None:
    lines = wrap("word " * 30, "- ").split("\n")
    assert lines[0].startswith("- word") and all(line.startswith("  word") for line in lines[1:])


def test_a_heading_is_ruled_as_wide_as_it_is() -> None:
    assert underlined("Größe 大", "=") == "Größe 大\n========"


def test_lines_not_read_are_gathered_by_reason_and_lines_that_stand_alone_are_not() -> None:
    quoted = [Ignored(number, "> x", "quoted") for number in (2, 3, 5)]
    alone = [Ignored(number, "Hello", "a remark", alone=True) for number in (6, 7)]
    found = [(run.where, len(run.lines), run.count) for run in runs([*quoted, *alone])]
    assert found == [("Lines 2 to 5", 3, 3), ("Line 6", 1, 1), ("Line 7", 1, 1)]


def test_lines_of_one_number_are_one_line_and_those_not_shown_are_counted() -> None:
    (same,) = runs([Ignored(4, "one", "x"), Ignored(4, "two", "x")])
    assert (same.where, same.shown) == ("Line 4", "")
    (ends,) = runs([Ignored(4, "one", "x", hidden=3), Ignored(8, "two", "x")])
    assert (ends.where, ends.count, ends.shown) == ("Lines 4 to 8", 5, ", the first and the last being")
    (three,) = runs([Ignored(4, "a", "x", hidden=3), Ignored(8, "b", "x"), Ignored(9, "c", "x")])
    assert three.shown == ", 3 of 6 being"


def test_every_template_is_read_at_the_start_and_never_again(tmp_path: Path) -> None:
    folder = copytree(TEMPLATES, tmp_path / "templates")
    renderer = TemplateRenderer(folder)
    before = {kind: TemplateRenderer().render(kind, bare()[kind]) for kind in KINDS}
    for file in folder.rglob("*.*"):
        if file.is_file():
            file.unlink()
    assert {kind: renderer.render(kind, bare()[kind]) for kind in KINDS} == before


def test_a_class_without_a_style_is_noticed_at_the_start(tmp_path: Path) -> None:
    folder = copytree(TEMPLATES, tmp_path / "templates")
    parts = folder / "html" / "parts.jinja"
    parts.write_text(parts.read_text("utf-8").replace('class="heading"', 'class="heeding"'), "utf-8")
    with pytest.raises(KeyError, match="heeding"):
        TemplateRenderer(folder)


def test_a_kind_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError):
        TemplateRenderer().render("poem", None)


def test_threads_share_a_renderer() -> None:
    renderer, letters = TemplateRenderer(), full()
    alone = {kind: renderer.render(kind, letters[kind]) for kind in KINDS}
    with ThreadPoolExecutor(8) as pool:
        for kind, rendered in pool.map(lambda kind: (kind, renderer.render(kind, letters[kind])), KINDS * 5):
            assert rendered == alone[kind]


MACROS = """
{%- macro both(a, b="-") %}{{ a }}{{ b }}{% endmacro %}
{%- macro box() %}[{{ caller() }}]{% endmacro %}
{%- macro either(text=none) %}{{ caller() if text is none else text }}{% endmacro %}
{%- macro rest(a) %}{{ a }}{{ varargs|join }}{{ kwargs['c'] }}{% endmacro -%}
"""


@pytest.mark.parametrize(("form", "less"), [("text", "<"), ("html", "&lt;")])
def test_a_macro_says_the_same_however_its_arguments_come(form: str, less: str) -> None:
    said = (
        "{{ both('<', '>')|length }} {{ both('<', 'x') }} {{ both(b='x', a='<') }} {{ both('<') }} {{ either('<') }} "
        "{% call box() %}<{% endcall %} {% call either() %}{{ '<' }}{% endcall %} {{ rest('<', 'x', c='y') }}"
    )
    template = _environment(form, {"": MACROS + said}.__getitem__, 0).get_template("")
    assert template.render().split() == [
        str(len(less) + len(less)),
        f"{less}x", f"{less}x", f"{less}-", less, "[<]", less, f"{less}xy",
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", ["both()", "box()", "either()", "both(1, 2, 3)", "both(1, c=2)"])
def test_a_macro_that_is_not_given_what_it_wants_is_an_error(wrong: str) -> None:
    template = _environment("text", {"": MACROS + "{{ " + wrong + " }}"}.__getitem__, 0).get_template("")
    with pytest.raises((UndefinedError, TypeError)):
        template.render()


# ---------------------------------------------------------------- workbooks, read by another program


GOODS = Grid(("What", "Number"), (("gold", 3), ("=1+1", -2), ("007", 0), ("http://x.example", 1)), "Goods", ("all", 5))
SHEET = Sheet("goods", "Goods of France", (GOODS, Grid(("Alone",), ())), None, ("A note.",))


def cells_of(data: bytes, name: str) -> list[tuple[object, ...]]:
    """The rows of a worksheet that hold anything."""
    page = load_workbook(io.BytesIO(data))[name]
    return [tuple(value for value in row if value is not None) for row in page.iter_rows(values_only=True) if any(row)]


def test_tables_stand_under_their_captions_with_totals_and_notes() -> None:
    assert cells_of(workbook([SHEET]), "Goods of France") == [
        ("Goods of France",), ("Goods",), ("What", "Number"), ("gold", 3), ("=1+1", -2), ("007", 0),
        ("http://x.example", 1), ("all", 5), ("Alone",), ("A note.",),
    ]  # fmt: skip


def test_what_a_player_wrote_is_text_and_numbers_are_numbers() -> None:
    page = load_workbook(io.BytesIO(workbook([SHEET])))["Goods of France"]
    kinds = {str(cell.value): cell.data_type for row in page.iter_rows() for cell in row}
    assert (kinds["=1+1"], kinds["007"], kinds["http://x.example"], kinds["-2"]) == ("s", "s", "s", "n")
    assert all(cell.hyperlink is None for row in page.iter_rows() for cell in row)


def test_worksheets_have_short_lawful_names_and_no_two_alike() -> None:
    long = "Arcadia: d. Economic and Military Record [of *all* turns?]"
    sheets = [Sheet("d", title, ()) for title in (long, long.upper(), "", "'/:", long)]
    names = load_workbook(io.BytesIO(workbook(sheets))).sheetnames
    assert names[0] == "Arcadia d. Economic and Militar"
    assert len({name.lower() for name in names}) == 5 and all(0 < len(name) <= 31 for name in names)


def test_equal_sheets_give_equal_bytes_whenever_they_are_made() -> None:
    first = workbook([SHEET])
    assert workbook([SHEET]) == first
    with zipfile.ZipFile(io.BytesIO(first)) as packed:
        assert {entry.date_time[0] for entry in packed.infolist()} == {1980}
        assert b"2000-01-01T00:00:00Z" in packed.read("docProps/core.xml")


def test_a_table_folds_that_is_wider_than_a_telephone() -> None:
    wide = Grid(tuple(f"column {number}" for number in range(6)), (("elephants",) * 6,))
    narrow = Grid(("seat", "gold"), (("Spain", 7),))
    assert [folds(grid) for grid in (wide, narrow, Grid((), ()))] == [True, False, False]
