#!/usr/bin/python3
# ===- typed.py - Projects with types of their own, by the command line ----=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""typed.py PROJECT [OPERATOR...] [--source FOLDER] [--build BUILD] [--work FOLDER] [--flags=FLAGS]

Fetches a project, or takes the unpacked one in FOLDER; compiles its units as they are, with
-fplugin-arg-memshape-operator=NAME for each operator that typed/PROJECT.c names; predicts each at its shapes; calls it
three times in a program under count.c, on noise and on zeros, and holds the second and third call against the
prediction. Prints a line for each shape and a row for the table of README.md; ends with 1 where an exact answer was
wrong or a bound was left."""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measure import judge

HERE = Path(__file__).resolve().parent
#: Where a project is from, its commit, flags in which {s} is the source, its units, libraries to link.
PROJECTS = {
    "darknet": ("https://github.com/pjreddie/darknet", "f6afaabcdf85f77e7aff2ec55c020c0e297c77f9",
                "-I{s}/include -I{s}/src", ["src/*.c"], ""),
    "sep": ("https://github.com/kbarbary/sep", "d6150a61a6c734d720f459a48dd2b8f15d92318f", "-I{s}/src",
            ["src/*.c"], ""),
    "csparse": ("https://github.com/DrTimothyAldenDavis/SuiteSparse", "", "-I{s}/CSparse/Include",
                ["CSparse/Source/*.c"], ""),
    "openjpeg": ("https://github.com/uclouvain/openjpeg", "9dd4b3c98a78", "-DMUTEX_pthread -I{s}/src/lib/openjp2 -I{s}/build/src/lib/openjp2",
                 ["src/lib/openjp2/*.c"], ""),
    "world": ("https://github.com/mmorise/World", "d625e7608ca23a870018f01e7c562ac683d9847f", "-I{s}/src",
              ["src/*.cpp"], ""),
}
SWITCH = """int main(int argc, char **argv) {
  kind = argv[2];
  for (int i = 3; i < argc && i < 67; ++i)
    numbers[i - 3] = atof(argv[i]);
  for (int call = 0; call < 3; ++call) {
"""


class Shape:
    def __init__(self, text):
        shape, _, settings = text.partition(";")
        self.shape, self.settings = shape.strip(), settings.strip()
        pairs = [pair for pair in (self.shape + "," + self.settings).split(",") if pair and "OTHERS" not in pair]
        self.values = [pair.partition("=")[2] for pair in pairs]

    def options(self):
        return (["--shape", self.shape] if self.shape else []) + (["--set", self.settings] if self.settings else [])


class Operator:
    def __init__(self, name, shapes, label):
        self.name, self.label = name, label
        self.shapes = [Shape(text) for text in shapes.split("|")]


def operators_of(path):
    found = re.finditer(r"^//@ (\S+)(.*)\nOPERATOR\((\w+)\)", path.read_text(), re.M)
    return [Operator(each[1], each[2], each[3]) for each in found]


def run(command, check=False, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if check and done.returncode:
        sys.exit(done.stderr)
    return done


def complete(use, operators, archive):
    """OTHERS=V gives the value to all symbols and settings that a shape does not name."""
    if not any("OTHERS" in shape.shape for each in operators for shape in each.shapes):
        return
    for each in operators:
        for shape in each.shapes:
            named, _, value = shape.shape.partition("OTHERS=")
            if not value:
                continue
            shape.shape = named.rstrip(",")
            for _ in range(2):
                done = run([use.build / "bin/memshape", "predict", "--operator", each.name, archive, *shape.options()])
                missing = re.search(r"(shape symbol|setting) missing for operator '.*?': (.*) \(--", done.stderr)
                if not missing:
                    break
                more = ",".join(f"{name}={value}" for name in missing[2].split(", "))
                if missing[1] == "setting":
                    shape.settings = ",".join(filter(None, [shape.settings, more]))
                else:
                    shape.shape = ",".join(filter(None, [shape.shape, more]))


def fetched(address, commit, folder):
    if not folder.exists():
        run(["git", "init", "-q", folder], check=True)
        run(["git", "-C", folder, "fetch", "-q", "--depth", "1", address, commit], check=True)
        run(["git", "-C", folder, "checkout", "-q", "FETCH_HEAD"], check=True)
    return folder


def library(use, flags, patterns, operators):
    """An archive of the project's units, compiled unmodified with one flag and the names of the operators."""
    plugin = [f"-fplugin={use.build}/lib/memshape"]
    plugin += [f"-fplugin-arg-memshape-operator={operator.name}" for operator in operators]
    objects = use.work / "objects"
    objects.mkdir(parents=True, exist_ok=True)

    def compiled(unit):
        out = objects / (str(unit.relative_to(use.source)).replace("/", "-") + ".o")
        compiler = "clang-22" if unit.suffix == ".c" else "clang++-22"
        done = out.exists() or run([compiler, "-O2", "-g", "-w", *flags, *plugin, "-c", unit, "-o", out]).returncode == 0
        return out if done else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        built = [out for out in pool.map(compiled, [u for p in patterns for u in sorted(use.source.glob(p))]) if out]
    archive = use.work / "lib.a"
    archive.unlink(missing_ok=True)
    run(["ar", "rcs", archive, *built], check=True)
    return archive


def program(use, calls, operators, flags, archive, libraries):
    text = f'#include "{calls}"\n{SWITCH}'
    for each in operators:
        text += f'    if (!strcmp(argv[1], "{each.label}"))\n      {each.label}_called();\n'
    main, out, counter = use.work / f"main{calls.suffix}", use.work / "program", use.work / "libcount.so"
    main.write_text(text + "  }\n  return 0;\n}\n")
    run(["clang-22", "-O2", "-shared", "-fPIC", HERE / "count.c", "-o", counter], check=True)
    compiler = "clang-22" if calls.suffix == ".c" else "clang++-22"
    run([compiler, "-w", "-O1", f"-I{HERE}", f"-I{HERE}/typed", *flags, "-c", main, "-o", use.work / "main.o"],
        check=True)
    # Parts of the project that were not compiled are missing, and nothing here calls them.
    done = run(["clang++-22", use.work / "main.o", archive, counter, "-lm", "-lpthread", *libraries.split(),
                f"-Wl,-rpath,{use.work}", "-Wl,--unresolved-symbols=ignore-in-object-files", "-o", out])
    if done.returncode:
        sys.exit(done.stderr)
    return out


def truths(out, operator, shape):
    """Of noise and of zeros the figures of three calls; none of data with which the operator does not return."""
    found = []
    for kind in ("noise", "zero"):
        try:
            done = run([out, operator.label, kind, *shape.values], timeout=120)
        except subprocess.TimeoutExpired:
            continue
        calls = [tuple(map(int, line.split()[1:])) for line in done.stdout.splitlines() if line.startswith("counted ")]
        if done.returncode == 0 and len(calls) == 3:
            found.append(calls)
    return found


def predict(use, operator, shape, archive):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run([use.build / "bin/memshape", "predict", "--json", "--operator", operator.name, archive,
                *shape.options()], timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (json.loads(done.stdout)["heap"] if done.returncode == 0 else None), seconds, done.stderr.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", choices=PROJECTS)
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--source", type=Path)
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--flags", default="")
    use = parser.parse_intermixed_args()
    use.work = (use.work or Path("projects") / use.project).resolve()
    use.work.mkdir(parents=True, exist_ok=True)
    address, commit, flags, units, libraries = PROJECTS[use.project]
    use.source = (use.source or fetched(address, commit, use.work / "source")).resolve()
    flags = flags.format(s=use.source).split() + use.flags.split()
    calls = next((HERE / "typed").glob(f"{use.project}.c*"))
    every = operators_of(calls)
    archive = library(use, flags, units, every)
    complete(use, every, archive)
    out = program(use, calls, every, flags, archive, libraries)

    counts, slowest, bad, classes = {}, 0.0, 0, {}
    for operator in every:
        if use.operators and operator.name not in use.operators:
            continue
        for shape in operator.shapes:
            found = truths(out, operator, shape)
            heap, seconds, problem = predict(use, operator, shape, archive)
            kind, wrong, left = judge(heap, found)
            kind = kind if found else "does not return"
            counts[kind] = counts.get(kind, 0) + 1
            classes.setdefault(operator.name, set()).add(kind)
            slowest, bad = max(slowest, seconds), bad + (wrong or left)
            said = f"{heap['lower_bytes']} {heap['peak_bytes']} {heap['upper_bytes']}" if heap else problem[:300]
            print(f"{operator.name} {shape.shape} {'WRONG ' * wrong}{'LEFT ' * left}{kind}: {said}; "
                  f"true {[calls[1] for calls in found]}, {seconds:.1f} s", flush=True)
    print(f"{use.project}: {len(classes)} operators, {counts}, {bad} wrong or outside, "
          f"at most {slowest:.1f} s of processor time")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
