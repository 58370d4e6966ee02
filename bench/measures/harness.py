# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What measures share: where things are, processes and their times, tables of Markdown."""

import json
import os
import resource
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
ROOT = BENCH.parent


def add_build(parser):
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), default=ROOT / "build/release",
                        help="a build of memshape (default: build/release)")


def end(text):
    """Ends the program with status 2 and a line: what was asked for cannot be measured."""
    print(f"bench/run: {text}", file=sys.stderr)
    sys.exit(2)


def built(build, name):
    """A program of the folder bench/ of a build."""
    program = build / "bench" / name
    if not program.exists():
        end(f"there is no {program}: build with -DMEMSHAPE_BUILD_BENCHMARKS=ON")
    return program


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def checked(command, **options):
    """The standard output of a program that has to succeed."""
    done = run(command, **options)
    if done.returncode:
        end(f"{shlex.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-4000:]}")
    return done.stdout


def spent():
    """Seconds of processor time of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(work):
    """Seconds on the wall, seconds of processor time of what work starts and waits for, and what work returns."""
    before, start = spent(), time.monotonic()
    found = work()
    return time.monotonic() - start, spent() - before, found


def processor_time(command, **options):
    return timed(lambda: checked(command, **options))[1]


def medians(rows, count=2):
    """Of the first numbers of each row."""
    return [statistics.median(row[at] for row in rows) for at in range(count)]


def compiler(path):
    return "clang-22" if Path(path).suffix == ".c" else "clang++-22"


def plugin(build, operators=()):
    """The flag, with operators that the source does not mark."""
    return [f"-fplugin={build}/lib/memshape", *(f"-fplugin-arg-memshape-operator={name}" for name in operators)]


def compilations(build):
    """(file below the root, words without ccache, folder) of each compilation of a build."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file, words = Path(entry["file"]).resolve(), shlex.split(entry["command"])
        if file.is_relative_to(ROOT):
            yield file.relative_to(ROOT), words[Path(words[0]).name == "ccache":], entry["directory"]


def clean_environment(**more):
    """Without memshape's own variables."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("MEMSHAPE_")}, **more}


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "---|" * len(cells), flush=True)


def verdict(met):
    return "met" if met else "MISSED"
