#!/usr/bin/python3
# ===- hostile_operators.py - Nothing outside the shape changes what is exact  #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Programs of hostile_program.py are predicted, and run as a caller may run them: on many data, in several environments and at several
places in memory, with tensors that overlap, under each rounding mode, between calls of others. An answer that calls itself exact must
be equal to the second and to each later call of every run; any other must hold all peaks within its bounds.

EACH=all of the environment has each source of hostile_sources.py stand alone in an operator, EACH=NAME this one.
SEEDS ("100 140") asks for other programs than the few of the suite, WORKERS for as many at a time, LEVEL for
another -O, OUT for a folder where each wrong answer is written to as JSON, SHORTEN=1 for their operators without the
statements that do not matter."""

import concurrent.futures
import json
import os
import random
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from hostile_program import COMMON, CPP, OPERATORS, Program
from toolchain import HERE, main

HOSTILE = HERE / "hostile"
ENVIRONMENTS = [{}, {"HOSTILE_VALUE": "12345", "LC_ALL": "C.UTF-8", "TZ": "America/New_York", "HOME": "/"},
                {**{f"HOSTILE_{k}": "x" * k for k in range(30)}, "HOSTILE_VALUE": "9"}]

# Seconds of processor time that an answer may take, with a sanitizer and on the slowest machine, too: it counts its work.
PATIENCE = 60

QUIET = "data=1,laid=0,caller=0,between=0,rounding=0,changing=0"


class Unit:
    """A program, compiled and linked in a folder of its own."""

    def __init__(self, tools, program, seed, folder):
        self.tools, self.folder, self.program, self.runs = tools, Path(folder), program, 0
        cpp = program.cpp
        self.suffix = "cpp" if cpp else "c"
        flags = program.write(folder)
        if "LEVEL" in os.environ:
            flags[0] = os.environ["LEVEL"]
        self.flags = flags
        choose = random.Random(f"{seed}.{cpp}.units")
        self.plugin = [tools.plugin, *(f"-fplugin-arg-memshape-operator={name}" for name in program.names)]
        # Whether memshape is shown the other unit, and whether it is asked about the whole program or about the object alone.
        shown, self.alone = choose.random() < 0.6, choose.random() < 0.3
        self.compile("operators", [*flags, *self.plugin])
        self.compile("other", ["-O1", *([tools.plugin] if shown else [])])
        tools.build(tools.clang / "clang", "-O1", "-w", "-frounding-math", f"-I{HOSTILE}", "-c", self.folder / "table.c", "-o", self.folder / "table.o")
        tools.build(tools.clang / "clang++", self.folder / "operators.o", self.folder / "other.o", self.folder / "table.o", tools.scratch / "runner.o",
                    "-lm", *(["-lmvec"] if "-fveclib=libmvec" in flags else []), *(["-ffast-math"] if "-ffast-math" in flags else []), "-o", self.folder / "program")
        self.asked = self.folder / ("operators.o" if self.alone else "program")

    def compile(self, name, flags):
        source = self.folder / f"{name}.{self.suffix}"
        self.tools.build(*self.tools.compiler(source), *flags, "-w", f"-I{HOSTILE}", "-c", source, "-o", self.folder / f"{name}.o",
                         timeout=600)

    def told(self, operator, shape):
        """The answer, or why there is none, and the seconds of processor time that it took."""
        command = [self.tools.bin / "memshape", "predict", self.asked, "--operator", self.program.names[operator], "--shape", f"n={shape[0]},m={shape[1]}", "--json",
                   "--without-formulas"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMSHAPE_")} | {"MEMSHAPE_CACHE": "off"}
        with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as error:
            asked = subprocess.Popen(list(map(str, command)), stdout=answer, stderr=error, cwd=self.folder, env=environment)
            _, status, used = os.wait4(asked.pid, 0)  # with all that it has started
            asked.returncode = os.waitstatus_to_exitcode(status)
            seconds = used.ru_utime + used.ru_stime
            for file in (answer, error):
                file.seek(0)
            if asked.returncode == 0:
                return json.loads(answer.read()), "", seconds
            return None, error.read().decode(errors="replace").strip(), seconds

    def seen(self, operator, shape, environments):
        """Footprints of second and later calls (peak, total, allocations), each with the run that showed it."""
        found, broken = {}, []
        for number, environment in enumerate(environments):
            ran = self.tools.run(self.folder / "program", operator, *shape,
                                 environment={"LD_PRELOAD": str(self.tools.scratch / "libcounting.so"), **environment})
            if ran.returncode:
                broken.append(ran.stderr.strip())
            for line in ran.stdout.splitlines():
                if line.startswith("in "):
                    self.runs += int(line.split()[1])
                    continue
                *figures, scenario = line.split()
                found.setdefault(tuple(map(int, figures)), f"environment={number},{scenario}")
        return found, broken

    def measured(self, operator, shape):
        """What memshape run says of the same: peak, total and allocations of later calls."""
        out = self.folder / "run.json"
        self.tools.build(self.tools.bin / "memshape", "run", "--json", out, "--", self.folder / "program", operator, *shape, QUIET, timeout=600)
        for call in json.loads(out.read_text())["calls"]:
            if call["operator"] == self.program.names[operator]:
                return tuple(call["warm"][what] for what in ("peak_bytes", "total_bytes", "allocations"))
        return None


def complaint(told, seen):
    """What is wrong, in words and for counting, with the runs that show it."""
    heap = told["heap"]
    if any(fact["name"].startswith("$") for fact in told["machine"]):
        # A variable of the environment is named: the answer is for the one that memshape was run in.
        seen = {figures: where for figures, where in seen.items() if where.startswith("environment=0,") and "caller=0,between=0" in where}
    if heap["exact"]:
        said = (heap["peak_bytes"], heap["total_bytes"], heap["allocations"])
        others = {figures: where for figures, where in seen.items() if figures != said}
        return ("exact", f"is said to need exactly {said}", others) if others else None
    least, most = heap["lower_bytes"], heap["upper_bytes"]
    others = {figures: where for figures, where in seen.items() if figures[0] < least or most is not None and figures[0] > most}
    return ("bounds", f"is said to lie between {least} and {most}", others) if others else None


def shortest(tools, seed, cpp, only, operator, shape):
    """The operator without the statements that its wrong answer can do without."""
    def wrong(lines):
        program = Program(seed, cpp, only)
        program.keep(operator, lines)
        with tempfile.TemporaryDirectory(dir=tools.scratch) as folder:
            unit = Unit(tools, program, seed, folder)
            told, _, _ = unit.told(0, shape)
            seen, broken = unit.seen(0, shape, ENVIRONMENTS)
            return not broken and told and complaint(told, seen)
    kept = list(range(len(Program(seed, cpp, only).lines[operator])))
    if not wrong(kept):
        return "only among the others"
    for line in reversed(kept[:]):
        if len(kept) > 1 and wrong(rest := [k for k in kept if k != line]):
            kept = rest
    program = Program(seed, cpp, only)
    program.keep(operator, kept)
    text = program.function(program.names[0], program.lines[0])
    return "\n".join([*(line for line in program.before if any(f"{name}(" in line and f"{name}(" in text for name in [line.split("(PARAMETERS)")[0].split()[-1]])), text])


def examine(tools, seed, cpp, only=None):
    """One program: (counts, complaints)."""
    counts, complaints = Counter(), []
    with tempfile.TemporaryDirectory(dir=tools.scratch) as folder:
        try:
            unit = Unit(tools, Program(seed, cpp, only), seed, folder)
        except AssertionError as error:
            return counts, [{"kind": "build", "seed": seed, "cpp": cpp, "what": str(error)[:3000], "sources": [source.name for source in only or ()]}]
        draw = random.Random(f"{seed}.{cpp}.shapes")
        for operator, used in enumerate(unit.program.used):
            shape = (draw.randrange(1, 60), draw.randrange(1, 40))
            names = [source.name for source in used]
            about = {"seed": seed, "cpp": cpp, "operator": operator, "shape": shape, "sources": names, "flags": unit.flags, "alone": unit.alone}
            told, error, seconds = unit.told(operator, shape)
            if seconds > PATIENCE:
                complaints.append({"kind": "slow", "what": f"takes {seconds:.0f} seconds of a processor", **about})
            shaped = all("shape" in source.tags for source in used)
            counts["operators"] += 1
            counts["shaped"] += shaped
            seen, broken = unit.seen(operator, shape, ENVIRONMENTS)
            counts["runs"], unit.runs = counts["runs"] + unit.runs, 0
            if broken:
                complaints.append({"kind": "run", "what": broken[0][:300], **about})
                continue
            if not told:
                counts["unanswered"] += 1
                complaints.append({"kind": "no answer", "what": error, **about}) if "Traceback" in error or not error else None
                counts[f"no answer: {error[:100]}"] += 1
                continue
            counts["exact"] += told["heap"]["exact"]
            counts["shaped exact"] += shaped and told["heap"]["exact"]
            counts["unbounded"] += told["heap"]["upper_bytes"] is None
            for name in names:
                counts[f"use {name}"] += 1
                counts[f"exact {name}"] += told["heap"]["exact"]
            said = tuple(told["heap"][what] for what in ("peak_bytes", "total_bytes", "allocations"))
            wrong = complaint(told, seen)
            if told["heap"]["exact"] and not wrong and not counts["measured"]:
                # Our own counting against the product's, once in a program.
                counts["measured"] += 1
                if (measured := unit.measured(operator, shape)) != said:
                    complaints.append({"kind": "run", "what": f"is {said}, memshape run says {measured}", **about})
            if wrong:
                kind, words, others = wrong
                if "SHORTEN" in os.environ:
                    about["source"] = shortest(tools, seed, cpp, only, operator, shape)
                complaints.append({"kind": kind, "what": words, "runs": {" ".join(map(str, figures)): where for figures, where in list(others.items())[:6]},
                                   "of": len(others), **about})
    return counts, complaints


def prepare(tools):
    tools.build(tools.clang / "clang", "-O2", "-shared", "-fPIC", HOSTILE / "counting.c", "-o", tools.scratch / "libcounting.so")
    tools.build(tools.clang / "clang", "-O1", "-w", "-frounding-math", f"-I{HOSTILE}", "-c", HOSTILE / "runner.c", "-o", tools.scratch / "runner.o")


def in_words(one):
    where = f"seed {one['seed']} {'cpp' if one['cpp'] else 'c'}"
    if "operator" in one:
        where += f", op{one['operator']} at n={one['shape'][0]},m={one['shape'][1]} ({' '.join(one['flags'])}; {', '.join(one['sources'])})"
    return f"{one['kind']}: {where} {one['what']}" + (f", runs needed {one['runs']}" if "runs" in one else "")


def alone(cpp):
    """Which sources stand alone in one operator each: a list per program; None draws them."""
    if "EACH" not in os.environ:
        return [None]
    every = [source for source in COMMON + CPP * cpp if os.environ["EACH"] in ("all", source.name)]
    return [every[k:k + OPERATORS] for k in range(0, len(every), OPERATORS)]


def check(tools):
    prepare(tools)
    first, last = map(int, os.environ.get("SEEDS", "1 2").split())
    total, complaints = Counter(), []
    out = Path(os.environ["OUT"]) if "OUT" in os.environ else None
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("WORKERS", "1"))) as pool:
        work = [pool.submit(examine, tools, seed, cpp, only) for seed in range(first, last) for cpp in (False, True) for only in alone(cpp)]
        for done in concurrent.futures.as_completed(work):
            counts, found = done.result()
            total += counts
            complaints += found
            if out:
                with (out / "complaints.jsonl").open("a") as to:
                    to.writelines(json.dumps(one) + "\n" for one in found)
                (out / "counts.json").write_text(json.dumps(total, indent=1))
    print(f"{total['operators']} operators, {total['runs']} runs: {total['exact']} answers are exact, {total['unbounded']} have no upper bound, "
          f"{total['unanswered']} were refused; of {total['shaped']} that follow from the shape {total['shaped exact']} are exact")
    return [in_words(one) for one in complaints]


if __name__ == "__main__":
    main(check)
