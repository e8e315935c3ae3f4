"""Examples of a type, as JSON: so many that every field of it, and every alternative of every field, stands in one of them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import inspect

_DEEP = 4
_PLAIN: tuple[tuple[type[inspect.Type], Any], ...] = (
    (inspect.BoolType, True),
    (inspect.IntType, 3),
    (inspect.FloatType, 1.5),
    (inspect.StrType, "some words"),
    (inspect.BytesType, "c2VjcmV0"),
    (inspect.DateTimeType, "2026-11-21T12:00:00Z"),
    (inspect.DateType, "2026-11-21"),
    (inspect.TimeDeltaType, "PT5400S"),
    (inspect.NoneType, None),
    (inspect.AnyType, {"any": "thing"}),
    (inspect.RawType, {"type": "Something"}),
)


def examples(kind: Any) -> list[Any]:
    """JSON values of a type."""
    return _of(inspect.type_info(kind), 0)


def _of(kind: inspect.Type, depth: int) -> list[Any]:
    for plain, value in _PLAIN:
        if isinstance(kind, plain):
            return [value]
    match kind:
        case inspect.Metadata(type=inner):
            return _of(inner, depth)
        case inspect.LiteralType(values=values):
            return list(values)
        case inspect.EnumType(cls=cls):
            return [member.value for member in cls]
        case inspect.UnionType(types=types):
            return _alternatives(types, depth)
        case inspect.StructType():
            return _structs(kind, depth)
        case inspect.TupleType(item_types=types):
            return _together([_of(item, depth + 1) for item in types])
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return [[]] if depth > _DEEP else [_of(item, depth + 1)]
        case inspect.DictType(key_type=key, value_type=value):
            return [{str(_of(key, depth + 1)[0]): one} for one in _of(value, depth + 1)]
    raise TypeError(f"no example is known of {kind}: say in tests/stored/examples.py what one looks like")


def _alternatives(types: tuple[inspect.Type, ...], depth: int) -> list[Any]:
    """Of each member some; what is deep down ends with the first that holds nothing else."""
    if depth > _DEEP:
        ends = [kind for kind in types if not isinstance(kind, inspect.StructType)] or types[:1]
        return _of(ends[0], depth + 1)
    return [value for kind in types for value in _of(kind, depth + 1)]


def _structs(kind: inspect.StructType, depth: int) -> list[Any]:
    rows = _together([_of(field.type, depth + 1) for field in kind.fields])
    if kind.array_like:
        return [[*([kind.tag] if kind.tag is not None else []), *row] for row in rows]
    tag = {kind.tag_field: kind.tag} if kind.tag_field is not None else {}
    names = [field.encode_name for field in kind.fields]
    return [{**tag, **dict(zip(names, row, strict=True))} for row in rows]


def _together(alternatives: list[list[Any]]) -> list[list[Any]]:
    """As many rows as the field with most alternatives has; the others have their last again."""
    most = max(map(len, alternatives), default=1)
    return [[of[min(place, len(of) - 1)] for of in alternatives] for place in range(most)]


def text_of(value: Any) -> str:
    """A value as it is stored: canonical JSON."""
    return msgspec.json.encode(value, order="deterministic").decode()
