"""Sentences that people read begin with their noun, not with a clause of Who, What or Which; no paragraph is a wall."""

from __future__ import annotations

import re

import pytest

from tests.house.sources import ROOT, modules, tracked_files

READ = ("README.md", "Makefile", "config.example.toml", ".ci/", "docs/", "referee/", "templates/")
KINDS = {"", ".case", ".css", ".html", ".jinja", ".js", ".lark", ".md", ".mjs", ".py", ".toml", ".txt"}
DATA = {"asked.toml"}
"""Words that people wrote."""

START = r"\A\s*|\"\"\"|^(?:[-+>|\s*#]|/[/*]+|\d+\.)*|[.!?:;|]\s+[*_]*|\{#\s*|(?P<quote>[\"'>])"
WORD = r"(?:Whose|Whom?|What|Which)(?:ever)?\b(?!'| =)"
CLAUSE = re.compile(
    rf"(?:{START})(?P<said>{WORD}(?:(?!\n[\s#]*\n|-{{5}})(?(quote)(?:\{{[^}}]*\}}|[^.!?\"'<\n{{])|(?:[^.!?|`]|`[^`]*`)))*[.!?])",
    re.M,
)
NO_SENTENCE = re.compile(r"^#+ .*$|^\|.*\n(?=\|[ :|-]+$)", re.M)
"""Headings of a page, and of its tables."""


def clauses(text: str, page: bool = False) -> list[str]:
    """The sentences of a text that begin so, questions left out; a `page` has headings."""
    said = (found["said"] for found in CLAUSE.finditer(NO_SENTENCE.sub("\n", text) if page else text))
    return [" ".join(each.split()) for each in said if not each.endswith("?")]


def test_no_sentence_begins_with_a_clause_of_who_or_what() -> None:
    every = (path for path in tracked_files() if path.suffix in KINDS and path.name not in DATA)
    read = (path for path in every if path.relative_to(ROOT).as_posix().startswith(READ))
    found = {str(path.relative_to(ROOT)): clauses(path.read_text("utf-8"), path.suffix == ".md") for path in read}
    assert {path: said for path, said in found.items() if said} == {}


LONGEST = 80
"""So many words a paragraph has at most, of a page or of a docstring."""


def walls(text: str) -> list[str]:
    """The paragraphs, items of lists too, that are longer."""
    prose = re.sub(r"^```.*?^```$|^\|[^\n]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [part for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", prose) if len(part.split()) > LONGEST]


def test_no_paragraph_of_a_page_or_a_docstring_is_a_wall() -> None:
    pages = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    every = {page: [page.read_text("utf-8")] for page in pages}
    every |= {path: re.findall(r'"""(.+?)"""', path.read_text("utf-8"), re.DOTALL) for path in modules()}
    found = {
        str(path.relative_to(ROOT)): [wall for text in texts for wall in walls(text)] for path, texts in every.items()
    }
    assert {path: said for path, said in found.items() if said} == {}


def test_a_wall_is_seen() -> None:
    assert walls("word " * 81) and not walls("word " * 80) and not walls("* word\n" * 81)


@pytest.mark.parametrize(
    "text",
    [
        '    """Who holds it pays 2 PP."""',
        '"""The price. What a card costs\n    is told."""',
        "# What nobody asks for\n# goes. Else it stays.",
        "* **Whoever has it**: all of it is told.",
        "| a | What is lost comes back. |",
        'why = "Whose turn it is stands above."',
        "<p>What you see is yours.</p>",
        "/** What it gives, in order. */",
        "{# What dice are. #}",
    ],
)
def test_such_a_sentence_is_found(text: str) -> None:
    assert clauses(text)


@pytest.mark.parametrize(
    "text",
    [
        "## What you can trust\n\nAll of it.",
        "| Key | What happens |\n|---|---|\n",
        "Who plays? Nobody.",
        'Grid(("What", "Number"), now.rows)',
        "The holder pays what it costs.",
        "WHO tells it. Whole turns are counted.",
    ],
)
def test_a_question_a_heading_and_a_command_are_none(text: str) -> None:
    assert clauses(text, page=True) == []
