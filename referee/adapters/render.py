"""Templates -> letters and pages. Styles are inlined once, when a template is loaded, never for each letter."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from referee.adapters import layout
from referee.service.ports import Rendered

__all__ = ["TemplateRenderer", "templates_folder"]

_CLASS = re.compile(r'class="([a-z -]+)"')
_RULE = re.compile(r"\.([a-z-]+)\s*\{([^}]*)\}")


def templates_folder() -> Path:
    """The templates: in the installed package, or at the top of the source tree."""
    with as_file(files("referee")) as package:
        installed = Path(package) / "_data" / "templates"
        return installed if installed.is_dir() else Path(package).parent / "templates"


class _Inlined(FileSystemLoader):
    """Loads templates with every class replaced by the style that letter.css gives it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        css = (folder / "html" / "letter.css").read_text("utf-8")
        self._styles = {name: " ".join(rule.split()) for name, rule in _RULE.findall(css)}

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The template's source, styles inlined."""
        source, name, fresh = super().get_source(environment, template)
        return _CLASS.sub(self._style, source), name, fresh

    def _style(self, found: re.Match[str]) -> str:
        rules = [self._styles[name] for name in found[1].split() if name in self._styles]
        return f'style="{" ".join(rules)}"' if rules else found[0]


class TemplateRenderer:
    """Renders letters as text and HTML, and the archive's pages. Any thread may use it."""

    def __init__(self, folder: Path | None = None) -> None:
        loader = _Inlined(folder or templates_folder())
        self._text = _environment(loader, "text")
        self._html = _environment(loader, "html")

    def render(self, kind: str, letter: Any) -> Rendered:
        """The letter of this kind (a struct of service.letters) as text and HTML."""
        text = _whole(self._text, "text").render(letter=letter, body=f"{kind}.jinja")
        html = _whole(self._html, "html").render(letter=letter, body=f"{kind}.jinja")
        return Rendered(_tidy(text), html)

    def render_site(self, name: str, context: Any) -> str:
        """A page of the static archive: "index" of a SiteIndex, "page" of a SitePage (service.archive)."""
        return self._html.get_template(f"site/{name}.html").render(page=context)


def _environment(loader: FileSystemLoader, form: str) -> Environment:
    environment = Environment(
        loader=loader,
        autoescape=form == "html",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=200,
    )
    for name in ("figures", "one_line", "runs", "standings", "table", "underlined", "wrap"):
        environment.filters[name] = getattr(layout, name)
    environment.globals["parts"] = f"{form}/parts.jinja"
    environment.filters["kind"] = lambda block: type(block).__name__
    return environment


def _whole(environment: Environment, form: str) -> Template:
    return environment.get_template(f"{form}/letter.jinja")


def _tidy(text: str) -> str:
    """At most two blank lines in a row, none at either end."""
    lines = [line.rstrip() for line in text.split("\n")]
    joined = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    return joined.strip("\n") + "\n"
