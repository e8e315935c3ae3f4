"""Letter text -> logical lines: continuations joined, comments taken off, quoted lines and signature set aside."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from referee.orders.grammar import LONGEST_LINE

_BREAK = re.compile(r"\r\n|\r|\n")
_SPLIT = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)|“[^”]*(?:”|$)|„[^“”]*(?:[“”]|$)|«[^»]*(?:»|$)|([;#])')
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")
_ORDINARY = re.compile(r"(?!>|-- ?$)[A-Za-z0-9 ,.'&()<>=*+:/\-]*")
"""Rows of plain characters in which nothing is to be joined, split, cleaned or set aside."""

_SIGNATURE = re.compile(r"-- ?")


class Written(msgspec.Struct, frozen=True):
    """One order's worth of text and the line of the letter it begins on (from 1). `why`: set, it is not to be read."""

    number: int
    text: str
    why: str = ""


def logical_lines(text: str) -> Iterator[Written]:
    """Every line that says something, in order; empty lines and comments say nothing."""
    rows = _BREAK.split(text) if "\r" in text else text.split("\n")
    i = 0
    while i < len(rows):
        number, row = i + 1, rows[i]
        i += 1
        if _ORDINARY.fullmatch(row):
            if said := row.strip():
                yield Written(number, said)
            continue
        if _SIGNATURE.fullmatch(row):
            yield from _signature(rows, number)
            return
        if row.startswith(">"):
            yield Written(number, row.strip(), "quoted from another letter")
            continue
        row, i = _continued(rows, i)
        for piece in _pieces(row):
            yield Written(number, piece)


def _continued(rows: list[str], i: int) -> tuple[str, int]:
    """The row before rows[i] with all rows that go on with it, and the number of the next row to read."""
    row, cut = _clean(rows[i - 1])
    while row.endswith("\\") and not cut and i < len(rows) and not _stops(rows[i]):
        following = f"{row[:-1].rstrip()} {rows[i].lstrip()}"
        row, cut = (following.rstrip(), False) if len(row) > LONGEST_LINE else _clean(following)
        i += 1
    return row, i


def _signature(rows: list[str], number: int) -> Iterator[Written]:
    for i, row in enumerate(rows[number - 1 :], start=number):
        if row.strip():
            yield Written(i, row.strip(), "part of the signature")


def _stops(row: str) -> bool:
    return row.startswith(">") or _SIGNATURE.fullmatch(row) is not None


def _clean(row: str) -> tuple[str, bool]:
    """The row without marks nobody sees and without its comment; whether it had one.

    Control characters become visible as the replacement character, so no line of a receipt can hide anything.
    """
    seen = _CONTROL.sub("\ufffd", _UNSEEN.sub("", row)).replace("\t", " ")
    if "#" in seen:
        for mark in _SPLIT.finditer(seen):
            if mark[1] == "#":
                return seen[: mark.start()].rstrip(), True
    return seen.rstrip(), False


def _pieces(row: str) -> Iterator[str]:
    start = 0
    for mark in _SPLIT.finditer(row) if ";" in row else ():
        if mark[1] == ";":
            yield from _kept(row[start : mark.start()])
            start = mark.end()
    yield from _kept(row[start:])


def _kept(piece: str) -> Iterator[str]:
    if piece.strip():
        yield piece.strip()
