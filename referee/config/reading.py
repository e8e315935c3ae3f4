"""The settings file read: every setting checked, every mistake told in one sentence."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from referee.config.sections import Address, Addresses, MaybeAddress
from referee.config.whole import Config, ConfigError
from referee.moments import Unclear, find_zone, is_zone

VARIABLE = "REFEREE_CONFIG"
"""The environment variable that names the settings file."""


def load(path: Path | None = None, environment: Mapping[str, str] = os.environ, needed: bool = True) -> Config:
    """The settings from this file, or the one REFEREE_CONFIG names, or config.toml here; the defaults where none are `needed`.

    Raises ConfigError where there is none, for one that cannot be read, and for every setting that cannot be used.
    """
    named = path or (Path(environment[VARIABLE]) if environment.get(VARIABLE) else None)
    file = named or Path("config.toml")
    if named is None and not file.exists():
        if not needed:
            return Config()
        here = f"There is no {file} in {Path.cwd()}, and without settings this would work on an empty house"
        raise ConfigError(f"{here}: go to the folder of yours (cd /srv/referee), or name them with --config FILE.")
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise ConfigError(
            f"The settings file {str(file)!r} cannot be read ({error.strerror}); name one that can with {VARIABLE}."
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"The settings file {str(file)!r} is no UTF-8; save it as that.") from error
    return read(text, file.parent, file)


def read(text: str, home: Path = Path(), source: Path | None = None) -> Config:
    """The settings in this TOML text. Raises ConfigError."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = f" in {str(source)!r}" if source else ""
        mend = 'mend that line; text stands in quotes, as in name = "Referee".'
        raise ConfigError(f"The settings{where} are not TOML: {error}; {mend}") from error
    sections = {name: kind for name, kind in get_type_hints(Config).items() if name not in ("home", "source")}
    values: dict[str, Any] = {name: _section(name, value, sections) for name, value in found.items()}
    config = Config(**values, home=home, source=source)
    _check_zone(config.referee.zone)
    _check_networks(config.receive.front)
    return config


def _section(name: str, value: Any, sections: Mapping[str, type[msgspec.Struct]]) -> msgspec.Struct:
    if not isinstance(value, dict) and name not in sections:
        raise ConfigError(f"The setting {name} stands in no section; write a line such as [referee] above it.")
    if name not in sections:
        raise ConfigError(f"There is no section [{name}]; {_meant(name, sections, '[{}]')}")
    if not isinstance(value, dict):
        raise ConfigError(f"{name} is a section, not a setting; write [{name}] on a line of its own.")
    kinds = get_type_hints(sections[name], include_extras=True)
    settings = {key: _setting(name, key, found, kinds) for key, found in value.items()}
    return sections[name](**settings)


def _setting(section: str, key: str, value: Any, kinds: Mapping[str, Any]) -> Any:
    if key not in kinds:
        raise ConfigError(f"[{section}] has no setting {key}; {_meant(key, kinds, '{}')}")
    try:
        found = msgspec.convert(value, kinds[key])
        return _spelt(found) if kinds[key] in (Address, Addresses, MaybeAddress) else found
    except (msgspec.ValidationError, ValueError) as error:
        raise ConfigError(f"[{section}] {key} = {_shown(value)} cannot be used; write {_right(kinds[key])}.") from error


def _spelt(found: Any) -> Any:
    """An address, or some; one outside ASCII as mail servers know it. Raises ValueError where none of them does."""
    if isinstance(found, tuple):
        return tuple(map(_spelt, found))
    if found.isascii():
        return found
    from referee.mail.address import spelt  # few settings need it, and every command reads them

    if (spelling := spelt(found)) is None:
        raise ValueError(found)
    return spelling


def _meant(word: str, known: Mapping[str, Any], form: str) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"did you mean {form.format(close[0])}?"
    return "those there are: " + ", ".join(form.format(name) for name in known) + "."


def _shown(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


def _right(kind: Any) -> str:
    """What a setting of this kind may be, in words."""
    meta = getattr(kind, "__metadata__", ())
    if meta:
        return str(meta[0].description)
    choices = getattr(kind, "__args__", ())
    if choices and all(isinstance(choice, str) for choice in choices):
        return " or ".join(f'"{choice}"' for choice in choices)
    if kind is bool:
        return "true or false"
    return "text in quotes" if kind is str else 'a list of texts, as in ["one", "two"]'


def _check_networks(networks: tuple[str, ...]) -> None:
    for network in networks:
        try:
            ip_network(network, strict=False)
        except ValueError as error:
            raise ConfigError(
                f'[receive] front: "{network}" is no network; write one such as "192.0.2.0/24" or "2001:db8::/32".'
            ) from error


def _check_zone(zone: str) -> None:
    if is_zone(zone):
        return
    try:
        raise ConfigError(f'[referee] zone = "{zone}" is written "{find_zone(zone)}" here.')
    except Unclear as error:
        raise ConfigError(f'[referee] zone = "{zone}": {error}') from error
