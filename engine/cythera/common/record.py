"""`Record`: immutable data with named fields, for modules that must not import `dataclasses` at start-up.

A subclass writes each field once, as in a dataclass; a field with a default may be left out.

>>> class Point(Record):
...     x: int
...     y: int = 0
>>> Point(3), Point(x=3, y=4) == Point(3, 4)
(Point(x=3), True)
>>> Point(3).x = 5
Traceback (most recent call last):
AttributeError: a Point cannot be changed; make a new one
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**options):
        return lambda cls: cls


def wrong_fields(cls: "type[Record]", args: "tuple[object, ...]", given: "dict[str, object]") -> str:
    """What is wrong with the values for a record."""
    if len(args) > len(cls.FIELDS):
        return f"{cls.__name__} takes at most {len(cls.FIELDS)} values, got {len(args)}"
    for name in given:
        if name not in cls.FIELDS:
            return f"{cls.__name__} has no field {name!r}"
        if name in cls.FIELDS[: len(args)]:
            return f"{cls.__name__} got two values for {name!r}"
    missing = [name for name in cls.FIELDS[len(args) :] if name not in given and not hasattr(cls, name)]
    return f"{cls.__name__} needs a value for {', '.join(missing)}"


@dataclass_transform(frozen_default=True)
class Record:
    """Base class: the fields are the annotated names of the subclass, in their order."""

    FIELDS: "ClassVar[tuple[str, ...]]" = ()

    if not TYPE_CHECKING:

        def __init_subclass__(cls):
            cls.FIELDS = tuple(cls.__annotations__)
            cls.ALLOWED = frozenset(cls.FIELDS)
            cls.REQUIRED = frozenset(name for name in cls.FIELDS if not hasattr(cls, name))

        def __init__(self, *args, **given):
            values = self.__dict__  # fields that are not given keep the default of the class
            values.update(zip(self.FIELDS, args, strict=False))
            values.update(given)
            if len(values) < len(args) + len(given) or not self.REQUIRED <= values.keys() <= self.ALLOWED:
                raise TypeError(wrong_fields(type(self), args, given))
            self.__post_init__()

    def __post_init__(self) -> None:
        """Where a subclass checks its values."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.FIELDS)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self.FIELDS))

    def __repr__(self) -> str:
        """The fields that differ from their defaults."""
        shown = [(name, getattr(self, name)) for name in self.FIELDS]
        default = {name: getattr(type(self), name) for name in self.FIELDS if hasattr(type(self), name)}
        given = [f"{name}={value!r}" for name, value in shown if name not in default or value != default[name]]
        return f"{type(self).__name__}({', '.join(given)})"
