#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The README, and all pages of docs/ that have console blocks. A page is followed from its top: a C++ block that begins with a
file name is saved under it; each `$ ` line of a console block is run, and what it prints must be what stands below it. A line
`...` stands for any lines. Times differ from run to run: in lines that hold one, numbers count for nothing. Programs of examples/
lie in the folder, as they do in build/release/examples.

With --update the pages are made to say what the commands print now."""

import difflib
import os
import re
import sys

from toolchain import ROOT, main

UPDATE = "--update" in sys.argv
sys.argv = [argument for argument in sys.argv if argument != "--update"]


# test/package/api.py builds the project of this page, in three ways.
ELSEWHERE = {"docs/api.md"}


def pages():
    names = ["README.md"] + sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
    return [name for name in names if name not in ELSEWHERE and "\n```console\n" in (ROOT / name).read_text(encoding="utf-8")]


def blocks(page):
    """(language, text) of every C++ and console block, from the top."""
    return re.findall(r"^```(cpp|console)\n(.*?)^```", page, re.M | re.S)


def steps(block):
    """(command, expected lines) of a console block."""
    for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *expected = step.rstrip("\n").replace("\\\n", "").split("\n")
        yield command, expected


def comparable(line):
    if not re.search(r"\d (µs|us|ms|s)\b", line):
        return line.rstrip()
    return re.sub(r" *[\d.,]+( (µs|us|ms|s)\b)?", " #", line)


def agree(expected, printed):
    pattern = "".join("(?:.*\n)*?" if line.strip() == "..." else re.escape(comparable(line)) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(comparable(line) + "\n" for line in printed)) is not None


def check_page(tools, name):
    page = (ROOT / name).read_text(encoding="utf-8")
    folder = tools.scratch / name.replace("/", "-")
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    for program in (tools.bin.parent / "examples").iterdir():
        if program.is_file() and os.access(program, os.X_OK):
            (folder / program.name).symlink_to(program)
    # What the installed tree gives a user: the commands on PATH, the headers, and the loader where programs are looked for.
    environment = {"PATH": f"{tools.bin}:{tools.clang}:{folder}:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(tools.lib),
                   "CPATH": str(ROOT / "runtime" / "include"), "LIBRARY_PATH": str(tools.lib)}
    complaints = []
    for language, block in blocks(page):
        file = re.match(r"// (\S+\.cpp)", block)
        if language == "cpp" and file:
            (folder / file.group(1)).write_text(block)
        for command, expected in steps(block) if language == "console" else ():
            command = re.sub(r"\bclang(\+\+)?-\d+", r"clang\1", command)
            done = tools.run("sh", "-c", f"exec 2>&1\n{command}", environment=environment, cwd=folder)
            printed = done.stdout.splitlines()
            if done.returncode or not agree(expected, printed):
                page = page.replace("\n".join(expected), "\n".join(printed)) if expected else page
                difference = "\n".join(difflib.unified_diff(expected, printed, name, "now", lineterm=""))
                complaints.append(f"$ {command}\nstatus {done.returncode}\n{difference}")
    if UPDATE:
        (ROOT / name).write_text(page, encoding="utf-8")
    return complaints


def check(tools):
    return [complaint for name in pages() for complaint in check_page(tools, name)]


if __name__ == "__main__":
    main(check)
