# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""library_functions.py --clang BIN

Calls every function that the documents of the C, C++ and math library list as allocating nothing, 1,001 times each,
with arguments for which a library may want memory, under a counter of the heap. A summary promises that later calls
ask for none; what `compute`, `inspect`, `adjust` and `ask` name asks for none in the first call either. A listed
function without a row in library_functions/library_functions.* fails the test, and so does a row that does not call it."""

import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).parent / "library_functions"
PROMISED = {"compute", "inspect", "adjust", "ask", "pure"}
LIBRARIES = ("c", "math", "c++", "libstdc++")
NEWER = "__isoc23_"  # a name that headers of a newer C library give to the same function
# The pass puts its own code in the place of these, so that none is called.
LOWERED = {"__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort", "__cxa_atexit", "__cxa_thread_atexit"}
SURROUNDINGS = [
    ({}, "plain"),
    ({"TZ": "UTC"}, "plain"),
    ({"TZ": ":Europe/Berlin"}, "closed"),
    ({"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"}, "full"),
]


def expand(pattern):
    """As libraries/reader does: [sd] and {a,b} stand for each of their choices."""
    found = re.search(r"\[([^]]*)\]|\{([^}]*)\}", pattern)
    if not found:
        return [pattern]
    choices = found.group(1) if found.group(1) is not None else found.group(2).split(",")
    return [name for c in choices for name in expand(pattern[: found.start()] + c + pattern[found.end() :])]


def listed(folder):
    """Name or pattern -> whether it may allocate in its first call."""
    names = {}
    for library in LIBRARIES:
        for path in sorted((folder / library).glob("*.json")):
            for part in json.loads(path.read_text())["libraries"]:
                for rule in part.get("functions", []):
                    for pattern in rule["names"]:
                        for name in expand(pattern):
                            # The first rule that fits is taken.
                            if rule["treatment"] in PROMISED:
                                names.setdefault(name, rule["treatment"] == "pure")
    return names


def build(clang, source, out, compiler):
    objects = []
    for file, tool in ((source, compiler), (PROGRAMS / "library_counter.c", "clang")):
        made = out.with_name(out.name + "." + file.name + ".o")
        # Calls stay calls; the headers' own code does not stand for them.
        subprocess.run([clang / tool, "-w", "-O0", "-fno-builtin", "-D__NO_CTYPE", "-c", file, "-o", made], check=True)
        objects.append(made)
    subprocess.run([clang / compiler, *objects, "-o", out, "-lm", "-lpthread"], check=True)
    text = subprocess.run(["nm", "-u", objects[0]], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].removeprefix(NEWER) for line in text.splitlines()}


def present():
    """Whether a library of this system has the function: documents name those of older and newer ones, too."""
    libraries = [ctypes.CDLL(name) for name in ("libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6")]
    return lambda name: bool(re.search(r"[*?+]", name)) or any(hasattr(library, name) for library in libraries)


def run(program, variables, streams, folder):
    """(requests in the first call, in later ones, functions) of each row."""
    environment = {k: v for k, v in os.environ.items() if k not in ("TZ", "LC_ALL", "LANG")} | variables
    read, write = os.pipe()
    out = os.open("/dev/full" if streams == "full" else folder / "out", os.O_RDWR | os.O_CREAT, 0o600)
    with open("/dev/zero", "rb") as zeros:
        child = subprocess.Popen(
            [program, str(write)], cwd=folder, env=environment, stdin=zeros, stdout=out, stderr=out, pass_fds=[write],
            preexec_fn=(lambda: os.closerange(0, 3)) if streams == "closed" else None)
    os.close(write)
    os.close(out)
    with os.fdopen(read) as rows:
        text = rows.read()
    if child.wait(timeout=300):
        sys.exit(f"{program} ended with {child.returncode}")
    lines = (line.split(" ", 2) for line in text.splitlines())
    return [(int(first), int(later), names.split()) for first, later, names in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True, type=Path)
    use, _ = parser.parse_known_args()
    names = listed(Path(__file__).parents[2] / "libraries")
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch, rows, calls = Path(scratch), {}, set()
        for source, compiler in (("library_functions.c", "clang"), ("library_functions.cpp", "clang++")):
            program = scratch / source.replace(".", "_")
            calls |= build(use.clang, PROGRAMS / source, program, compiler)
            for variables, streams in SURROUNDINGS:
                for first, later, functions in run(program, variables, streams, scratch):
                    where = f"{' '.join(functions)[:120]}, {variables.get('TZ', 'no TZ')}, {streams} streams"
                    if later < 0:
                        wrong.append(f"{where}: did not come to the end")
                    elif later:
                        wrong.append(f"{where}: {later} requests in 1,000 later calls")
                    for name in functions:
                        rows[name] = max(rows.get(name, 0), first)
    is_present = present()
    for name, may_first in sorted(names.items()):
        row = name.removeprefix(NEWER)
        if name in LOWERED or not is_present(name):
            continue
        if row not in rows:
            wrong.append(f"{name}: is listed as allocating nothing, and has no row")
        elif not may_first and rows[row]:
            wrong.append(f"{name}: {rows[row]} requests in the first call")
    for name in rows:
        if not re.search(r"[*?+]", name) and name not in calls:
            wrong.append(f"{name}: its row does not call it")
    print(f"{len(names)} names, {len(rows)} in rows")
    if wrong:
        sys.exit("\n".join(wrong))


main()
