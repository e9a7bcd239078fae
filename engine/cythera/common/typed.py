"""Checks that data read from a file has the types that a dataclass declares."""

import types
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def fits(value: object, hint: Any) -> bool:
    """Whether a value, as JSON gives it, has the type of an annotation.

    >>> fits(3, int | None), fits(True, int), fits(3, float), fits(["a"], tuple[str, ...])
    (True, False, True, True)
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in args)
    if hint is Any:
        return True
    if hint in (None, type(None)):
        return value is None
    if origin is tuple:
        items = isinstance(value, (list, tuple)) and value
        return isinstance(value, (list, tuple)) and (not items or all(fits(item, args[0]) for item in value))
    if origin in (dict, Mapping):
        return isinstance(value, dict) and all(fits(k, args[0]) and fits(v, args[1]) for k, v in value.items())
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or hint)


def checked(cls: type, found: object, *, leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The keyword arguments for a dataclass from a JSON object; raises TypeError with the key that is wrong.

    Keys in `leave_out` are not looked at and not returned.
    """
    if not isinstance(found, dict):
        raise TypeError(f"expected an object, got {type(found).__name__}")
    hints = get_type_hints(cls)
    known = {field.name for field in fields(cls)}
    result = {key: value for key, value in found.items() if key not in leave_out}
    for key, value in result.items():
        if key not in known:
            raise TypeError(f"unknown key {key!r}")
        if not fits(value, hints[key]):
            raise TypeError(f"{key} has the wrong type: {type(value).__name__}")
    return result


def build(cls: type[T], found: object) -> T:
    """A dataclass from a JSON object; raises TypeError where a key or a type is wrong."""
    return cls(**checked(cls, found))
