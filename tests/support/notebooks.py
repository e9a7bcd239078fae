"""Runs notebooks without Jupyter: the code cells of the JSON, one after the other, in one namespace.

nbclient would start a kernel in a process of its own and bring in jupyter-client, pyzmq and tornado. The
lab's notebooks are plain Python without magics, so that `exec` is all it takes. The value of the last
expression of a cell is its result, shown as a notebook would show it.

    python tests/support/notebooks.py docs/notebooks/*.ipynb     executes them and writes the results into them
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def run_cell(source: str, names: dict[str, Any], label: str) -> list[dict[str, Any]]:
    """The outputs of a cell, in the form notebooks keep them."""
    tree = ast.parse(source, label)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, label, "exec"), names)
        value = eval(compile(ast.Expression(last.value), label, "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        data: dict[str, Any] = {"text/plain": lines(repr(value))}
        for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
            if hasattr(value, method):
                data[kind] = lines(getattr(value, method)())
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def execute(path: Path) -> dict[str, Any]:
    """The notebook with fresh outputs; whatever a cell raises is raised, with its number in the traceback."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["outputs"] = run_cell("".join(cell["source"]), names, f"{path.name}, cell {count}")
            cell["execution_count"] = count
            for output in cell["outputs"]:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = count
    return notebook


def main(paths: list[str]) -> None:
    for name in paths:
        notebook = execute(Path(name))
        Path(name).write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"{name}: executed")


if __name__ == "__main__":
    main(sys.argv[1:])
