"""Imports what lies in a pack without unpacking it first: only what is no code becomes a file. Run by worker.js, with `pack`."""

import json
import marshal
import sys
from importlib.machinery import FileFinder, SourcelessFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from pkgutil import iter_importer_modules

_PLACE = Path("/app")
_bytes = memoryview(pack.to_py())  # noqa: F821
_begin = 4 + int.from_bytes(_bytes[:4], "little")
_index = json.loads(bytes(_bytes[4:_begin]))


def _part(at, length):
    return _bytes[_begin + at : _begin + at + length]


class _Loader(SourcelessFileLoader):
    """A module of the pack."""

    def get_code(self, fullname):
        return marshal.loads(_part(*_index["code"][fullname]))


class _Finder:
    """Knows what is in the pack."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        if fullname not in _index["code"]:
            return None
        folder = _PLACE.joinpath(*fullname.split("."))
        package = fullname in _index["packages"]
        place = str(folder / "__init__.pyc" if package else folder.with_suffix(".pyc"))
        inside = [str(folder)] if package else None
        return spec_from_file_location(fullname, place, loader=_Loader(fullname, place), submodule_search_locations=inside)


class _Folder(FileFinder):
    """A folder of the pack: games gather their events from all modules that lie in one."""

    def __init__(self, path):
        if not path.startswith(f"{_PLACE}/referee"):
            raise ImportError
        super().__init__(path)


@iter_importer_modules.register
def _modules(folder: _Folder, prefix=""):
    inside = folder.path.removeprefix(f"{_PLACE}/").replace("/", ".") + "."
    names = [name for name in _index["code"] if name.startswith(inside) and "." not in name.removeprefix(inside)]
    return ((prefix + name.removeprefix(inside), name in _index["packages"]) for name in names)


def _lay_out():
    """The files that are read as files; a package's place is known by an empty one."""
    for name, where in _index["data"].items():
        file = _PLACE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_part(*where))
    for package in _index["packages"]:
        folder = _PLACE.joinpath(*package.split("."))
        if folder.is_dir():
            (folder / "__init__.pyc").touch()


_lay_out()
sys.path.insert(0, str(_PLACE))
sys.meta_path.insert(0, _Finder)
sys.path_hooks.insert(0, _Folder)
