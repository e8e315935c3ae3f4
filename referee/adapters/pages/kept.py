"""{% kept x %}...{% endkept %}: a passage of a template that is written once for each value of x, and kept.

{% kept each x in xs %}...{% endkept %} does so for one value after the other; those that are known are only looked up.

Much of every letter stood in another one before: the lines of an order sheet, a report that six people read, the
words about the seal. Such a passage may use nothing but what it is kept by (names, or their parts as in frame.owes)
and what is at hand in all templates, so what one reader is told cannot turn up in another's letter: a template that
breaks this is refused when it is loaded. Values that are equal must read alike, as frozen pages and sheets do.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Any

from jinja2 import Environment, nodes, pass_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.meta import find_undeclared_variables
from jinja2.parser import Parser
from jinja2.runtime import Context

ROOM = 8_000_000
"""Characters of passages that are kept in each form, text and HTML."""

_PLACES = itertools.count()
"""The number of each passage, never given twice: what was compiled for one environment may be run in another."""

_Fact = tuple[str, ...]
_FROM_OUTSIDE = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Block)


class Passages:
    """Passages by their place in the templates and the values they were written from; safe for threads.

    Holds at most `room` characters: the oldest passage is the first to go. Room for 0 keeps nothing.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._size = 0
        self._written: dict[Hashable, str] = {}
        self._lock = Lock()

    def attach(self, environment: Environment) -> None:
        """Let the templates of an environment keep their passages here."""
        environment.add_extension(KeptTag)
        environment.code_generator_class = _PutOut
        written = self._written

        @pass_context  # also tells the compiler that the answer is no constant
        def kept(_: Context, key: Hashable) -> str | None:
            return written.get(key)

        environment.filters.update(_kept=kept, _keep=self.keep, _each=self._each)

    def _each(self, values: Iterable[Hashable], place: int, write: Callable[[Hashable], str]) -> str:
        """The passages of values in a row; those that are not known are written and kept."""
        written = self._written
        keys = [(place, value) for value in values]
        return "".join([written.get(key) or self.keep(write(key[1]), key) for key in keys])

    def keep(self, passage: str, key: Hashable) -> str:
        """The passage; kept under its key if there is room for it at all."""
        with self._lock:
            if key not in self._written and len(passage) <= self._room:
                self._written[key] = passage
                self._size += len(passage)
                while self._size > self._room:
                    self._size -= len(self._written.pop(next(iter(self._written))))
        return passage


class _PutOut(CodeGenerator):
    """Puts kept passages out as they are, and asks of nothing else that was escaped already to be escaped again."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, *rest: Any) -> None:
        if isinstance(node, nodes.InternalName):
            return
        if _escapes(frame):
            self.write("(out if type(out := ")
        else:
            super()._output_child_pre(node, frame, *rest)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, *rest: Any) -> None:
        if isinstance(node, nodes.InternalName):
            return
        if _escapes(frame):
            self.write(") is Markup else escape(out))")
        else:
            super()._output_child_post(node, frame, *rest)


def _escapes(frame: Frame) -> bool:
    return frame.eval_ctx.autoescape and not frame.eval_ctx.volatile


class KeptTag(Extension):
    """The tag: it looks its passage up, and writes and keeps it if there is none."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.tags = {"kept"}

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Raises TemplateSyntaxError if the passage uses what it is not kept by."""
        line = next(parser.stream).lineno
        tag = self._row(parser, line) if parser.stream.skip_if("name:each") else self._one(parser, line)
        return [node.set_lineno(line) for node in tag]

    def _one(self, parser: Parser, line: int) -> list[nodes.Node]:
        facts = _facts(parser)
        body = self._body(parser, facts, line)
        key = nodes.Tuple([nodes.Const(next(_PLACES)), *map(_loaded, facts)], "load")
        found = parser.free_identifier()
        look = nodes.Assign(found, nodes.Filter(key, "_kept", [], [], None, None))
        write = nodes.AssignBlock(found, nodes.Filter(None, "_keep", [key], [], None, None), body)
        return [look, nodes.If(nodes.Not(found), [write], [], []), nodes.Output([found])]

    def _row(self, parser: Parser, line: int) -> list[nodes.Node]:
        """`x in xs`, and a macro that writes the passage of one value."""
        name = parser.stream.expect("name").value
        parser.stream.expect("name:in")
        values = parser.parse_expression()
        body = self._body(parser, [(name,)], line)
        place, found = next(_PLACES), parser.free_identifier()
        macro = nodes.Macro(f"_passage{place}", [nodes.Name(name, "param")], [], body)
        given = [nodes.Const(place), nodes.Name(macro.name, "load")]
        return [macro, nodes.Assign(found, nodes.Filter(values, "_each", given, [], None, None)), nodes.Output([found])]

    def _body(self, parser: Parser, facts: list[_Fact], line: int) -> list[nodes.Node]:
        """Raises TemplateSyntaxError if it uses what it is not kept by."""
        body = parser.parse_statements(("name:endkept",), drop_needle=True)
        if stray := self._stray(body, facts):
            parser.fail(f"a passage kept by ({', '.join(map('.'.join, facts))}) may not use {stray}", line)
        return body

    def _stray(self, body: list[nodes.Node], facts: list[_Fact]) -> str:
        """What a passage uses beside the facts it is kept by; "" if nothing."""
        whole = nodes.Template(body, lineno=1)
        whole.set_environment(self.environment)
        if any(whole.find_all(_FROM_OUTSIDE)):
            return "another template"
        free = find_undeclared_variables(whole) - {fact[0] for fact in facts if len(fact) == 1}
        parts = [
            node
            for node in whole.find_all(nodes.Getattr)
            if isinstance(node.node, nodes.Name) and (node.node.name, node.attr) in facts
        ]
        known = {id(node.node) for node in parts}
        return ", ".join(sorted({n.name for n in whole.find_all(nodes.Name) if n.name in free and id(n) not in known}))


def _facts(parser: Parser) -> list[_Fact]:
    """What stands after the tag's name: `x, y.z` is [("x",), ("y", "z")]."""
    facts: list[_Fact] = []
    while parser.stream.current.type != "block_end":
        name = parser.stream.expect("name").value
        part = parser.stream.skip_if("dot") and parser.stream.expect("name").value
        facts.append((name, part) if part else (name,))
        parser.stream.skip_if("comma")
    return facts


def _loaded(fact: _Fact) -> nodes.Expr:
    whole = nodes.Name(fact[0], "load")
    return nodes.Getattr(whole, fact[1], "load") if len(fact) == 2 else whole
