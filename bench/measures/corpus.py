# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions held against runs. A program calls its operator several times under a counter that is independent of
memshape (test/e2e/hostile/counting.c), on noise and on zeros; the calls behind the first are compared with the prediction: all
five figures of an exact one, the peak against its bounds otherwise, and the bytes of `tensors` against what the
arguments took. Used by typed and projects."""

import json
import subprocess
import sys
from dataclasses import dataclass, field

from .harness import BENCH, checked, head, row, run, timed

COUNTING = BENCH.parent / "test/e2e/hostile"
FIGURES = ("peak_bytes", "total_bytes", "allocations", "reallocations", "output_bytes")
KINDS = ("exact", "bounded", "no upper bound", "refused", "does not return")
#: Reasons that say nothing about heap bytes.
ALWAYS = ("resident", "machine")


@dataclass
class Shape:
    """What `predict` is given for --shape, --set and --assume, and the numbers that the program is given."""

    shape: str
    settings: str = ""
    assumed: str = ""
    numbers: list = field(default_factory=list)

    def options(self):
        given = {"--shape": self.shape, "--set": self.settings, "--assume": self.assumed}
        return [word for option, text in given.items() if text for word in (option, text)]


class Operator:
    def __init__(self, name, shapes, label=None, kinds=()):
        self.name, self.label, self.shapes, self.kinds = name, label or name, shapes, list(kinds) or ["noise", "zeros"]


def numbers_of(text):
    """The values of a=1,b=2."""
    return [pair.partition("=")[2].strip() for pair in text.split(",") if pair.strip()]


def counter(work):
    checked(["clang-22", "-O2", "-shared", "-fPIC", COUNTING / "counting.c", "-o", work / "libcount.so"])
    return [work / "libcount.so", f"-Wl,-rpath,{work}"]


def truths(program, operator, shape):
    """Of each kind of data the figures of the calls behind the first, none where one does not return; and the bytes of
    the arguments."""
    found, tensors = [], {}
    for kind in operator.kinds:
        try:
            done = run([program, operator.label, kind, *shape.numbers], timeout=300)
        except subprocess.TimeoutExpired:
            continue
        lines = [line.split() for line in done.stdout.splitlines()]
        calls = [tuple(map(int, words[1:])) for words in lines if words[:1] == ["counted"]]
        if done.returncode == 0 and len(calls) > 1:
            found += calls[1:]
            tensors.update({words[1]: int(words[2]) for words in lines if words[:1] == ["tensor"]})
    return found, tensors


def predict(build, operator, shape, files):
    """The answer, or none; the processor time that it took; and what was said where there is none."""
    command = [build / "bin/memshape", "predict", "--json", "--operator", operator.name, *files, *shape.options()]
    _, seconds, done = timed(lambda: run(command, timeout=600))
    return (json.loads(done.stdout) if done.returncode == 0 else None), seconds, done.stderr.strip()


def judge(answer, found):
    """The class of an answer, and what is wrong with it, or ""."""
    if answer is None:
        return "refused", ""
    heap = answer["heap"]
    if heap["exact"]:
        wrong = [name for i, name in enumerate(FIGURES) if any(call[i] != heap[name] for call in found)]
        return "exact", "WRONG " + " ".join(wrong) if wrong else ""
    upper = heap["upper_bytes"]
    left = any(call[0] < heap["lower_bytes"] or (upper is not None and call[0] > upper) for call in found)
    return "bounded" if upper is not None else "no upper bound", "LEFT" if left else ""


@dataclass
class Outcome:
    group: str
    operator: str
    kind: str
    wrong: str
    differ: list
    seconds: float


def compare(build, group, operator, shape, program, files):
    """Of one operator at one shape; prints a line."""
    found, taken = truths(program, operator, shape)
    answer, seconds, problem = predict(build, operator, shape, files)
    kind, wrong = judge(answer, found)
    said = {each["name"]: each.get("bytes") for each in (answer or {}).get("tensors", [])}
    differ = [f"{name}: {size}, not {taken[name]}" for name, size in said.items() if size is not None
              and taken.get(name, size) != size]
    heap = (answer or {}).get("heap", {})
    why = problem or "; ".join(each.get("text", each["code"]) for each in (answer or {}).get("reasons", [])
                               if each["code"] not in ALWAYS)
    kind = kind if found else "does not return"
    bounds = [heap.get(name) for name in ("lower_bytes", "peak_bytes", "upper_bytes")]
    print(f"{operator.name} {shape.shape}: {kind} {wrong} {'; '.join(differ)} {bounds}; true {found[:1]}, "
          f"{seconds:.1f} s {why[:300]}",
          file=sys.stderr, flush=True)
    return Outcome(group, operator.name, kind, wrong, differ, seconds)


def show(outcomes):
    """Counts of operators and shapes for each group. The status of the program: 1 where something was wrong."""
    head("", "operators", "shapes", *KINDS, "wrong with `exact`", "outside the bounds", "tensors differ",
         "s of the slowest")
    groups = list(dict.fromkeys(each.group for each in outcomes))
    for name in [*groups, "together"][:None if len(groups) > 1 else 1]:
        mine = [each for each in outcomes if name in (each.group, "together")]
        row(name, len({(each.group, each.operator) for each in mine}), len(mine),
            *(sum(each.kind == kind for each in mine) for kind in KINDS),
            *(sum(each.wrong.startswith(word) for each in mine) for word in ("WRONG", "LEFT")),
            sum(bool(each.differ) for each in mine),
            f"{max((each.seconds for each in mine), default=0):.1f}")
    return int(any(each.wrong for each in outcomes))
