"""Letters and pages of the archive from their templates: as text, and as HTML in which everything is escaped."""

from __future__ import annotations

import builtins
import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, MutableMapping, Sequence
from datetime import datetime
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Lock
from typing import Any

from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined, nodes, pass_context
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.meta import find_undeclared_variables
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape
from msgspec.structs import replace

from referee.adapters.pages import layout, text_table
from referee.adapters.pages.layout import SeatSigns, classed, first_screen, inline, plates
from referee.core.page import Grid, Sheet
from referee.mail import Answerable, body_of, mailto
from referee.service.base.ports import Rendered
from referee.service.base.times import stamp

# ---------------------------------------------------------------- {% kept x %}...{% endkept %}
# A passage of a template that is written once for each value of x, and kept.
#
# {% kept each x in xs %}...{% endkept %} does so for one value after the other; those that are known are only looked up.
#
# Much of every letter stood in another one before: the lines of an order sheet, a report that six people read, the words about
# the seal. Such a passage may use nothing but what it is kept by (names, or their parts as in frame.owes) and what is at hand
# in all templates, so what one reader is told cannot turn up in another's letter: a template that breaks this is refused when
# it is loaded. Values that are equal must read alike, as frozen pages and sheets do.


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
        """Names that a passage uses beside the facts it is kept by; "" if none."""
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
    """The parts after the tag's name: `x, y.z` is [("x",), ("y", "z")]."""
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


# ---------------------------------------------------------------- taps
# Links of an HTML letter that write the answer to it. They get their address when the letter is whole.
#
# In templates, and so in passages that are kept for all readers, a tap has its lines and no address: `<a href="tap:LINES">`.
# The secret address of one reader stands nowhere but in his letter.


_TAP = re.compile(r'(<a [^>]*href=")tap:([^"]*)"')
_ROW = re.compile(r'<div [^>]*role="group">.*?</div>\n?', re.DOTALL)


def bodied(lines: Sequence[str]) -> Markup:
    """The lines as what a tap writes; empty where they are too many for a link."""
    return Markup(body_of(tuple(lines)))


def written_out(lines: Sequence[str]) -> tuple[str, ...]:
    """The orders of a sheet without its advice, each ended by ` ;`: programs that drop line ends part none of them wrongly."""
    return tuple(f"{line} ;" for line in lines if line.strip() and not line.lstrip().startswith("#"))


def with_address(html: str, answered: Answerable | None) -> str:
    """The letter with taps that answer it; without any where there is no answer to it."""
    if answered is None:
        return _ROW.sub("", html)
    return _TAP.sub(lambda tap: f'{tap[1]}{escape(mailto(answered, tap[2]))}"', html)


KINDS = (
    "receipt",
    "report",
    "question",
    "reminder",
    "notice",
    "press",
    "sent",
    "started",
    "farewell",
    "refusal",
    "confirmation",
    "entry",
    "welcome",
    "lesson",
    "help",
    "documents",
)
"""Every kind of letter; the wording of each is templates/KIND.jinja."""

VERIFIER = ("verify.html", "verify.js", "verify-archive.js", "verify-page.js")
"""The page that lies in the archive of every match, so that a browser can check it."""

FORMS = ("forms.css",)
"""The common styles of these and the next, beside the style sheet of the site."""

SHARED = ("verify-archive.js",)
"""Their styles for the page on which one plays."""

SITE = ("home", "ended", "players", "forming", "index", "page", "player", "game", "rules")
"""The pages of the site, templates/site/NAME.html each."""

TABLE = (
    "table.html",
    "table.css",
    "table-file.js",
    "table-sealed.js",
    "table-letter.js",
    "table-parts.js",
    "table-faces.js",
    "table-engine.js",
    "table-turn.js",
    "table-map.js",
    "table-sheet.js",
    "table-lines.js",
    "table-page.js",
    "table-story.js",
    "table-try.js",
    "table-play.js",
    "table-lesson.js",
    "table-offline.js",
)
"""The page on which one plays by a table file, which lies there, too; or a match of its own, beside the pages of the house."""

_FILTERS: dict[str, Callable[..., Any]] = {
    "bodied": bodied,
    "figures": text_table.figures,
    "folds": text_table.folds,
    "kind": layout.kind,
    "one_line": layout.one_line,
    "runs": layout.runs,
    "standings": layout.standings,
    "table": text_table.table,
    "underlined": layout.underlined,
    "when": lambda iso: stamp(datetime.fromisoformat(iso), "UTC"),
    "wrap": layout.wrap,
    "written_out": written_out,
}
_RULE = re.compile(r"\.([\w-]+)\s*\{([^}]*)\}")
_FIRST_STYLE = re.compile(r'(?<=[a-z0-9]) style="([^"]*)"')
"""A style that is the first a tag says, so that no class stands beside it."""
_EMPTY = re.compile(r"\n\s*\n|\s+(?=</div>)")
"""Blanks that nobody sees: of an empty line, and at the end of a block."""
_RULES = re.compile(r" *([^{}@\n]+) \{[^{}]*\}\n")
_NO_RULES = re.compile(r"@media [^{}]*\{\s*\}\n?")
_FIRST_NAME = re.compile(r"(?:^|,)\s*\.?([a-z][\w-]*)")
_NAMED = re.compile(r"\.([a-z][\w-]*)(?=[^{}]*\{)")
_CLASS = re.compile(r'class="([\w -]+)"')
_GIVEN_UP = re.compile(r' (?:cellpadding|valign)="[^"]*"')
_PICTURE = re.compile(r'<i picture="(\w+)"></i>')
_WIDTH = 900
_ALIGNED = re.compile(r'(?<=t[dh] )align="')


def templates_folder() -> Traversable:
    """The templates: in the installed package, or at the top of the source tree."""
    installed = files("referee").joinpath("_data", "templates")
    return installed if installed.is_dir() else Path(__file__).parents[3] / "templates"


def engine_folder() -> Traversable:
    """The rules for the page on which one plays, as `make table` puts them together; without them the page does with less."""
    return templates_folder().joinpath("table", "engine")


class TextRenderer:
    """Letters of these `kinds` as text alone, for printing: the other half takes half a second to read and compile."""

    def __init__(self, kinds: Iterable[str] = KINDS, folder: Traversable | None = None, room: int = ROOM) -> None:
        """Raises TemplateSyntaxError for a template that cannot be read."""
        self._folder = folder or templates_folder()
        self.sources: dict[str, str] = {}
        text = _environment("text", partial(_source, self._folder, self.sources), room)
        text.filters["seated"] = str
        _at_hand(text, "text")
        self._whole = text.get_template("text/letter.jinja")
        self._bodies = {kind: text.get_template(f"{kind}.jinja") for kind in kinds}

    def render(self, kind: str, letter: Any) -> str:
        """The letter of this kind. Raises KeyError for a kind there is none of."""
        return self.written(kind, _said(letter))

    def written(self, kind: str, said: Mapping[str, Any]) -> str:
        """The same of what its templates are handed."""
        return _closed_up(self._whole.render(body=self._bodies[kind], **said))


def _source(folder: Traversable, sources: MutableMapping[str, str], name: str) -> str:
    """A template as it stands, kept among those that were read."""
    sources[name] = folder.joinpath(*name.split("/")).read_text("utf-8")
    return sources[name]


def _at_hand(environment: Environment, form: str) -> None:
    """The names at hand in every template; an import in each would be looked up again for each letter."""
    environment.globals["p"] = environment.get_template(f"{form}/parts.jinja").module
    environment.globals["c"] = environment.get_template("common.jinja").module
    environment.get_template("help_page.jinja")


def _said(letter: Any) -> dict[str, Any]:
    """The values for the templates of a letter."""
    frame = getattr(letter, "frame", None)
    title, answer = (frame or letter).title, frame.answer if frame else None
    return {"letter": letter, "title": title, "answer": answer, "screen": first_screen(letter)}


class TemplateRenderer:
    """The Renderer port on jinja2. Safe for threads: all is compiled at the start; only kept passages are added."""

    def __init__(
        self,
        folder: Path | None = None,
        room: int = ROOM,
        colours: Mapping[str, Mapping[str, str]] | None = None,
        playable: bool = False,
    ) -> None:
        """Templates from `folder`, or from `templates_folder()`; `room` is how many characters of passages are kept.

        `colours` are those of the seats of every game, by its title: HTML shows by them whose something is. `playable`: the
        rules for the page on which one plays go with the pages of the house, which then lead to it.

        Raises KeyError for a class letter.css does not have, TemplateSyntaxError for a template that cannot be read.
        """
        self._folder: Traversable = folder or templates_folder()
        self._sources: dict[str, str] = {}
        self._styles = {name: " ".join(rule.split()) for name, rule in _RULE.findall(self._plain("html/letter.css"))}
        self._kept = frozenset(_NAMED.findall(self._plain("html/head.css")))
        self._text = TextRenderer(folder=self._folder, room=room)
        html, site = _environment("html", self._styled, room), _environment("site", self._conforming, room)
        self._signs, self._plates = (SeatSigns(colours or {}, way) for way in (inline(self._styles["sign"]), classed))
        html.filters["seated"] = self._signs.seated
        site.globals["playable"] = playable
        site.filters |= {"seated": self._plates.seated, "sign": self._plates.named}
        for environment in (html, site):
            _at_hand(environment, "html")
        html.get_template("html/head.css")
        self._pictures = tuple(f"<img {self._written_out([name])}" for name in ("picture", "half"))
        self._whole = html.get_template("html/letter.jinja")
        self._bodies = {kind: html.get_template(f"{kind}.jinja") for kind in KINDS}
        self._site = {name: site.get_template(f"site/{name}.html") for name in SITE}
        self._site["feed"] = site.get_template("site/feed.atom")
        self._dress = {
            "site.css": (site.get_template("site/site.css").render(brief=False) + plates(colours or {})).encode(),
            **{name: self._plain(f"site/{name}").encode() for name in ("site.js", "icon.svg")},
        }

        def read(*pages: tuple[str, Sequence[str]]) -> Mapping[str, bytes]:
            return {name: self._folder.joinpath(at, name).read_bytes() for at, names in pages for name in names}

        self._verifier = read(("verify", VERIFIER), ("site", FORMS))
        self._table = read(("table", TABLE), ("site", FORMS), ("verify", SHARED))
        written_by = (version("referee"), sorted({**self._text.sources, **self._sources}.items()), repr(colours))
        self.version = hashlib.sha256(repr(written_by).encode()).hexdigest()[:16]

    def render(
        self,
        kind: str,
        letter: Any,
        answered: Answerable | None = None,
        pictures: Sequence[str] = (),
        brief: bool = False,
    ) -> Rendered:
        """The letter of this kind as text and HTML. Raises KeyError for a kind there is none of.

        Its taps answer the letter that is told; without one it has none. It shows those `pictures` that lie with it.
        """
        body, said, frame = self._bodies[kind], _said(letter), getattr(letter, "frame", None)
        text, html = self._text.written(kind, said), self._whole.render(body=body, brief=brief, **said)
        html = self._signs.signed(html, frame.game if frame else "")
        html = _PICTURE.sub(lambda place: self._shown(place[1], pictures), html)
        if (
            brief and answered
        ):  # an unproven writer goes by the address alone: his answer needs no thread and no subject
            answered = replace(answered, subject="Re:", message_id="")
        html = with_address(html, answered)
        return Rendered(text, _in_few_bytes(html) if brief else html)

    def _shown(self, name: str, pictures: Sequence[str]) -> str:
        """A picture, or the parts of one: beside each other where there is room, else one below the other."""
        parts = [cid for cid in pictures if cid.partition("@")[0].partition("-")[0] == name]
        tag = self._pictures[len(parts) > 1]
        return "".join(f'{tag} src="cid:{cid}" width="{_WIDTH // len(parts)}" alt="">' for cid in parts)

    def picture(self, svg: str) -> bytes:
        """A drawing as PNG. Raises ValueError for what is no SVG."""
        from referee.adapters.pages.picture import png

        return png(svg)

    def halves(self, svg: str, seam: int) -> tuple[bytes, bytes]:
        """A drawing as PNG, cut in two so many pixels from the left. Raises ValueError for what is no SVG."""
        from referee.adapters.pages.picture import halves

        return halves(svg, seam)

    def drawn(self, grid: Grid) -> str:
        """A table as letters in plain text have it."""
        return text_table.table(grid)

    def workbook(self, sheets: Sequence[Sheet]) -> bytes:
        """Record sheets as an XLSX file."""
        from referee.adapters.pages.workbook import workbook

        return workbook(sheets)

    def render_site(self, name: str, context: Any) -> str:
        """A page of the site, of the struct of service.house.pages or site of its name. Raises KeyError for an unknown one."""
        return self._plates.signed(self._site[name].render(page=context), getattr(context, "game", ""))

    def dress(self) -> Mapping[str, bytes]:
        """The style sheet and the program of the pages of the site."""
        return self._dress

    def verifier(self) -> Mapping[str, bytes]:
        """The page that checks a match, as it stands in templates/verify."""
        return self._verifier

    def table(self) -> Mapping[str, bytes]:
        """The page on which one plays, as it stands in templates/table."""
        return self._table

    def _plain(self, name: str) -> str:
        return _source(self._folder, self._sources, name)

    def _styled(self, name: str) -> str:
        """The source with every class written out as its style, once: mail programs drop style sheets.

        A class that the head of a letter speaks of stays besides, for the programs that keep that.
        """
        return _CLASS.sub(lambda found: self._written_out(found[1].split()), self._plain(name))

    def _conforming(self, name: str) -> str:
        """The source for pages, whose policy lets no style stand in a tag: without what HTML has given up for style sheets."""
        return _ALIGNED.sub('class="', _GIVEN_UP.sub("", self._plain(name)))

    def _written_out(self, classes: list[str]) -> str:
        style = " ".join(self._styles[name] for name in classes if name not in self._kept or name in self._styles)
        kept = " ".join(name for name in classes if name in self._kept)
        return " ".join([*([f'class="{kept}"'] if kept else []), *([f'style="{style}"'] if style else [])])


def _in_few_bytes(html: str) -> str:
    """The same for a reader who is sent little: no rule of the style sheet that nothing in it bears, no line end that nobody
    sees, no character that needs an encoding. Styles of several tags stand once in the head, as most programs keep that.
    """
    head, sheet, body = html.partition("</style>")
    head = _NO_RULES.sub("", _RULES.sub(lambda rule: rule[0] if _is_borne(rule[1], body) else "", head))
    html = _EMPTY.sub(lambda blanks: "\n" if blanks[0].endswith("\n") else "", head + sheet + body)
    often = [style for style, times in Counter(_FIRST_STYLE.findall(html)).items() if times > 1]
    classes = {style: f"s{number}" for number, style in enumerate(often)}
    html = _FIRST_STYLE.sub(lambda tag: f' class="{classes[tag[1]]}"' if tag[1] in classes else tag[0], html)
    rules = "\n".join(f".{name} {{ {style} }}" for style, name in classes.items())
    return html.replace("</style>", f"\n{rules}</style>", 1).encode("ascii", "xmlcharrefreplace").decode()


def _is_borne(selectors: str, body: str) -> bool:
    """Whether a tag is of the kind, or bears the class, that one of the selectors of a rule begins with; one without is for all."""
    names = _FIRST_NAME.findall(selectors)
    return not names or any(re.search(rf'<{name}\b|class="[^"]*\b{name}\b', body) for name in names)


def _closed_up(text: str) -> str:
    """The text with no more than one empty line at a time; far faster than a pattern that says the same."""
    return "\n\n".join([lines for part in text.split("\n\n") if (lines := part.strip("\n"))]) + "\n"


class _Environment(Environment):
    """For templates that look values up by their attributes alone, and each of which is loaded once.

    jinja2 would look for items too and ask whether any is defined, in a function of its own for every dot; and it would
    chain what all templates have at hand to what each has, and go through the chain for each letter.
    """

    getattr: Any = staticmethod(builtins.getattr)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Those of the environment as they are when the template is loaded, and those given for it."""
        return {**self.globals, **(d or {})}


class _Calls(Context):
    """Calls macros without asking first what they want to be handed: half of what jinja2 does in a letter is calling."""

    def call(self, called: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
        """The result of the macro or function."""
        if type(called) is not Macro:
            return super().call(called, *given, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        if named or len(given) != len(called.arguments) or called.catch_varargs or called.catch_kwargs:
            return called(self.eval_ctx, *given, **named)
        # Nothing is to be filled in: what the macro does to find that out takes longer than most of them.
        if called.caller:
            given = (*given, _NO_CALLER)
        written = called._func(*given)  # noqa: SLF001
        return Markup(written) if self.eval_ctx.autoescape else written


class _Compiled(BytecodeCache):
    """Templates that this process has compiled, for its next renderer: a third of a second each time."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what was compiled of the same template with the same source."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Remember it."""
        self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED = {"text": _Compiled(), "html": _Compiled(), "site": _Compiled()}
"""By the form, as the same source escapes in some of them, and has other filters."""

_NO_CALLER = StrictUndefined("No caller defined", name="caller")


def _environment(form: str, source: Callable[[str], str], room: int) -> Environment:
    environment = _Environment(
        loader=FunctionLoader(source),
        autoescape=form != "text",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_COMPILED[form],
    )
    environment.context_class = _Calls
    environment.filters.update(_FILTERS)
    Passages(room).attach(environment)
    return environment
