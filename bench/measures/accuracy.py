# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the operators of bench/accuracy/operators with the flag, and at ten shapes each, of volumes up to 64 times the
smallest, makes one record (memshape.run/1, a line of JSON) of three things:

  a bare run        VmHWM of a fresh process, nothing preloaded
  a counted run     the heap peak of the one call, under `memshape run`
  a prediction      what `memshape predict` says, as the features of the record"""

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from .harness import BENCH, add_build, plugin
from .harness import run as started

FOLDER = BENCH / "accuracy"
SHAPES, GROWTH = 10, 64
CLEAN = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "OMP_NUM_THREADS": "1"}
# How far the sides of a shape lean away from the cube that has its volume: factors whose product is 1.
LEANS = [1.0, 1.3, 0.8, 1.1, 0.7, 1.2, 0.9, 1.45, 0.75, 1.0]


def arguments(parser):
    add_build(parser)
    parser.add_argument("--only", action="append", default=[], help="this operator alone")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER / "records.jsonl")


class Operator:
    """A file of operators/. The words behind `// accuracy:` say the library, the smallest shape, the elements of each
    tensor, and what the file is compiled and linked with."""

    def __init__(self, source):
        text = source.read_text()
        told = re.search(r"^// accuracy: (.*(?:\n// \S+=.*)*)$", text, re.M)[1].replace("\n// ", " ")
        words = dict(word.split("=", 1) for word in told.split())
        listed = lambda key: [word for word in words.get(key, "").split(",") if word]  # noqa: E731
        self.source, self.name, self.library = source, source.stem, words["library"]
        self.smallest, self.tensors = [int(each) for each in listed("smallest")], listed("tensors")
        self.flags, self.link = listed("flags"), listed("link")
        signature = re.search(r"^ACCURACY_OPERATOR \w+ \w+\((.*?)\) *\{", text, re.M | re.S)[1]
        self.parameters = [" ".join(each.split()) for each in signature.split(",")]
        self.symbols = [each.split()[-1] for each in self.parameters if "*" not in each]
        self.degree = int(words.get("degree", len(self.symbols)))

    def shapes(self):
        """Ten shapes, smallest volume first."""
        for turn in range(SHAPES):
            growth = (GROWTH ** (turn / (SHAPES - 1))) ** (1 / self.degree)
            lean, axes = LEANS[turn] if len(self.smallest) > 1 else 1.0, len(self.smallest)
            sides = [growth * (lean if axis == 0 else lean ** (-1 / (axes - 1))) for axis in range(axes)]
            yield dict(zip(self.symbols, [max(1, round(extent * side)) for extent, side in zip(self.smallest, sides)]))

    def driver(self):
        """The program that makes its tensors and calls it: constant ones are input."""
        lines, sizes = [f"  int {symbol} = J.extent();\n" for symbol in self.symbols], iter(self.tensors)
        for kind, name in (each.split("*") for each in self.parameters if "*" in each):
            way, element = "input" if kind.startswith("const") else "output", kind.replace("const", "").strip()
            lines.append(f"  {element} *{name} = J.{way}<{element}>(1l * {next(sizes)});\n")
        names = ", ".join(each.split()[-1].lstrip("*") for each in self.parameters)
        return (f'#include "{self.source}"\nint main(int, char **Arguments) {{\n  Job J(Arguments);\n{"".join(lines)}'
                f"  {self.name}({names});\n  return J.finish();\n}}\n")

    def build(self, build, scratch):
        main, program = scratch / f"{self.name}.cpp", scratch / self.name
        main.write_text(self.driver())
        run(["clang++-22", "-O2", "-std=c++20", "-w", *self.flags, f"-I{build}/include", *plugin(build), main, "-o",
             program,
             *self.link, "-lm"])
        return program


def operators(only=()):
    return [Operator(source) for source in sorted((FOLDER / "operators").glob("*.cpp")) if not only
            or source.stem in only]


def run(command, **more):
    done = started(command, timeout=300, **more)
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def features(answer):
    heap = answer["heap"]
    held = sorted((site["bytes_at_peak"] for site in answer["sites"]), reverse=True)
    return {"heap_bytes": heap["peak_bytes"], "heap_lower_bytes": heap["lower_bytes"],
            "heap_upper_bytes": heap["upper_bytes"],
            **{name: heap[name] for name in ("exact", "total_bytes", "allocations", "output_bytes", "one_time_bytes",
                                             "touched_bytes",
                                             "touched_with_tensors_bytes", "kept_bytes")},
            "called_code_bytes": answer["rss"]["called_code_bytes"], "largest_site_bytes": held[0] if held else 0,
            "sites": len(held),
            "decisions": len(answer["decisions"]),
            "unknown_calls": len([call for call in answer["unknown"] if call["treatment"] == "dropped"]),
            "replayed": "replay" in answer["method"]}


def ask(record, program, build):
    """Adds what a prediction says."""
    asked = ",".join(f"{name}={value}" for name, value in record["shape"].items())
    try:
        answer = json.loads(run([build / "bin/memshape", "predict", program, "--operator", record["operator"],
                                 "--shape", asked, "--json"],
                                env=CLEAN))
        if answer["formula"]["peak"]:
            record["footprint"] = {"formula": answer["formula"]["peak"]}
        record["features"] = features(answer)
    except RuntimeError as problem:
        print(f"{record['operator']} {asked}: {problem}", file=sys.stderr)


def records(operator, build, scratch):
    program = operator.build(build, scratch)
    loaded = len(set(re.findall(r"(/\S+) \(0x", run(["ldd", program]))))  # shared libraries, the loader among them
    for shape in operator.shapes():
        bare = json.loads(run([program, *shape.values()], env=CLEAN))
        counted = run([build / "bin/memshape", "run", "--json", "-", "--", program, *shape.values()], env=CLEAN)
        calls = [call for call in json.loads(counted.split("\n", 1)[1])["calls"] if call["operator"] == operator.name]
        if not calls:
            raise RuntimeError(f"{operator.name}: the call was not counted")
        record = {"schema": "memshape.run/1", "operator": operator.name, "library": operator.library, "shape": shape,
                  "held_bytes": bare["held_bytes"], "fresh_bytes": bare["fresh_bytes"],
                  "heap_peak_bytes": calls[0]["heap"]["peak_bytes"], "rss_peak_bytes": bare["rss_peak_bytes"]}
        ask(record, program, build)
        record["environment"] = {"compiler": "clang-22", "allocator": "glibc-" + platform.libc_ver()[1],
                                 "page": os.sysconf("SC_PAGE_SIZE"), "threads": 1, "process": "bare",
                                 "rss_start_bytes": bare["rss_start_bytes"], "libraries": loaded}
        yield record


def measure(use):
    scratch = Path("build/bench/accuracy").resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    by_operator = {}
    if use.output.exists() and use.only:
        for record in map(json.loads, use.output.read_text().splitlines()):
            by_operator.setdefault(record["operator"], []).append(record)
    for operator in operators(use.only):
        try:
            found = list(records(operator, use.build, scratch))
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            print(f"{operator.name}: left out: {problem}", file=sys.stderr)
            continue
        by_operator[operator.name] = sorted(found, key=lambda record: record["held_bytes"])
        print(f"{operator.name}: {len(found)} records", flush=True)
        use.output.write_text("".join(json.dumps(each) + "\n" for name in sorted(by_operator)
                                      for each in by_operator[name]))
    return 0
