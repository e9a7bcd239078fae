"""TOML files, read with one clear sentence when they cannot be."""

import sys
from pathlib import Path
from typing import Any

from cythera.errors import CytheraError


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """The document of a file; `what` names its purpose in error messages."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CytheraError(f"cannot read the {what} {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CytheraError(f"the {what} {path} is not TOML: {error}") from error
