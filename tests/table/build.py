"""Puts the engine of the page together: python -m tests.table.build FOLDER. For `make table`.

Pyodide comes by npm's client and msgspec's wheel by pip's, each pinned by its checksum; the rest is this tree and what it
stands on. Everything is compiled by the very Python that will run it, so that the page need not.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import msgspec

from referee.games import GAMES
from referee.kit.game import BaseGame
from referee.kit.rulebook import FINGERPRINTS
from referee.service.intake.commands.command import KEPT, reading_words
from tests.house.sources import ROOT

CACHE = ROOT / "build" / "table"
SOURCES = ROOT / "templates" / "table" / "engine"
ABOUT = "engine.json"
"""What the others are made of, and when they are whole: it is written last."""

PYODIDE = "314.0.7"
_PYODIDE = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
_MSGSPEC = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
_PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp")
_ROOMS = ("core", "kit", "games", "moments", "orders", "mail", "page_engine")
SERVICE = {
    "": "",
    "base": "letter_facts match_settings note_values notes office ports times",
    "house": "choices press_blocks",
    "intake": "corrections lessons plain_questions plain_words",
    "intake/commands": "command",
    "match": "playing result sealing sheets",
    "turn": "preview",
}
"""What of the service is in the page, and all of it that is: by its rooms. A module that no rule needs there goes out again."""

_LEFT_OUT = ("*.pyi", "*.pyc", "*.so", "__pycache__", "cases", "__pyinstaller")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_HEADER = 16
"""Bytes before the code of a compiled module."""
_NEVER_USED = re.compile(
    r"(_pyrepl|bdb|cProfile|ctypes|curses|dbm|doctest|ensurepip|ftplib|idlelib|imaplib|mailbox|multiprocessing|netrc|pdb|pickletools"
    r"|plistlib|poplib|profile|pstats|pty|py_compile|pydoc|pydoc_data|sched|smtplib|sqlite3|tabnanny|this|timeit|tkinter|trace"
    r"|turtle|turtledemo|unittest|venv|wsgiref|xmlrpc|zipapp)(/|\.pyc$)"
)
"""Parts of the standard library that no rule needs, nor anything that one stands on."""
_COMPILE = """
import { loadPyodide } from %s;
const python = await loadPyodide();
python.mountNodeFS("/work", %s);
python.runPython(`
import compileall, py_compile
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
if compileall.compile_dir("/work", quiet=2, legacy=True, stripdir="/work", invalidation_mode=mode) is None: raise SystemExit(1)
`);
"""


def from_npm(name: str, checksum: str) -> Path:
    """A package of npm, from the cache or else from its registry. Raises ValueError for other bytes."""
    CACHE.mkdir(parents=True, exist_ok=True)
    packed = CACHE / f"{name.replace('@', '-')}.tgz"
    if not packed.is_file():
        subprocess.run(["npm", "pack", "--silent", name], cwd=CACHE, check=True, stdout=subprocess.DEVNULL)
    if base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode() != checksum:
        raise ValueError(f"{packed} is not what it was when it was pinned")
    return packed


def fetched() -> tuple[Path, Path]:
    """Pyodide's folder and msgspec's wheel, from the cache or else from their registries. Raises ValueError for other bytes."""
    packed, wheels = from_npm(f"pyodide@{PYODIDE}", _PYODIDE), CACHE.glob("msgspec-*.whl")
    if not (wheel := next(wheels, None)):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        what = ["--only-binary=:all:", *_PLATFORM, "--abi", "cp314", "msgspec==0.22.0"]
        subprocess.run([*pip, *what], cwd=CACHE, check=True)
        wheel = next(CACHE.glob("msgspec-*.whl"))
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != _MSGSPEC:
        raise ValueError(f"{wheel} is not what it was when it was pinned")
    if not (CACHE / "package").is_dir():
        with tarfile.open(packed) as archive:
            archive.extractall(CACHE, filter="data")
    return CACHE / "package", wheel


def of_service() -> Iterator[Path]:
    """The sources of the service that are in the page, and what lies beside them, seen from the folder of the program."""
    for room, modules in SERVICE.items():
        place = ROOT / "referee" / "service" / room
        beside = (path for path in place.iterdir() if path.is_file() and path.suffix != ".py" and room)
        yield from (path.relative_to(ROOT) for path in (place / "__init__.py", *beside))
        yield from ((place / f"{module}.py").relative_to(ROOT) for module in modules.split())


def laid_out(folder: Path) -> None:
    """Lay out what of the referee the page's Python imports, with what it cannot find out there."""
    leave = shutil.ignore_patterns(*_LEFT_OUT)
    for room in _ROOMS:
        shutil.copytree(ROOT / "referee" / room, folder / "referee" / room, ignore=leave)
    for path in of_service():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    shutil.copy(ROOT / "referee" / "__init__.py", folder / "referee" / "__init__.py")
    shutil.copytree(ROOT / "grammar", folder / "referee" / "_data" / "grammar")
    known = {" ".join(game.made_of): game.build for game in GAMES if isinstance(game, BaseGame)}
    (folder / "referee").joinpath(*FINGERPRINTS).write_text(json.dumps(known), "utf-8")
    words = msgspec.json.encode(reading_words(), order="deterministic")
    (folder / "referee").joinpath(*KEPT).write_bytes(words)


def staged(folder: Path, wheel: Path) -> None:
    """Lay out all that the page's Python imports."""
    laid_out(folder)
    leave = shutil.ignore_patterns(*_LEFT_OUT)
    site = Path(sysconfig.get_paths()["purelib"])
    for library in ("cachetools", "lark", "rapidfuzz"):
        shutil.copytree(site / library, folder / library, ignore=leave)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if not name.endswith(".pyi")])
    about = folder / f"referee-{version('referee')}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: referee\nVersion: {version('referee')}\n", "utf-8")


def compiled(pyodide: Path, folder: Path) -> None:
    """Compile all Python below a folder, beside its source, which may then go."""
    script = _COMPILE % (json.dumps(str(pyodide / "pyodide.mjs")), json.dumps(str(folder)))
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "compile.mjs").write_text(script, "utf-8")
        subprocess.run(["node", str(Path(place) / "compile.mjs")], check=True, stdout=subprocess.DEVNULL)


def packed(folder: Path) -> bytes:
    """Everything in a folder as one: where each module's code and each other file lies, then their bytes. Read by start.py."""
    code, data, packages, parts, at = {}, {}, list[str](), list[bytes](), 0
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".py"):
        name, content = path.relative_to(folder), path.read_bytes()
        if path.suffix == ".pyc":
            package = path.stem == "__init__"
            module = ".".join(name.parent.parts if package else name.with_suffix("").parts)
            packages += [module] if package else []
            content = content[_HEADER:]
            code[module] = (at, len(content))
        else:
            data[name.as_posix()] = (at, len(content))
        parts.append(content)
        at += len(content)
    index = json.dumps({"code": code, "packages": packages, "data": data}).encode()
    return b"".join((len(index).to_bytes(4, "little"), index, *parts))


def zipped(folder: Path) -> bytes:
    """The compiled modules of a folder, not pressed together, as Python reads them from an archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".py"):
            name = path.relative_to(folder).as_posix()
            if not _NEVER_USED.match(name):
                archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), path.read_bytes())
    return out.getvalue()


def build(target: Path) -> None:
    """All files of the engine into a folder."""
    pyodide, wheel = fetched()
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        engine, library = Path(place) / "engine", Path(place) / "library"
        (engine / "referee").mkdir(parents=True)
        staged(engine, wheel)
        with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
            archive.extractall(library)
        for folder in (engine, library):
            compiled(pyodide, folder)
        for name, content in (("engine.pack", packed(engine)), ("library.pack", zipped(library))):
            (target / name).write_bytes(gzip.compress(content, 9, mtime=0))
    for name, known_as in (("pyodide.mjs", "pyodide.js"), ("pyodide.asm.mjs", "pyodide.asm.js")):
        shutil.copy(pyodide / name, target / known_as)
    shutil.copy(pyodide / "pyodide.asm.wasm", target / "pyodide.asm.wasm")
    for name in ("worker.js", "start.py"):
        (target / name).write_bytes((SOURCES / name).read_bytes())
    files = sorted(path for path in target.iterdir() if path.name != ABOUT)
    told = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()
    about = {"form": 1, "program": version("referee"), "pyodide": PYODIDE, "sha256": told}
    (target / ABOUT).write_text(json.dumps(about) + "\n", "utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve())
