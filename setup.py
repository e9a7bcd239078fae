"""Builds the compiled core: one Cython source, one extension module per CPU variant; and the page.

The page of `cythera web` is built by npm, where there is one; without it everything else is
installed, and `cythera web` tells what to do. `python setup.py build_page` builds it in place.

Everything static is in pyproject.toml. Environment variables that change the build:

CYTHERA_VARIANTS   comma-separated subset of the variants below (a quicker build while developing), or "all";
                   without it, all but those that neither this CPU runs nor every build has (v4)
CYTHERA_PGO=1      profile-guided optimisation: build, run the bench, build again with what was counted (gcc only)
CYTHERA_DEBUG=1    C asserts, bounds checks, line numbers in tracebacks, no optimisation to speak of
CYTHERA_SANITIZE   with CYTHERA_DEBUG=1: sanitizers for gcc or clang, e.g. "address,undefined"
CYTHERA_PAGE       "require": no page is an error (for wheels); "skip": do not build it
"""

import contextlib
import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError, ExecError, PlatformError

STUBS = Path("build") / "stubs"
CORE = "cythera._core_"
DEBUG = os.environ.get("CYTHERA_DEBUG") == "1"
SANITIZE = os.environ.get("CYTHERA_SANITIZE", "")
PAGE = Path("engine") / "cythera" / "web" / "page"
PAGE_WISH = os.environ.get("CYTHERA_PAGE", "")

QUIET = ["-Wno-unused-function", "-Wno-unused-const-variable"]  # one unit includes all parts, used or not

# Square roots and choices between floats become vector instructions only if nobody asks for errno and traps.
FLOATS = ["-fno-math-errno", "-fno-trapping-math"]

NO_COMPILER = """
Cythera needs a C compiler to build its core, and the one tried here failed or was not found.
  Debian, Ubuntu:  sudo apt-get install gcc python3-dev
  Fedora:          sudo dnf install gcc python3-devel
  macOS:           xcode-select --install
  Windows:         the "Desktop development with C++" workload of the Visual Studio Build Tools
The compiler's own words are above.
"""

# name -> (gcc/clang flags, MSVC flags, macros). The generic build runs on any CPU of the machine's
# architecture; v3 needs AVX2 and BMI2, v4 AVX-512 and VNNI. The best is chosen at import.
VARIANTS = {"generic": ([], [], [])}
if platform.machine().lower() in ("x86_64", "amd64"):
    VARIANTS["v3"] = (["-march=x86-64-v3"], ["/arch:AVX2"], [("CYTHERA_PEXT", "1")])
    VARIANTS["v4"] = (
        ["-march=x86-64-v4", "-mavx512vnni", "-mprefer-vector-width=512"],
        ["/arch:AVX512"],
        [("CYTHERA_PEXT", "1")],
    )

# What v4 needs beyond v3, by the names of Linux.
V4_FLAGS = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512_vnni"}
PGO = os.environ.get("CYTHERA_PGO") == "1"
PGO_RUN = "from cythera.engine.bench import bench; bench(11); bench(9, eval_file='<classical>')"


def has_v4(cpuinfo="/proc/cpuinfo"):
    """Whether this machine's CPU runs the v4 build, as far as it can be known without a compiler."""
    try:
        text = Path(cpuinfo).read_text()
    except OSError:
        return False
    return set(text.split()) >= V4_FLAGS


def wanted_variants():
    """A third build takes half as long again on two cores, so v4 is left out where only a wheel would use it."""
    names = [name for name in os.environ.get("CYTHERA_VARIANTS", "").split(",") if name]
    if names == ["all"]:
        return VARIANTS
    unknown = sorted(set(names) - set(VARIANTS))
    if unknown:
        sys.exit(f"CYTHERA_VARIANTS: no such variant here: {', '.join(unknown)}; there are {', '.join(VARIANTS)}")
    return {name: VARIANTS[name] for name in names or VARIANTS if names or name != "v4" or has_v4()}


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def packed_weights(text):
    """Parses ext/weights.txt: {name: [(mg, eg), …]} in the file's order."""
    weights = {}
    pairs = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace():
            pairs += [tuple(map(int, pair.split(","))) for pair in line.split()]
        else:
            pairs = weights[line.partition(":")[0]] = []
    return weights


WEIGHTS_PXI = '''# Generated from ext/weights.txt by setup.py.

cdef enum:
{offsets}
    WEIGHT_COUNT = {count}

cdef extern from *:
    """
    static int32_t CY_WEIGHTS[{count}] = {{
        {rows}
    }};
    """
    i32 W "CY_WEIGHTS"[{count}]

# Names and how many weights each has, in order.
cdef tuple WEIGHT_NAMES = (
{names})
'''


def generate_weights():
    """weights.pxi: the table W, middlegame and endgame packed in a word, and offsets into it."""
    weights = packed_weights(Path("ext/weights.txt").read_text())
    offsets, words = [], []
    for name, pairs in weights.items():
        offsets.append(f"    W_{name.upper()} = {len(words)}")
        words += [str(mg + eg * 65536) for mg, eg in pairs]
    return WEIGHTS_PXI.format(
        offsets="\n".join(offsets),
        count=len(words),
        rows=",\n        ".join(", ".join(words[i : i + 8]) for i in range(0, len(words), 8)),
        names="".join(f"    ({name!r}, {len(pairs)}),\n" for name, pairs in weights.items()),
    )


def table_rows(name):
    """The lines of a table in ext/ that are neither empty nor comments."""
    return [line for line in Path("ext", name).read_text().splitlines() if line and line[0] != "#"]


TUNABLES_PXI = '''# Generated from ext/tunables.txt by setup.py.

cdef extern from *:
    """
    typedef struct {{
{fields}
        uint64_t features;
        int32_t (*lmr_table)[64][64];
        int tuned;
    }} cy_params;
    static int32_t CY_LMR_TABLE[2][64][64];
    static const cy_params CY_DEFAULT_PARAMS = {{
        {values},
        UINT64_C({features}), CY_LMR_TABLE, 0
    }};
    """
    ctypedef struct Params "cy_params":
{members}
        u64 features
        LmrTable* lmr_table
        bint tuned
    i32 DEFAULT_LMR_TABLE "CY_LMR_TABLE"[2][64][64]
    const Params DEFAULT_PARAMS "CY_DEFAULT_PARAMS"

cdef enum:
    TUNABLE_COUNT = {count}

TUNABLES = tuple([tuple.__new__(Tunable, row) for row in (
{rows})])
'''


def generate_tunables():
    """tunables.pxi: the struct of all search parameters, and a constant one that holds the defaults."""
    rows = [line.split(None, 4) for line in table_rows("tunables.txt")]
    return TUNABLES_PXI.format(
        fields="\n".join(f"        int {name};" for name, *_ in rows),
        count=len(rows),
        values=", ".join(default for _, default, *_ in rows),
        features=(1 << len(feature_table("feature"))) - 1,
        members="\n".join(f"        int {name}" for name, *_ in rows),
        rows="".join(f"    ({n!r}, {d}, {low}, {high}, {about!r}),\n" for n, d, low, high, about in rows),
    )


def feature_table(kind):
    """The rows of one kind (feature, exit, decision) of ext/features.txt, as lists of columns."""
    rows = [re.split(r"\s{2,}", line.strip()) for line in table_rows("features.txt")]
    return [columns for word, *columns in rows if word == kind]


FEATURES_PXI = """# Generated from ext/features.txt by setup.py.

cdef enum:                      # bit numbers in a set of features
{bits}
    FEATURE_COUNT

cdef enum:                      # how a node ended
{exits}

cdef u64 USE_ALL = (<u64>1 << FEATURE_COUNT) - 1

# Name -> bit, and name -> what it means
FEATURES = {{
{features}}}
FEATURE_TEXTS = {{
{texts}}}

# Name -> what explanations say, in the order of EXIT_…
EXIT_REASONS = {{
{reasons}}}
"""


def generate_features():
    """features.pxi: bits and names of features, and reasons why a node ends."""
    features, exits = feature_table("feature"), feature_table("exit")
    return FEATURES_PXI.format(
        bits="\n".join("    USE_" + re.sub(r"\W", "_", name.upper()) for name, _ in features),
        exits="\n".join(f"    EXIT_{word}" for word, *_ in exits),
        features="".join(f"    {name!r}: 1 << {i},\n" for i, (name, _) in enumerate(features)),
        texts="".join(f"    {name!r}: {about!r},\n" for name, about in features),
        reasons="".join(f"    {name!r}: {''.join(about)!r},\n" for _, name, *about in exits),
    )


DECISIONS_PXI = """# Generated from ext/features.txt by setup.py.

ctypedef int (*Decision)(const int* arguments) noexcept nogil

{functions}
cdef Decision DECISION_FUNCTIONS[{count}]
{pointers}
# Name -> names of the arguments, in the order of DECISION_FUNCTIONS
DECISIONS = {{
{names}}}
"""


def passed_argument(i, name):
    """A flag (its name ends in "?") is passed as 0 or 1, whatever the caller says."""
    return f"arguments[{i}]{' != 0' if name.endswith('?') else ''}"


def generate_decisions():
    """decisions.pxi: the decisions of the search behind one signature, to be called by name."""
    rows = [(name, arguments.split()) for name, arguments in feature_table("decision")]
    return DECISIONS_PXI.format(
        functions="".join(
            f"\ncdef int decide_{name}(const int* arguments) noexcept nogil:\n"
            f"    return {name}({', '.join(['&TUNED_PARAMS', *map(passed_argument, count(), arguments)])})\n\n"
            for name, arguments in rows
        ),
        count=len(rows),
        pointers="".join(f"DECISION_FUNCTIONS[{i}] = decide_{name}\n" for i, (name, _) in enumerate(rows)),
        names="".join(f"    {name!r}: {tuple(word.rstrip('?') for word in words)!r},\n" for name, words in rows),
    )


def extension(module, source, macros=()):
    """An extension whose source is a generated one-line stub: two modules can share one source."""
    stub = STUBS / f"{module}.pyx"
    write_if_changed(stub, f'include "{source}"\n')
    parts = [str(part) for part in sorted([*Path("ext").glob("*.p[xy]*"), *STUBS.glob("*.pxi")])]
    return Extension(f"cythera.{module}", [str(stub)], define_macros=list(macros), depends=parts)


def cythonized():
    """The extensions, translated to C. A performance hint of Cython's is an error here: it means a
    hot function that takes the GIL or checks for exceptions."""
    from Cython.Build import cythonize

    write_if_changed(STUBS / "weights.pxi", generate_weights())
    write_if_changed(STUBS / "tunables.pxi", generate_tunables())
    write_if_changed(STUBS / "features.pxi", generate_features())
    write_if_changed(STUBS / "decisions.pxi", generate_decisions())
    extensions = [extension(f"_core_{name}", "core.pyx", macros) for name, (_, _, macros) in wanted_variants().items()]
    extensions.append(extension("_cpu", "cpu.pyx"))
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            result = cythonize(
                extensions,
                include_path=["ext", str(STUBS)],
                compiler_directives={
                    "language_level": 3,
                    "boundscheck": DEBUG,
                    "wraparound": False,
                    "cdivision": True,
                    "initializedcheck": False,
                    "nonecheck": False,
                    "embedsignature": True,
                },
                emit_linenums=DEBUG,
            )
    finally:
        sys.stderr.write(said.getvalue())
    if "performance hint:" in said.getvalue():
        for stale in STUBS.glob("_core_*.c"):
            stale.unlink()
        sys.exit("The performance hints above are errors in Cythera: add `noexcept nogil`, or type the index.")
    return result


class BuildCore(build_ext):
    """Adds the flags that depend on the compiler, and explains a missing one."""

    def finalize_options(self):
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count() or 1

    def build_extensions(self):
        msvc = self.compiler.compiler_type == "msvc"
        for extension in self.extensions:
            if not extension.name.startswith(CORE):
                continue
            gnu_flags, msvc_flags, _ = VARIANTS[extension.name.removeprefix(CORE)]
            if msvc:
                extension.extra_compile_args += ["/O2", *msvc_flags]
                extension.define_macros.append(("CYTHON_INLINE", "__forceinline"))
            elif DEBUG:
                extension.extra_compile_args += ["-O1", "-g", "-fno-omit-frame-pointer", "-UNDEBUG", *QUIET, *gnu_flags]
                extension.define_macros.append(("CYTHERA_DEBUG", "1"))
            else:
                extension.extra_compile_args += ["-O3", "-g0", "-fno-wrapv", *FLOATS, *QUIET, *gnu_flags]
                # The whole hot core hangs on this: colour and kind of generation become compile-time
                # constants only when every helper is really inlined (measured: x1.6).
                extension.define_macros.append(("CYTHON_INLINE", "__inline__ __attribute__((always_inline))"))
            if SANITIZE and not msvc:
                extension.extra_compile_args.append(f"-fsanitize={SANITIZE}")
                extension.extra_link_args.append(f"-fsanitize={SANITIZE}")
        try:
            if PGO and not DEBUG:
                self.train_profile()
            super().build_extensions()
        except (CCompilerError, ExecError, PlatformError) as error:
            sys.exit(f"{error}\n{NO_COMPILER}")

    def train_profile(self):
        """Builds instrumented cores, runs the bench with each that this CPU runs, and adds the flags that use what
        was counted to the build proper. What the bench does not reach is optimised as without a profile."""
        command = getattr(self.compiler, "compiler_so", None)  # MSVC has none
        asked = subprocess.run([command[0], "--version"], capture_output=True, text=True) if command else None
        if asked is None or "Free Software Foundation" not in asked.stdout:
            print("warning: CYTHERA_PGO=1 needs gcc; built without a profile", file=sys.stderr)
            return
        counts = (Path(self.build_temp) / "profile").absolute()
        package = counts / "package" / "cythera"
        shutil.rmtree(counts, ignore_errors=True)
        unneeded = shutil.ignore_patterns("*.so", "page", "static", "__pycache__")
        shutil.copytree("engine/cythera", package, ignore=unneeded)
        kept = self.build_lib, self.inplace, self.force, self.extensions
        plain = {extension.name: list(extension.extra_compile_args) for extension in kept[3]}
        cores = [extension for extension in kept[3] if extension.name.startswith(CORE)]
        for extension in cores:
            extension.extra_compile_args.append(f"-fprofile-generate={counts}")
            extension.extra_link_args.append("-fprofile-generate")
        self.build_lib, self.inplace, self.force = str(package.parent), False, True
        super().build_extensions()
        for extension in cores:
            extension.extra_compile_args = plain[extension.name]
            extension.extra_link_args.remove("-fprofile-generate")
            name = extension.name.removeprefix(CORE)
            env = {**os.environ, "PYTHONPATH": str(package.parent), "CYTHERA_VARIANT": name}
            if name == "v4" and not has_v4():
                continue
            done = subprocess.run([sys.executable, "-c", PGO_RUN], env=env, capture_output=True, text=True)
            if done.returncode:
                print(f"warning: {name} is built without a profile: {done.stderr.strip()[-300:]}", file=sys.stderr)
                continue
            used = [f"-fprofile-use={counts}", "-fprofile-partial-training", "-Wno-missing-profile"]
            extension.extra_compile_args += used
        self.build_lib, self.inplace, self.extensions = kept[0], kept[1], kept[3]  # built again by force


def page_digest():
    """What the page is made from, as page/build.mjs writes it into static/sources.txt."""
    names = ["package-lock.json", "build.mjs", *(f"src/{path.name}" for path in (PAGE / "src").iterdir())]
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(f"{name}\n".encode() + (PAGE / name).read_bytes())
    return digest.hexdigest()


def page_is_current():
    made_from = PAGE.parent / "static" / "sources.txt"
    return made_from.exists() and made_from.read_text().strip() == page_digest()


def build_page():
    """Builds the page of `cythera web`; returns why it could not, or None."""
    if page_is_current():
        return None
    npm = shutil.which("npm")
    if npm is None:
        return "npm (of Node.js) was not found"
    for command in (["ci", "--omit=dev", "--no-audit", "--no-fund"], ["run", "build"]):
        done = subprocess.run([npm, *command], cwd=PAGE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            return f"`npm {' '.join(command)}` failed:\n{done.stdout}"
    return None


class BuildPage(Command):
    """python setup.py build_page: the page, in place."""

    description = "build the page of `cythera web` in place, with npm"
    user_options: ClassVar[list] = []

    def initialize_options(self):
        pass

    def finalize_options(self):
        pass

    def run(self):
        if problem := build_page():
            sys.exit(f"The page was not built: {problem}")


class BuildPython(build_py):
    """Builds the page first, so that it is among the files of the package."""

    def run(self):
        problem = None if PAGE_WISH == "skip" else build_page()
        if problem and PAGE_WISH == "require":
            sys.exit(f"The page was not built: {problem}")
        if problem:
            print(f"warning: no page for `cythera web`: {problem}", file=sys.stderr)
        super().run()


setup(
    ext_modules=cythonized(),
    cmdclass={"build_ext": BuildCore, "build_py": BuildPython, "build_page": BuildPage},
)
