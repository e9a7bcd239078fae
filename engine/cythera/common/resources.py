"""Text files of the package."""

from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"


@cache
def data_text(name: str) -> str:
    """The contents of a text file in the package's data folder."""
    return (DATA / name).read_text(encoding="utf-8")
