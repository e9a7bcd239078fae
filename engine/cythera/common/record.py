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


@dataclass_transform(frozen_default=True)
class Record:
    """Base class: the fields are the annotated names of the subclass, in their order."""

    FIELDS: "ClassVar[tuple[str, ...]]" = ()

    if not TYPE_CHECKING:

        def __init_subclass__(cls):
            cls.FIELDS = tuple(cls.__annotations__)

        def __init__(self, *args, **given):
            fields = self.FIELDS
            if len(args) > len(fields):
                raise TypeError(f"{type(self).__name__} takes at most {len(fields)} values, got {len(args)}")
            values = dict(zip(fields, args, strict=False))
            for name, value in given.items():
                if name not in fields or name in values:
                    problem = "got two values for" if name in values else "has no field"
                    raise TypeError(f"{type(self).__name__} {problem} {name!r}")
                values[name] = value
            missing = [name for name in fields if name not in values and not hasattr(type(self), name)]
            if missing:
                raise TypeError(f"{type(self).__name__} needs a value for {', '.join(missing)}")
            self.__dict__.update(values)  # the others keep the default of the class
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
