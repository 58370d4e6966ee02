#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The README, and pages that are followed step by step. A page's C++ blocks that begin with a file name are saved under it; each
`$ ` line of its console blocks is run, and what it prints must be what stands below it. Times differ from run to run: in lines
that hold one, digits count for nothing.

With --update the pages are made to say what the commands print now."""

import difflib
import os
import re
import sys

from toolchain import ROOT, main

UPDATE = "--update" in sys.argv
sys.argv = [argument for argument in sys.argv if argument != "--update"]


def steps(page):
    """(command, expected lines) of every console block."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.M | re.S):
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *expected = step.rstrip("\n").replace("\\\n", "").split("\n")
            yield command, expected


def comparable(line):
    return re.sub(r"[\d.,]+", "#", line) if re.search(r"\d (µs|us|ms|s)\b", line) else line.rstrip()


PAGES = ["README.md", "docs/check.md"]


def check_page(tools, name):
    page = (ROOT / name).read_text(encoding="utf-8")
    folder = tools.scratch / name.replace("/", "-")
    folder.mkdir()
    for source, file in re.findall(r"^```cpp\n(// (\S+\.cpp).*?)^```", page, re.M | re.S):
        (folder / file).write_text(source)
    # What the installed tree gives a user: the commands on PATH, the headers, and the loader where programs are looked for.
    environment = {"PATH": f"{tools.bin}:{tools.clang}:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(tools.lib),
                   "CPATH": str(ROOT / "runtime" / "include"), "LIBRARY_PATH": str(tools.lib)}
    complaints = []
    for command, expected in steps(page):
        command = re.sub(r"\bclang(\+\+)?-\d+", r"clang\1", command)
        done = tools.run("sh", "-c", command, environment=environment, cwd=folder)
        printed = (done.stdout + done.stderr).rstrip("\n").split("\n") if done.stdout + done.stderr else []
        if done.returncode or [*map(comparable, printed)] != [*map(comparable, expected)]:
            page = page.replace("\n".join(expected), "\n".join(printed)) if expected else page
            difference = "\n".join(difflib.unified_diff(expected, printed, name, "now", lineterm=""))
            complaints.append(f"$ {command}\nstatus {done.returncode}\n{difference}")
    if UPDATE:
        (ROOT / name).write_text(page, encoding="utf-8")
    return complaints


def check(tools):
    return [complaint for name in PAGES for complaint in check_page(tools, name)]


if __name__ == "__main__":
    main(check)
