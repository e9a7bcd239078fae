"""Words that do not belong in this project: private terms for which computer chess has its own.

    python tests/support/words.py

prints every line of the repository that uses one, and ends with exit code 1 if there is any.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUFFIXES = {".py", ".pyx", ".pxi", ".pyi", ".md", ".txt", ".ts", ".html", ".css", ".toml", ".yml"}
EXEMPT = {"tests/support/words.py", "LICENSE", "engine/cythera/data/opening_names.txt"}

# Pattern -> what to write instead.
WORDS = {
    r"how-man\w+": "index",
    r"out of all proportion": "must be at most N, got …",
    r"(?:gone|goes|going) on with": "resumed",
    r"learn\w* by heart": "overfit",
    r"upstairs|downstairs": "Python, the compiled core",
    r"walks? through the house|rooms upstairs|rules of the house": "structure, packages, guarantees",
    r"foresee\w*": "prefetch",
    r"mends?|mended|mending": "bug fix, fixed",
    r"cannot be had|can be had": "cannot allocate, is not available",
    r"numbers of the search": "search parameters",
    r"crews?": "worker pool",
    r"governor": "time manager",
    r"handfuls?": "batch",
    r"whoever": "the caller, the reader",
    r"(?:nodes|positions|games|plies|bytes|seconds|ms) a (?:move|second|game|position|ply|step|unit)": "per",
    r"(?:in|after|with|of|every) so many": "this many, N",
    r"goes on where it (?:was|stopped|ended)": "resumes",
    r"was begun with|were begun with": "was created with different settings (…)",
    r"cannot be written:|cannot be read:": "cannot write FILE: reason",
    r"is not understood: give": "must be …, got …",
    r"deaf|elected": "output closed; chosen by thread voting",
    r"anew": "again, from scratch, rebuild",
    r"yardstick": "baseline",
    r"a slip of the pen|joker's|bad bargain|a home of nobody's": "plain words",
}
PATTERN = re.compile(r"\b(?:" + "|".join(WORDS) + r")\b", re.I)


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and name not in EXEMPT]


def findings() -> list[str]:
    """`file:line: text` for every line with a word of the list."""
    found = []
    for path in tracked_files():
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if PATTERN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:140]}")
    return found


def main() -> int:
    found = findings()
    print("\n".join(found) if found else "no such words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
