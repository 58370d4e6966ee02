#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of hostile_program.py are predicted, and run as a caller may run them: on many data, in several environments and at several
places in memory, with tensors that overlap, under each rounding mode, from other threads and parallel regions, in random sequences of
calls of several operators, by callers that write to all that they are given. An answer that calls itself exact must be equal to each
call that its process has made before; any other must hold all peaks within its bounds.

EACH=all of the environment has each source of hostile/sources stand alone in an operator, EACH=NAME this one or those of this file.
SEEDS ("100 140") asks for other programs than the few of the suite, WORKERS for as many at a time, SEQUENCES for as many an operator,
LEVEL for another -O, OUT for a folder where each wrong answer is written to as JSON, with its program; SHORTEN=1 for their operators
without the statements that do not matter."""

import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from hostile_program import COMMON, CPP, OPERATORS, Program
from toolchain import HERE, ROOT, main

HOSTILE = HERE / "hostile"
SHAPES = 2  # asked of each operator
SEQUENCES = int(os.environ.get("SEQUENCES", "16"))  # of each of its shapes in each environment
# Seconds of processor time that an answer may take, with a sanitizer and on the slowest machine, too: it counts its work.
PATIENCE = 60
MAY_BE = {"HOSTILE_VALUE": ["12345", "9", ""], "LC_ALL": ["C.UTF-8", "C", "en_US.UTF-8"], "TZ": ["America/New_York", "Asia/Kolkata", ":/etc/localtime"],
          "HOME": ["/"], "OMP_NUM_THREADS": ["1", "3", "5,2"], "OMP_THREAD_LIMIT": ["1", "2", "3"], "OMP_DYNAMIC": ["true"],
          "OMP_MAX_ACTIVE_LEVELS": ["0", "1", "3"], "OMP_SCHEDULE": ["dynamic,1", "guided"], "OMP_PROC_BIND": ["true"]}


def processor_seconds():
    """Of all that this process has started and that has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Said:
    """An answer, as predict.cpp prints it."""

    def __init__(self, line):
        exact, peak, self.lower, upper, total, allocations, environment = map(int, line.split())
        self.exact, self.by_environment = bool(exact), bool(environment)
        self.upper, self.figures = None if upper < 0 else upper, (peak, total, allocations)

    def complaint(self, seen):
        """What is wrong, in words and for counting, with the runs that show it. (-1, -1, -1) is a call that did not return: wrong where none did."""
        # Where a variable of the environment is named, the answer is for the one that memshape was run in.
        seen = {figures: where for (figures, is_plain), where in seen.items() if is_plain or not self.by_environment}
        if len(seen) > 1:
            seen = {figures: where for figures, where in seen.items() if figures[0] >= 0}
        if self.exact:
            wrong, words = {f: w for f, w in seen.items() if f != self.figures}, f"is said to need exactly {self.figures}"
        else:
            wrong = {f: w for f, w in seen.items() if 0 <= f[0] < self.lower or self.upper is not None and f[0] > self.upper}
            words = f"is said to lie between {self.lower} and {self.upper}"
        return ("exact" if self.exact else "bounds", words, wrong) if wrong else None


class Unit:
    """A program, compiled and linked in a folder of its own."""

    def __init__(self, tools, program, seed, folder):
        self.tools, self.folder, self.program, self.seed = tools, Path(folder), program, seed
        self.flags = program.write(folder)
        if "LEVEL" in os.environ:
            self.flags[0] = os.environ["LEVEL"]
        shown = random.Random(f"{seed}.{program.cpp}.units").random() < 0.6  # to memshape: the other units
        plugin = [tools.plugin, *(f"-fplugin-arg-memshape-operator={name}" for name in program.names)]
        openmp = ["-fopenmp"] * program.openmp
        started = processor_seconds()
        objects = [self.compile("operators", [*self.flags, *plugin]), self.compile("other", ["-O1", *openmp, *[tools.plugin] * shown]),
                   self.compile("third", ["-O1", *openmp, *[tools.plugin] * shown]), self.compile("table", ["-O1"])]
        tools.build(tools.clang / "clang++", *objects, tools.scratch / f"runner{program.openmp:d}.o", *openmp,
                    "-lm", *["-lmvec"] * ("-fveclib=libmvec" in self.flags), *["-ffast-math"] * program.fast, "-o", self.folder / "program")
        self.asked = self.folder / ("operators.o" if program.alone else "program")
        self.seconds = Counter(compile=processor_seconds() - started)
        self.runs = 0

    def compile(self, name, flags):
        source = next(self.folder.glob(f"{name}.c*"))
        self.tools.build(*self.tools.compiler(source), *flags, "-w", f"-I{HOSTILE}", "-c", source, "-o", self.folder / f"{name}.o", timeout=600)
        return self.folder / f"{name}.o"

    def told(self, questions):
        """For each its answer, or why there is none, and the seconds of processor time that it took. Where a question ends the asker, another one goes on."""
        started, answers = processor_seconds(), []
        lines = "".join(f"{operator} {n} {m}\n" for operator, n, m in questions)
        while len(answers) < len(questions):
            ran = self.tools.run(self.tools.scratch / "predict", self.asked, len(answers), input=lines, timeout=3600,
                                 environment={"MEMSHAPE_CACHE": str(self.folder / "cache"), "LD_LIBRARY_PATH": str(self.tools.lib)})
            for line in ran.stdout.splitlines():
                _, seconds, answer = line.split(" ", 2)
                answers.append((None, answer[2:], float(seconds)) if answer[0] == "-" else (Said(answer), "", float(seconds)))
            if len(answers) < len(questions):
                answers.append((None, "" if ran.returncode != 2 else ran.stderr.strip(), 0.0))
        self.seconds["predict"] += processor_seconds() - started
        return answers

    def environments(self):
        """Variables, and further arguments, of each."""
        draw = random.Random(f"{self.seed}.environments")
        return [({}, []), ({**{f"HOSTILE_{k}": "x" * k for k in range(30)}, "HOSTILE_VALUE": "9", "OMP_THREAD_LIMIT": "2"}, ["one"]),
                ({name: draw.choice(values) for name, values in MAY_BE.items() if draw.random() < 0.4}, ["x"] * draw.randrange(2, 9))]

    def play(self, number, sequences):
        """Runs the program in environment NUMBER."""
        environment, more = self.environments()[number]
        return self.tools.run(self.folder / "program", "asked", self.seed * 16 + number, sequences, *more, cwd=self.folder, timeout=3600,
                              environment={"LD_PRELOAD": str(self.tools.scratch / "libcounting.so"), "KMP_BLOCKTIME": "0", **environment})

    def sees_again(self, question, figures, where):
        """Whether the sequence shows that footprint when it is played once more: a thread of a library may free what it held at any time."""
        number, sequence = map(int, re.match(r"environment=(\d+),sequence=(\d+)", where).groups())
        call = "operator {} at n={},m={} ".format(*question)
        shown = re.compile(f"{re.escape(call)}.*: {' '.join(map(str, figures))}$", re.M)
        return figures[0] < 0 or any(shown.search(self.play(number, f"sequence={sequence}").stdout) for _ in range(4))

    def seen(self, questions):
        """For each the footprints of calls that its process had made before (peak, total, allocations), with the run that showed it."""
        started, found, broken = processor_seconds(), [{} for _ in questions], []
        (self.folder / "asked").write_text("".join(f"{operator} {n} {m}\n" for operator, n, m in questions))
        for number in range(len(self.environments())):
            ran = self.play(number, SEQUENCES * len(questions))
            broken += [ran.stderr.strip()] if ran.returncode or ran.stderr else []
            for line in ran.stdout.splitlines():
                question, *figures, changed, what = line.split()
                found[int(question)].setdefault((tuple(map(int, figures)), number == 0 and changed == "0"), f"environment={number},{what}")
            self.runs += SEQUENCES * len(questions)
        self.seconds["run"] += processor_seconds() - started
        return found, broken

    def measured(self, question):
        """What memshape run says of the same: peak, total and allocations of later calls."""
        out = self.folder / "run.json"
        (self.folder / "asked").write_text(" ".join(map(str, question)))
        self.tools.build(self.tools.bin / "memshape", "run", "--json", out, "--", self.folder / "program", self.folder / "asked", 1, "sequence=0", timeout=600)
        for call in json.loads(out.read_text())["calls"]:
            if call["operator"] == self.program.names[question[0]]:
                return tuple(call["warm"][what] for what in ("peak_bytes", "total_bytes", "allocations"))
        return None


def shortest(tools, seed, cpp, only, operator, shape):
    """The operator without the statements that its wrong answer can do without."""
    def wrong(lines):
        program = Program(seed, cpp, only)
        program.keep(operator, lines)
        with tempfile.TemporaryDirectory(dir=tools.scratch) as folder:
            unit = Unit(tools, program, seed, folder)
            said = unit.told([(0, *shape)])[0][0]
            return said and said.complaint(unit.seen([(0, *shape)])[0][0])
    kept = list(range(len(Program(seed, cpp, only).lines[operator])))
    if not wrong(kept):
        return "only among the others"
    for line in reversed(kept[:]):
        if len(kept) > 1 and wrong(rest := [k for k in kept if k != line]):
            kept = rest
    program = Program(seed, cpp, only)
    program.keep(operator, kept)
    return program.function(program.names[0], program.lines[0])


def examine(tools, seed, cpp, only=None):
    """One program: (counts, complaints)."""
    counts, complaints = Counter(), []
    with tempfile.TemporaryDirectory(dir=tools.scratch) as folder:
        try:
            unit = Unit(tools, Program(seed, cpp, only), seed, folder)
        except AssertionError as error:
            return counts, [{"kind": "build", "seed": seed, "cpp": cpp, "what": str(error)[:3000], "sources": [source.name for source in only or ()]}]
        draw = random.Random(f"{seed}.{cpp}.shapes")
        questions = [(operator, draw.randrange(1, 60), draw.randrange(1, 40)) for operator in range(len(unit.program.names)) for _ in range(SHAPES)]
        seen, broken = unit.seen(questions)
        complaints += [{"kind": "run", "seed": seed, "cpp": cpp, "what": what[:600]} for what in broken]
        for question, (said, error, seconds), footprints in zip(questions, unit.told(questions), seen):
            operator, *shape = question
            used = unit.program.used[operator]
            names = [source.name for source in used]
            about = {"seed": seed, "cpp": cpp, "operator": operator, "shape": shape, "sources": names, "flags": unit.flags, "alone": unit.program.alone}
            shaped = all("shape" in source.tags for source in used)
            counts += {"answers": 1, "shaped": shaped, "unanswered": not said, "rows": len(footprints)}
            if seconds > PATIENCE:
                complaints.append({"kind": "slow", "what": f"takes {seconds:.0f} seconds of a processor", **about})
            if not said:
                if not error:
                    complaints.append({"kind": "no answer", "what": "the asker ended", **about})
                counts[f"no answer: {error[:100]}"] += 1
                continue
            counts += {"exact": said.exact, "shaped exact": shaped and said.exact, "unbounded": said.upper is None,
                       **{f"use {name}": 1 for name in names}, **{f"exact {name}": said.exact for name in names}}
            wrong = said.complaint(footprints)
            if wrong and not any(unit.sees_again(question, *one) for one in wrong[2].items()):
                counts["not seen again"] += 1
                continue
            if said.exact and not wrong and not counts["measured"] and not unit.program.openmp:
                # Our own counting against the product's, once in a program.
                counts["measured"] += 1
                if (measured := unit.measured(question)) != said.figures:
                    complaints.append({"kind": "run", "what": f"is {said.figures}, memshape run says {measured}", **about})
            if wrong:
                kind, words, others = wrong
                counts += {f"wrong {kind}": 1, **{f"wrong {kind} {name}": 1 for name in names}}
                if "SHORTEN" in os.environ:
                    about["source"] = shortest(tools, seed, cpp, only, operator, shape)
                complaints.append({"kind": kind, "what": words, "runs": {" ".join(map(str, figures)): where for figures, where in list(others.items())[:6]},
                                   "of": len(others), **about})
        counts += {"operators": len(unit.program.names), "runs": unit.runs, **{f"seconds {what}": seconds for what, seconds in unit.seconds.items()}}
        if complaints and "OUT" in os.environ:
            shutil.copytree(folder, Path(os.environ["OUT"]) / f"{seed}.{'cpp' if cpp else 'c'}.{names[0]}", dirs_exist_ok=True)
    return counts, complaints


def prepare(tools):
    clang = [tools.clang / "clang", "-O2", "-w", "-frounding-math", f"-I{HOSTILE}"]
    tools.build(*clang, "-shared", "-fPIC", HOSTILE / "counting.c", "-o", tools.scratch / "libcounting.so")
    for openmp in 0, 1:
        tools.build(*clang, *["-fopenmp"] * openmp, "-c", HOSTILE / "runner.c", "-o", tools.scratch / f"runner{openmp}.o")
    tools.build(tools.clang / "clang++", "-std=c++20", f"-I{ROOT / 'libmemshape/include'}", HOSTILE / "predict.cpp", f"-L{tools.lib}", "-lmemshape",
                "-o", tools.scratch / "predict")


def in_words(one):
    where = f"seed {one['seed']} {'cpp' if one['cpp'] else 'c'}"
    if "operator" in one:
        where += f", op{one['operator']} at n={one['shape'][0]},m={one['shape'][1]} ({' '.join(one['flags'])}; {', '.join(one['sources'])})"
    return f"{one['kind']}: {where} {one['what']}" + (f", runs needed {one['runs']}" if "runs" in one else "")


def alone(cpp):
    """Which sources stand alone in one operator each: a list per program; None draws them."""
    if "EACH" not in os.environ:
        return [None]
    every = [source for source in COMMON + CPP * cpp if os.environ["EACH"] in ("all", source.file, source.name)]
    every, whole = [s for s in every if "program" not in s.tags], [[s] for s in every if "program" in s.tags]
    return [every[k:k + OPERATORS] for k in range(0, len(every), OPERATORS)] + whole


def check(tools):
    prepare(tools)
    first, last = map(int, os.environ.get("SEEDS", "1 2").split())
    total, complaints, started = Counter(), [], time.time()
    out = Path(os.environ["OUT"]) if "OUT" in os.environ else None
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("WORKERS", "1"))) as pool:
        work = [pool.submit(examine, tools, seed, cpp, only) for seed in range(first, last) for cpp in (False, True) for only in alone(cpp)]
        for done in concurrent.futures.as_completed(work):
            counts, found = done.result()
            total += counts
            complaints += found
            if out:
                with (out / "complaints.jsonl").open("a") as to:
                    to.writelines(json.dumps(one) + "\n" for one in found)
                (out / "counts.json").write_text(json.dumps(total, indent=1))
    spent = ", ".join(f"{what} {total[f'seconds {what}']:.0f}" for what in ("compile", "predict", "run"))
    print(f"{total['operators']} operators, {total['operators'] / (time.time() - started):.2f} a second ({spent} seconds of a processor), "
          f"{total['runs']} sequences of calls, {total['rows']} footprints: of {total['answers']} answers "
          f"{total['exact']} are exact, {total['unbounded']} have no upper bound, {total['unanswered']} were refused; of {total['shaped']} that "
          f"follow from the shape {total['shaped exact']} are exact")
    return [in_words(one) for one in complaints]


if __name__ == "__main__":
    main(check)
