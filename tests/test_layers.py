"""The parts of the core look one way: a part uses only names of parts above it in ext/core.pyx.

Included parts share one namespace, so nothing else would notice a part that calls a later one.
"""

import re
from pathlib import Path

import pytest

EXT = Path(__file__).parents[1] / "ext"
GENERATED = {"features.pxi", "decisions.pxi"}  # by setup.py, from features.txt

NAME = r"[A-Za-z_]\w*"

pytestmark = pytest.mark.source


def bare(text):
    """Source without strings and comments; lines stay lines, continued ones become one."""
    text = re.sub(r'"""[\s\S]*?"""', lambda match: "\n" * match[0].count("\n"), text)
    text = re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", '""', text)
    text = re.sub(r"#.*", "", text)
    lines, depth = [""], 0
    for line in text.splitlines():
        lines[-1] += line
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0:
            lines.append("")
    return lines


def blocks(lines):
    """Top-level statements, each with its indented lines."""
    found = []
    for line in lines:
        if line and not line[0].isspace():
            found.append([line])
        elif line.strip() and found:
            found[-1].append(line)
    return found


def declared_names(declaration):
    """Names a C declaration without its leading `cdef` introduces: `u64 a, b[2]`, `int f(…)`."""
    head = re.split(r"[(=]", declaration, maxsplit=1)[0]
    pointer = re.search(rf"\(\s*\*\s*({NAME})\s*\)", declaration)
    if pointer:
        return {pointer[1]}
    first, *others = head.split(",")
    words = re.findall(NAME, re.sub(r"\[.*?\]|\"\"", "", first))
    return {words[-1]} | {re.findall(NAME, other)[0] for other in others if re.findall(NAME, other)} if words else set()


def defined_names(block):
    """Names a top-level statement gives to the whole core."""
    first, inner = block[0], [line.strip() for line in block[1:]]
    named = re.match(rf"(?:cdef |cpdef |ctypedef )?(?:packed )?(?:class|struct|enum|union|def)\s+({NAME})", first)
    if re.match(r"(?:cdef|cpdef) enum", first):
        names = {re.match(NAME, line)[0] for line in inner if re.match(NAME, line)}
        return names | ({named[1]} if named else set())
    if first.startswith("cdef extern"):
        return set().union(*(declared_names(line) for line in inner if line not in ('""', "pass")))
    if named:
        return {named[1]}
    if first.startswith(("cdef ", "ctypedef ")):
        return declared_names(re.sub(r"^(cdef|ctypedef)\s+(inline\s+)?", "", first))
    assigned = re.match(rf"({NAME})\s*=", first)
    return {assigned[1]} if assigned else set()


def local_names(block):
    """Parameters and variables of a function or class, and fields of a struct."""
    names = set()
    header = re.search(r"\((.*)\)", block[0])
    for parameter in re.split(r",", header[1]) if header else ():
        words = re.findall(NAME, parameter.split("=")[0])
        names.update(words[-1:])
    for line in block[1:]:
        line = line.strip()
        if line.startswith(("cdef ", "def ")):
            inner = re.search(r"\((.*)\)", line)
            for parameter in inner[1].split(",") if inner else ():
                names.update(re.findall(NAME, parameter.split("=")[0])[-1:])
            names |= declared_names(re.sub(r"^(cdef|def)\s+", "", line))
        for targets in re.findall(rf"\bfor\s+({NAME}(?:\s*,\s*{NAME})*)\s+in\b", line):
            names.update(re.findall(NAME, targets))
        assigned = re.match(rf"({NAME})\s*=[^=]", line)
        if assigned:
            names.add(assigned[1])
        if re.match(r"(ctypedef|cdef) (packed )?struct", block[0]):
            names |= declared_names(line)
    return names


def used_names(block):
    text = "\n".join(block)
    text = re.sub(rf"\.\s*{NAME}", "", text)  # fields and methods
    text = re.sub(rf"(?<=[(,])\s*{NAME}\s*=(?!=)", "", text)  # keyword arguments
    return set(re.findall(rf"(?<![\w.]){NAME}", text)) - local_names(block)


def feature_names(part):
    """What the two parts generated from features.txt define and use."""
    rows = [re.split(r"\s{2,}", line) for line in (EXT / "features.txt").read_text(encoding="utf-8").splitlines()]
    if part == "decisions.pxi":
        return {"DECISIONS", "DECISION_FUNCTIONS"}, {row[1] for row in rows if row[0] == "decision"}
    features = {"USE_" + re.sub(r"\W", "_", row[1].upper()) for row in rows if row[0] == "feature"}
    exits = {f"EXIT_{row[1]}" for row in rows if row[0] == "exit"}
    return {"FEATURES", "FEATURE_TEXTS", "EXIT_REASONS", "USE_ALL", "FEATURE_COUNT"} | features | exits, set()


def parts():
    """Part -> (names it defines, names it uses), in the order of the contents page."""
    order = re.findall(r'^include "(.+?)"', (EXT / "core.pyx").read_text(encoding="utf-8"), re.M)
    house = {}
    for name in order:
        if name in GENERATED:
            house[name] = feature_names(name)
            continue
        found = blocks(bare((EXT / name).read_text(encoding="utf-8")))
        defined = set().union(*map(defined_names, found))
        house[name] = defined, set().union(*map(used_names, found))
    return house


def test_a_part_uses_only_parts_above_it():
    house = parts()
    order = list(house)
    wrong = [
        f"{name} uses {', '.join(sorted(later))} of {below}"
        for at, name in enumerate(order)
        for below in order[at + 1 :]
        if (later := house[name][1] & house[below][0] - house[name][0])
    ]
    assert not wrong, "\n".join(wrong)


def test_no_name_is_defined_in_two_parts():
    seen = {}
    for name, (defined, _) in parts().items():
        for word in defined:
            assert seen.setdefault(word, name) == name, f"{word} is in {seen[word]} and in {name}"


def test_the_reader_of_parts_finds_what_is_there():
    house = parts()
    assert {"u64", "ctz", "popcount", "must"} <= house["platform.pxi"][0]
    assert {"WHITE", "PAWN", "Move16", "from_of", "square_name"} <= house["types.pxi"][0]
    assert {"FILE_A", "BETWEEN", "lowest"} <= house["bitboard.pxi"][0]
    assert {"Position", "State", "Masks", "attackers_to"} <= house["position.pxi"][0]
    assert {"Board", "START_FEN", "MAX_GAME_PLIES"} <= house["board.pxi"][0]
    assert {"make_for", "PIECE_KEYS", "square_bit"} <= house["makemove.pxi"][1]
    assert {"parse_fen", "generate_all", "perft_threaded"} <= house["board.pxi"][1]
    assert {"USE_NMP", "USE_SEE_PRUNING", "EXIT_NMP", "FEATURES"} <= house["features.pxi"][0]
    assert {"rfp_margin", "hindsight"} <= house["decisions.pxi"][1] & house["pruning.pxi"][0]


def test_a_call_of_a_later_part_is_noticed():
    upper = blocks(bare("cdef int early(int x) noexcept nogil:\n    return late(x) + x.other\n"))
    lower = blocks(bare("cdef inline int late(int x) noexcept nogil:\n    return x  # early\n"))
    assert used_names(upper[0]) & defined_names(lower[0]) == {"late"}
    assert not used_names(lower[0]) & defined_names(upper[0])


def test_every_part_is_in_the_contents_page_or_included_by_one():
    included = set(re.findall(r'include "(.+?)"', "".join(p.read_text(encoding="utf-8") for p in EXT.glob("*.p*"))))
    assert {path.name for path in EXT.glob("*.pxi")} <= included


def test_the_contents_page_holds_no_logic_and_says_what_each_part_is():
    for line in (EXT / "core.pyx").read_text(encoding="utf-8").splitlines():
        assert not line or line.startswith("#") or re.fullmatch(r'include "\w+\.pxi" +# \S.*', line), line
