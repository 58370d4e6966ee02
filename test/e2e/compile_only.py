#!/usr/bin/python3
# ===- compile_only.py - The flag never changes whether a unit compiles ----=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Each unit is compiled with and without the plugin, every visible function with an integer parameter an operator: the exit status must be
the same, and so must what the compiler says where it succeeds.

The suite compiles compile_only/, a file for each feature of the language and of the compiler that has its own way through code generation.
A file names its variants in lines `// flags: ...`. By hand, with --commands FILE: compile commands of any project, one per line, with a
source and without -o (a line that begins with `cd FOLDER &&` runs there); --levels names what is added to each. Prints a table."""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEVELS = ("-O0", "-O1", "-O2", "-O3")
STAR = "-fplugin-arg-memshape-operator=*"
#: What a compiler says that is not the same twice: times, and names of temporary files.
CHANGING = re.compile(r"(?m)^.*(?:Time|%\)|---|===|Total|seconds).*\n?|/tmp/\S+")


def compiled(command, folder, seconds):
    """(exit status, what the compiler said) in an empty folder of its own, or in the given one."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMSHAPE_")}
    environment["LC_ALL"] = "C.UTF-8"
    with tempfile.TemporaryDirectory(prefix="memshape-unit-") as scratch:
        try:
            done = subprocess.run([*command, "-o", f"{scratch}/out"], cwd=folder or scratch, env=environment, capture_output=True, text=True,
                                  errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            return "too long", ""
    return done.returncode, CHANGING.sub("", done.stderr)


def compare(command, folder, plugin, seconds):
    """(did the unit compile as it is, what differs with the plugin: "" for nothing)"""
    plain = compiled(command, folder, seconds)
    flagged = compiled([*command, plugin, STAR], folder, 4 * seconds)
    if plain[0] != flagged[0]:
        return plain[0] == 0, f"status {plain[0]} without the flag, {flagged[0]} with it: {flagged[1].strip()[:2000]}"
    if plain[0] == 0 and plain[1] != flagged[1]:
        return True, f"the compiler says {flagged[1].strip()[:1000]!r} instead of {plain[1].strip()[:1000]!r}"
    return plain[0] == 0, ""


def features(clang):
    """The commands of compile_only/."""
    for source in sorted((HERE / "compile_only").iterdir()):
        language = {".c": ["clang", "-std=gnu11"], ".cu": ["clang++", "-std=c++17"]}.get(source.suffix, ["clang++", "-std=c++20"])
        variants = re.findall(r"(?m)^// flags:(.*)$", source.read_text())
        assert variants, f"{source.name} names no flags"
        for flags in variants:
            kind = [] if re.search(r"(?:^| )-(?:S|E|fsyntax-only)(?: |$)", flags) else ["-c"]
            yield [str(clang / language[0]), language[1], "-w", *kind, *flags.split(), str(source)], None


def listed(path, clang):
    for line in path.read_text().splitlines():
        folder, line = re.fullmatch(r"(?:cd (\S+) && )?(.*)", line).groups()
        words = shlex.split(line, comments=True)
        if words:
            name = "clang++" if "++" in Path(words[0]).name else "clang"
            yield [str(clang / name), *words[1:]], folder


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", type=Path, required=True, help="folder of the compilers")
    parser.add_argument("--lib", type=Path, required=True, help="folder of the loader")
    parser.add_argument("--bin", type=Path, help="not used: as all tests of this folder")
    parser.add_argument("--commands", type=Path, help="compile commands instead of compile_only/")
    parser.add_argument("--levels", nargs="*", default=LEVELS, help="what is added to each command, one after the other")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=300, help="a unit that takes longer without the flag is left out")
    parser.add_argument("--only", default="", help="part of the name of a source")
    use = parser.parse_args([f" {word}" if word in LEVELS else word for word in sys.argv[1:]])
    plugin = f"-fplugin={use.lib.resolve() / 'memshape'}"
    commands = [each for each in (listed(use.commands, use.clang) if use.commands else features(use.clang)) if use.only in each[0][-1]]
    rows, complaints = [], 0
    with concurrent.futures.ThreadPoolExecutor(use.jobs) as pool:
        for level in map(str.strip, use.levels):
            works, differ = 0, 0
            for (command, _), (compiles, difference) in zip(
                    commands, pool.map(lambda each: compare([*each[0][:1], level, *each[0][1:]], each[1], plugin, use.seconds), commands)):
                works += compiles
                if difference:
                    differ += 1
                    print(f"{level} {shlex.join(command)}\n  {difference}", flush=True)
            rows.append(f"{level:5} {len(commands):6} units, {works:6} compile without the flag, {differ:6} differ with it")
            complaints += differ
    print("\n".join(rows))
    if not use.commands and works * 2 < len(commands):
        sys.exit("most units do not compile at all: the test tests little")
    raise SystemExit(1 if complaints else 0)


if __name__ == "__main__":
    main()
