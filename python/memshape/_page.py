# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is printed: messages of the command in words of Python, counts, and the page about a measured prediction."""

from __future__ import annotations

import re
from typing import Any, Sequence

#: Options whose values are written otherwise, with the value that stands behind them.
_WORDS = ((r"--(?:shape|set) (?=[\w.\[\]$'-]+=)", ""), (r"--assume (\S+?)=(\w+)", r"assume={'\1': \2}"),
          (r"--machine, (?=gpu=)", "machine="), (r"--machine (?=\w+=)", "machine="), (r"--objective (\w+)", r"objective='\1'"),
          (r"--element-bytes IN,OUT", "element_bytes=(IN, OUT)"), (r"--operator(?=:)", "its name"))


def in_python(text: str) -> str:
    """A message of the command: ``held=BYTES`` for ``--held BYTES``."""
    for option, word in _WORDS:
        text = re.sub(option, word, text)
    return re.sub(r"--([a-z][a-z-]+)(?: ([A-Z]+)\b)?", lambda found: f"{found[1].replace('-', '_')}={found[2] or ''}", text)


def show_bytes(value: int | None) -> str:
    """Bytes to be displayed: "1.07 GiB"."""
    if value is None:
        return "no bound"
    for unit, size in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if abs(value) >= size:
            return f"{value / size:.2f} {unit}"
    return f"{value} B"


def several(count: int, what: str) -> str:
    """ "1 task", "2 tasks"."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def a_thing(given: Any) -> str:
    """What a value is, with its article: "an int"."""
    name = type(given).__name__
    return f"a{'n' if name[0] in 'aeiouAEIOU' else ''} {name}"


def percent(share: float) -> str:
    """ "0.25 %", "120 %"."""
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def at(shape: dict[str, Any]) -> str:
    """ "ni=400, nx=300"."""
    return ", ".join(f"{name}={value}" for name, value in shape.items())


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of (what, size, bytes, remark) in columns, two blanks before each."""
    wide = [max(len(row[column]) for row in rows) for column in range(3)]
    return [f"  {what:{wide[0]}}  {size:>{wide[1]}}  {count:>{wide[2]}}  {remark}".rstrip() for what, size, count, remark in rows]


def prediction(of: Any) -> str:
    """The page of a prediction that the command did not make."""
    def row(what: str, count: int, remark: str = "") -> tuple[str, str, str, str]:
        return what, show_bytes(count), f"{count:,} bytes", remark

    rows = [row("peak heap", of.peak_bytes, "expected" + ("" if of.upper_bytes is not None else "; no bound above"))]
    if of.upper_bytes is not None:
        rows.append(row("  at most", of.upper_bytes, "not proven"))
    rows += [row("left at return", of.output_bytes),
             row("allocated in all", of.total_bytes, f"in {several(of.allocations, 'allocation')}")]
    if of.one_time_bytes:
        rows.append(row("first call only", of.one_time_bytes, "beside the peak"))
    rows += [row(f"{name}", size, "the caller's") for name, size in of.tensors.items() if size]
    if of.rss_bytes is not None:
        rows.append(row("peak RSS", of.rss_bytes, "expected"))
        rows += [row("  at most", of.rss_upper_bytes)] if of.rss_upper_bytes is not None else []
    return "\n".join([f"{of.operator} at {at(of.shape)}", "", *aligned(rows), "", f"  formula   {of.formula}", "",
                      "  This rests on calls at toy shapes.", *(f"  - {note}" for note in of.notes)])
