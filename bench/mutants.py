"""Mutation testing: do the tests notice small errors in search, move generation, table and clock?

    python bench/mutants.py DIR --count 100 --seed 1      # writes, builds and runs them; run again to resume
    python bench/mutants.py DIR --list                    # what was drawn, and what killed it
    python bench/mutants.py DIR --again                   # the survivors once more, against the tests as they are now

All mutants are written into one copy of the sources, in DIR, each guarded by `MUTANT == k`, where MUTANT is read from
the environment at import; so one build (v3) serves for all. A mutant is killed by another bench signature, a crash or a
hang, which are quick to find, or else by a failing test. The bench runs to a small depth first, and to that of the
signature only if that changes nothing. The tests run after the bench of all mutants.

The tests run once without a mutant: those that fail there (they want the builds that are not made) are left out, and
the time taken sets the limits for a hang. A test that fails runs again by itself; if it then passes, it is named with a
question mark, to be looked at by hand.
"""

import argparse
import io
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import tokenize
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FILES = ["ext/search.pxi", "ext/movegen.pxi", "ext/tt.pxi", "ext/movepick.pxi", "ext/limits.pxi",
         "engine/cythera/engine/time_manager.py"]
CORE_TESTS = ["tests/board/test_perft.py", "tests/board/test_moves.py", "tests/board/test_twins.py", "tests/search",
              "tests/engine/test_memory.py", "tests/lab/test_engine_obeys_the_lab.py", "tests/explain/test_tree.py",
              "tests/uci/test_search.py", "tests/uci/test_measuring.py", "tests/board", "tests/engine", "tests/uci",
              "tests/tables/test_probing.py", "tests/tuning"]  # those that found most come first
CLOCK_TESTS = ["tests/engine/test_time_manager.py", "tests/engine/test_documents.py", "tests/uci/test_search.py"]

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "//": "*",
         "/": "*", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "and": "or", "or": "and", "True": "False",
         "False": "True", "+=": "-=", "-=": "+=", "&=": "|=", "|=": "=", "*=": "/="}
HANG_FACTOR, HANG_S = 6, 30  # what takes longer than this many times what it takes without a mutant, plus this, hangs
READ_CORE = """
from libc.stdlib cimport getenv, atoi
cdef int MUTANT = atoi(getenv("MUTANT")) if getenv("MUTANT") != NULL else 0
"""
READ_PYTHON = '\nimport os\n\nMUTANT = int(os.environ.get("MUTANT", "0"))\n'
CAST = re.compile(r"<\w+ ?\**>")
SHORT_DEPTH, DEPTH = 9, 14  # of the bench: a first look, and that of the signature
SIGNATURE_TEST = "tests/engine/test_determinism.py::test_the_bench_gives_the_signature_of_this_version"  # has been run
SURVIVED = "survived"
SAME_BENCH = "not run: the bench is the same"


class Line(NamedTuple):
    """A logical line: its physical lines [first, last], and its text on one line without indentation."""

    first: int
    last: int
    indent: str
    text: str


class Site(NamedTuple):
    """One place to mutate, and the text of its line when mutated."""

    file: str
    line: int
    start: int
    end: int
    what: str
    text: str


def tokens_of(text):
    return [token for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.COMMENT,
                                  tokenize.INDENT, tokenize.DEDENT)]


def logical_lines(source):
    """The logical lines of a file in Cython or Python, comments removed."""
    lines = []
    row = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
            continue
        if token.type != tokenize.NEWLINE:
            row.append(token)
            continue
        physical = source.splitlines()[row[0].start[0] - 1]
        text = row[0].string
        for before, after in itertools.pairwise(row):
            gap = after.start[1] - before.end[1] if after.start[0] == before.end[0] else not before.string.endswith("(")
            text += " " * gap + after.string
        lines.append(Line(row[0].start[0], row[-1].end[0], physical[: len(physical) - len(physical.lstrip())], text))
        row = []
    return lines


def changeable(line, in_function):
    """The span of a line that may be mutated and how: "statement", "condition", "value", "constants" or None."""
    text = line.text
    first = text.split(None, 1)[0].rstrip(":(")
    if re.match(r"must\(|if DEBUG_BUILD|while True:|['\"]|else:|continue|break|pass|import|from|class|def |@", text):
        return None
    if first in ("if", "elif", "while") and text.endswith(":"):
        return len(first) + 1, len(text) - 1, "condition"
    if first == "for":
        return text.index(" in ") + 4, len(text) - 1, "constants"
    if first in ("cdef", "ctypedef") or re.match(r"\w+: ", text):
        if in_function and first == "cdef" and text.count("=") - 2 * text.count("==") == 1 and "[" not in text:
            return text.index("=") + 1, len(text), "value"
        return None
    return (0, len(text), "statement") if not text.endswith(":") else None


def mutations(text, start, end, kind):
    """(from, to, replacement) for each token of text[start:end] that can be changed."""
    tokens = tokens_of(text)
    casts = {at for found in CAST.finditer(text) for at in range(*found.span())}
    for i, token in enumerate(tokens):
        a, b, word = token.start[1], token.end[1], token.string
        if a < start or b > end:
            continue
        before = tokens[i - 1].string if i else "("
        after = tokens[i + 1].string if i + 1 < len(tokens) else ""
        binary = before in ")]" or bool(re.fullmatch(r"(?!(?:and|or|not|if|else|return|in)$)\w+", before))
        if token.type == tokenize.NUMBER and re.fullmatch(r"[0-9_]+|0x\w+|[0-9.]+", word):
            yield a, b, (word + "5" if "." in word and float(word) == 0 else
                         str(float(word) * 1.5) if "." in word else str(int(word.replace("_", ""), 0) + 1))
        elif kind == "constants":
            continue
        elif (word == "not" and after != "in") or (word == "-" and not binary):
            yield a, b, ""
        elif word in SWAPS and (binary or token.type == tokenize.NAME) and a not in casts:
            yield a, b, SWAPS[word]


def sites_of(name, source):
    found = []
    in_function = name.endswith(".py")
    for line in logical_lines(source):
        if not line.indent and not name.endswith(".py"):
            in_function = line.text.startswith("cdef") and line.text.endswith("nogil:")
            continue
        span = changeable(line, in_function) if in_function else None
        if span is None:
            continue
        start, end, kind = span
        number = line.first
        for a, b, new in mutations(line.text, start, end, kind):
            text = line.text[:a] + new + line.text[b:]
            found.append(Site(name, number, a, b, f"{line.text[a:b]} -> {new or 'nothing'}", text))
        if kind == "condition":
            text = f"{line.text[:start]}not ({line.text[start:end]}):"
            found.append(Site(name, number, start, end, "branch negated", text))
    return found


def guarded(line, kind, start, end, mutants):
    """The line with all its mutants, [(number, site)], each in force if MUTANT is its number."""
    if kind == "statement":
        rows = [f"{'if' if not i else 'elif'} MUTANT == {k}: {site.text}" for i, (k, site) in enumerate(mutants)]
        return "\n".join(line.indent + row for row in [*rows, f"else: {line.text}"])
    if kind == "constants":
        text = line.text
        for k, site in sorted(mutants, key=lambda pair: -pair[1].start):
            new = site.what.split(" -> ")[1]
            text = f"{text[:site.start]}({new} if MUTANT == {k} else {text[site.start:site.end]}){text[site.end:]}"
        return line.indent + text
    tail = line.text[end:]
    value = f"({line.text[start:end].strip()})"
    for k, site in mutants:
        new = site.text[start : len(site.text) - len(tail)].strip()
        if kind == "condition":
            value = f"((1 if {new} else 0) if MUTANT == {k} else (1 if {value} else 0))"
        else:
            value = f"(({new}) if MUTANT == {k} else {value})"
    return f"{line.indent}{line.text[:start]} {value}{tail}"


def write_mutants(folder, drawn):
    """Rewrites the files of the copy with the mutants drawn, numbered from 1."""
    for name in FILES:
        source = (ROOT / name).read_text()
        rows = source.splitlines()
        mine = {}
        for k, site in enumerate(drawn, 1):
            if site.file == name:
                mine.setdefault(site.line, []).append((k, site))
        for line in reversed(logical_lines(source)):
            if line.first in mine:
                start, end, kind = changeable(line, True)
                text = guarded(line, kind, start, end, mine[line.first])
                rows[line.first - 1 : line.last] = [text]
        text = "\n".join(rows) + "\n"
        if name.endswith(".py"):
            head, body = text.split("\nfrom ", 1)
            text = f"{head}{READ_PYTHON}from {body}"
        (folder / name).write_text(text)
    core = folder / "ext" / "core.pyx"
    text = core.read_text()
    at = text.index("include ")
    core.write_text(text[:at] + READ_CORE.lstrip() + "\n" + text[at:])


def copy_files(folder, *under):
    """Copies what git knows of the repository, or of folders in it."""
    done = subprocess.run(["git", "ls-files", *under], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, done.stdout.split("\n")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


def prepare(folder, count, seed):
    copy_files(folder)
    sites = [site for name in FILES for site in sites_of(name, (ROOT / name).read_text())]
    drawn = random.Random(seed).sample(sites, count)
    write_mutants(folder, drawn)
    (folder / "mutants.json").write_text(json.dumps([site._asdict() for site in drawn], indent=1))
    print(f"{len(sites)} sites, {count} drawn")
    environment = {**os.environ, "CYTHERA_VARIANTS": "v3"}
    subprocess.run([sys.executable, "setup.py", "build_ext", "--inplace"], cwd=folder, env=environment, check=True,
                   stdout=subprocess.DEVNULL)


def run(folder, number, command, seconds):
    """Output and exit code of a command with one mutant in force; None for the code if it takes too long."""
    environment = {**os.environ, "MUTANT": str(number), "PYTHONPATH": str(folder / "engine"), "CYTHERA_VARIANT": "v3"}
    process = subprocess.Popen([sys.executable, *command], cwd=folder, env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output = process.communicate(timeout=seconds)[0]
        return output, process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return "", None


def run_tests(folder, number, tests, seconds, *options):
    """Runs tests with one mutant in force; the exit code and the tests that failed, as pytest writes them down."""
    cache = folder / "cache" / str(number)
    if "--lf" not in options:
        shutil.rmtree(cache, ignore_errors=True)
    command = ["-m", "pytest", "-q", "-n", "0", "-o", f"cache_dir={cache}", *options, *tests]
    _, code = run(folder, number, command, seconds)
    failed = cache / "v" / "cache" / "lastfailed"
    return code, list(json.loads(failed.read_text())) if failed.exists() else []


def measure(folder):
    """Without a mutant: the bench to both depths, the tests that fail, and how long each takes. Done once."""
    path = folder / "base.json"
    if path.exists():
        return json.loads(path.read_text())
    base = {"bench": {}, "seconds": {}}
    for depth in (SHORT_DEPTH, DEPTH):
        start = time.monotonic()
        base["bench"][str(depth)] = run(folder, 0, ["-m", "cythera", "bench", str(depth)], None)[0].split()[0]
        base["seconds"][str(depth)] = time.monotonic() - start
    start = time.monotonic()
    _, base["left_out"] = run_tests(folder, 0, CORE_TESTS, None)
    base["seconds"]["tests"] = time.monotonic() - start
    path.write_text(json.dumps(base, indent=1))
    return base


def hang_limit(base, what):
    return HANG_FACTOR * base["seconds"][what] + HANG_S


def fate_by_bench(folder, number, site, base):
    if not site.file.startswith("ext"):
        return SAME_BENCH
    for depth, nodes in base["bench"].items():
        output, code = run(folder, number, ["-m", "cythera", "bench", depth], hang_limit(base, depth))
        if code is None:
            return f"bench {depth}: no end"
        if code:
            return f"bench {depth}: exit {code}"
        if output.split()[0] != nodes:
            return f"bench {depth}: {output.split()[0]}"
    return SAME_BENCH


def fate_by_tests(folder, number, site, base):
    tests = CORE_TESTS if site.file.startswith("ext") else CLOCK_TESTS
    left_out = [f"--deselect={test}" for test in [*base["left_out"], SIGNATURE_TEST]]
    seconds = hang_limit(base, "tests")
    code, failed = run_tests(folder, number, tests, seconds, "-x", *left_out)
    if code == 0:
        return SURVIVED
    if code is None:
        return "tests: no end"
    if not failed:
        return f"tests: exit {code}"
    code, _ = run_tests(folder, number, tests, seconds, "--lf", *left_out)
    return f"tests: {failed[0]}{' ?' if code == 0 else ''}"


def show(folder, drawn):
    for number, site in enumerate(drawn, 1):
        path = folder / "results" / f"{number}.txt"
        result = path.read_text() if path.exists() else "not run"
        print(f"{number:4} {site.file}:{site.line} [{site.what}] {result}\n       {site.text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the mutated copy and the results go")
    parser.add_argument("--count", type=int, default=100, help="number of mutants (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the results so far and run nothing")
    parser.add_argument("--part", default="1/1", help="run every Nth mutant: 1/2 and 2/2 in two processes")
    parser.add_argument("--again", action="store_true", help="run the survivors again, with the tests as they are now")
    args = parser.parse_args()
    folder = args.folder.resolve()
    if not (folder / "mutants.json").exists():
        prepare(folder, args.count, args.seed)
    drawn = [Site(**row) for row in json.loads((folder / "mutants.json").read_text())]
    results = folder / "results"
    results.mkdir(exist_ok=True)
    if args.list:
        show(folder, drawn)
        return
    if args.again:
        copy_files(folder, "tests")
        (folder / "base.json").unlink(missing_ok=True)
        for path in results.glob("*.txt"):
            if path.read_text() == SURVIVED:
                path.write_text(SAME_BENCH)
    base = measure(folder)
    print(f"without a mutant: bench {base['bench']}, {len(base['left_out'])} tests left out", flush=True)
    part, parts = map(int, args.part.split("/"))
    mine = [(number, site) for number, site in enumerate(drawn, 1) if number % parts == part % parts]
    for decide, before in ((fate_by_bench, ""), (fate_by_tests, SAME_BENCH)):
        for number, site in mine:
            path = results / f"{number}.txt"
            if (path.read_text() if path.exists() else "") != before:
                continue
            start = time.monotonic()
            result = decide(folder, number, site, base)
            path.write_text(result)
            seconds = time.monotonic() - start
            print(f"{number:4} {site.file}:{site.line} {site.what}: {result} ({seconds:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
