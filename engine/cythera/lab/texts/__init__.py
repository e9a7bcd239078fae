"""The texts of the lab in every language it speaks, one file per language, and the choice between them.

`say("key", name=value)` is the text with that key in the current language, with the values filled in.
The language is English, unless the environment variable CYTHERA_LANGUAGE or `cythera lab --language`
says otherwise. A test compares the keys and the placeholders of all languages.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from cythera.errors import CytheraError
from cythera.lab.texts.en import TEXTS as ENGLISH
from cythera.lab.texts.es import TEXTS as SPANISH

LANGUAGES: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "es": SPANISH}
VARIABLE = "CYTHERA_LANGUAGE"

_current: ContextVar[str] = ContextVar("language", default="en")  # a server may answer in several at once


class LanguageError(CytheraError, ValueError):
    """A language the lab does not speak."""


def use_language(name: str | None = None) -> str:
    """Switches to a language, or without a name to the one the environment asks for.

    A regional name is enough to know the language, as in `es_MX.UTF-8`.

    >>> use_language("es"), say("play.draw"), use_language("en"), say("play.draw")
    ('es', 'Tablas.', 'en', 'A draw.')
    >>> use_language("tlh")
    Traceback (most recent call last):
    cythera.lab.texts.LanguageError: unknown language 'tlh'; choose from en, es
    """
    asked = name or os.environ.get(VARIABLE) or "en"
    short = asked.replace("-", "_").split("_")[0].split(".")[0].lower()
    if short not in LANGUAGES:
        raise LanguageError(say("error.language", name=asked, names=", ".join(LANGUAGES)))
    _current.set(short)
    return short


def language() -> str:
    """The current language."""
    return _current.get()


def say(key: str, **values: Any) -> str:
    """The text with that key in the current language.

    >>> say("error.depth_range", depth=-1)
    'depth must be at least 0, got -1'
    """
    return LANGUAGES[_current.get()][key].format(**values)


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "leaf"), plural(7, "leaf"), plural(2000, "node")
    ('1 leaf', '7 leaves', '2,000 nodes')
    """
    return say(f"count.{noun}.one" if count == 1 else f"count.{noun}.many", count=f"{count:,}")
