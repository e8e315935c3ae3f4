"""Kept passages: written once for each value, forgotten oldest first, and unable to carry one reader's facts to another."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, Environment, TemplateSyntaxError

from referee.adapters.pages.render import Passages


class _Written:
    """A value that counts how often a template wrote it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.times = 0

    def __str__(self) -> str:
        self.times += 1
        return self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Written) and other.text == self.text


def environment(room: int = 1000, autoescape: bool = False, **sources: str) -> Environment:
    made = Environment(loader=DictLoader(sources), autoescape=autoescape)
    Passages(room).attach(made)
    return made


def test_a_passage_is_written_once_for_equal_values() -> None:
    template = environment().from_string("{% kept word %}<{{ word }}>{% endkept %}")
    first, again, other = _Written("gold"), _Written("gold"), _Written("wood")
    assert [template.render(word=word) for word in (first, again, other)] == ["<gold>", "<gold>", "<wood>"]
    assert (first.times, again.times, other.times) == (1, 0, 1)


def test_passages_that_are_kept_by_the_same_value_are_told_apart() -> None:
    template = environment().from_string("{% kept x %}a{{ x }}{% endkept %}{% kept x %}b{{ x }}{% endkept %}")
    assert template.render(x=1) == template.render(x=1) == "a1b1"


def test_the_oldest_passage_goes_when_there_is_no_room() -> None:
    template = environment(room=8).from_string("{% kept word %}{{ word }}{% endkept %}")
    words = [_Written(text) for text in ("aaaa", "bbbb", "cccc")]
    for word in (*words, *reversed(words)):
        template.render(word=word)
    assert [word.times for word in words] == [2, 1, 1]


@pytest.mark.parametrize("room", [0, 3])
def test_a_passage_there_is_no_room_for_is_written_each_time(room: int) -> None:
    template = environment(room).from_string("{% kept word %}{{ word }}{% endkept %}")
    word = _Written("gold")
    assert template.render(word=word) + template.render(word=word) == "goldgold"
    assert word.times == 2


def test_a_row_of_values_is_written_in_order_and_each_value_once() -> None:
    template = environment().from_string("({% kept each word in words %}<{{ word }}>{% endkept %})")
    gold, wood, again = _Written("gold"), _Written("wood"), _Written("gold")
    assert template.render(words=[gold, wood]) == "(<gold><wood>)"
    assert template.render(words=(wood, again, wood)) == "(<wood><gold><wood>)"
    assert template.render(words=()) == "()"
    assert (gold.times, wood.times, again.times) == (1, 1, 0)


def test_what_a_row_holds_is_escaped_once() -> None:
    source = "{% macro m(xs) %}{% kept each x in xs %}<b>{{ x }}</b>{% endkept %}{% endmacro %}{{ m(xs) }}"
    template = environment(autoescape=True).from_string(source)
    assert template.render(xs=["<", ">"]) == template.render(xs=["<", ">"]) == "<b>&lt;</b><b>&gt;</b>"


def test_a_row_there_is_no_room_for_is_written_each_time() -> None:
    template = environment(room=0).from_string("{% kept each word in words %}{{ word }}{% endkept %}")
    word = _Written("gold")
    assert template.render(words=[word, word]) == "goldgold"
    assert word.times == 2


def test_what_a_kept_passage_holds_is_escaped_once() -> None:
    template = environment(autoescape=True).from_string("{% kept x %}<b>{{ x }}</b>{% endkept %}")
    assert template.render(x="<&>") == template.render(x="<&>") == "<b>&lt;&amp;&gt;</b>"


def test_loops_and_passages_inside_passages() -> None:
    source = "{% kept rows, sign %}{% for row in rows %}{% kept row %}{{ row }}{% endkept %}{{ sign }}{% endfor %}{% endkept %}"
    template = environment().from_string(source)
    assert [template.render(rows=rows, sign=sign) for rows, sign in (((1, 2), ";"), ((2, 3), ";"), ((2, 3), "."))] == [
        "1;2;",
        "2;3;",
        "2.3.",
    ]


def test_a_passage_may_be_kept_by_parts_of_a_value() -> None:
    template = environment().from_string("{% kept frame.a, y %}{{ frame.a }}{{ y }}{% endkept %}")
    frames = [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}]
    assert [template.render(frame=frame, y=y) for frame in frames for y in (7, 8)] == [
        "17",
        "18",
        "17",
        "18",
        "27",
        "28",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "{% kept x %}{{ letter }}{% endkept %}",
        "{% kept x %}{% set letter = letter %}{{ x }}{% endkept %}",
        "{% for y in z %}{% kept x %}{{ loop.index }}{% endkept %}{% endfor %}",
        "{% macro m(x) %}{% kept x %}{{ caller() }}{% endkept %}{% endmacro %}",
        "{% kept x %}{% include 'other' %}{% endkept %}",
        "{% kept x.y %}{{ x.z }}{% endkept %}",
        "{% kept x.y %}{{ x }}{% endkept %}",
        "{% kept x %}{% kept y %}{{ y }}{% endkept %}{% endkept %}",
        "{% kept each x in z %}{{ x }}{{ z }}{% endkept %}",
    ],
)
def test_a_passage_that_uses_what_it_is_not_kept_by_is_refused(source: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="may not use"):
        environment(other="{{ letter }}").from_string(source)
