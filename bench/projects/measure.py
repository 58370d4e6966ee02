#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measure.py PROJECT SOURCE [OPERATOR...] [--build BUILD] [--work FOLDER]

Compiles the units of a project, whose unpacked source is the folder SOURCE, with `operator=*`, and operators/PROJECT.c
beside them; predicts each of its operators at the shapes in the comment above it; calls it three times in a program
under count.c, on data and on zeros, and holds the second and third call against the prediction. Prints a line for each
shape and a row for the table of README.md; ends with 1 where an exact answer was wrong or a bound was left."""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
GSL = """err block vector matrix permutation combination sort fft wavelet histogram interpolation bspline linalg eigen blas
poly integration movstat filter statistics multifit spmatrix splinalg rstat sys cheb cblas complex sum""".split()
#: Flags, in which {s} is the source, and the units. A unit that does not compile by itself is a part of others.
PROJECTS = {
    "kissfft": ("-I{s}", ["kiss_fft*.c", "kfc.c"]),
    "zfp": ("-I{s}/include -I{s}/src", ["src/*.c"]),
    "seisunix": ("-std=gnu89 -I{s}/src/cwp/include", ["src/cwp/lib/*.c"]),
    "gsl": ("-DHAVE_CONFIG_H -I{s}", [f"{folder}/*.c" for folder in GSL]),
    "openjpeg": ("-DMUTEX_pthread -I{s}/src/lib/openjp2 -I{s}/build/src/lib/openjp2", ["src/lib/openjp2/*.c"]),
    "miniz": ("-I{s} -I{s}/build", ["miniz*.c"]),
    "stb": ("-I{s}", []),
    "lodepng": ("-I{s}", ["lodepng.cpp"]),
    "nanoflann": ("-I{s}/include", []),
    "leptonica": ("-DHAVE_CONFIG_H -I{s}/src", ["src/*.c"]),
}
LETTER = {"float": "f", "double": "d", "int": "i", "unsigned": "i", "unsigned char": "b"}
PROGRAM = """#include "count.h"
#include "tensor.h"
#include <stdio.h>
"""


class Operator:
    def __init__(self, spec, text):
        shapes, _, kinds = spec.partition(";")
        self.kinds = kinds.split() or ["noise", "zero"]
        self.shapes = [dict(pair.strip().split("=") for pair in shape.split(",")) for shape in shapes.split("|")]
        short = re.match(r"IMAGE\((\w+)", text)
        if short:
            self.result, self.name, parameters = "void ", short[1], "const unsigned char *in, int w, int h"
        else:
            self.result, self.name, parameters = re.match(r"(.*?)(\w+)\((.*?)\) *\{", text, re.S).groups()
        parts = [re.match(r"(.*?)(\w+)$", " ".join(each.split())).groups() for each in parameters.split(",")]
        self.parameters = [(kind.strip(), name) for kind, name in parts]
        self.symbols = [name for kind, name in self.parameters if "*" not in kind]

    def declaration(self):
        return f"{self.result}{self.name}({', '.join(kind + ' ' + name for kind, name in self.parameters)});\n"

    def branch(self):
        product = " * ".join(f"(double)shape[{i}]" for i in range(len(self.symbols))) or "1"
        arguments = []
        for kind, name in self.parameters:
            if "*" in kind:
                letter = LETTER[kind.replace("const", "").replace("*", "").strip()]
                arguments.append(f"({kind})tensor({product}, '{letter}', argv[2])")
            else:
                arguments.append(f"({kind})shape[{self.symbols.index(name)}]")
        kept = "".join(f"    void *a{i} = (void *){text};\n" for i, text in enumerate(arguments) if "tensor" in text)
        call = ", ".join(f"({self.parameters[i][0]})a{i}" if "tensor" in t else t for i, t in enumerate(arguments))
        return (f'  if (!strcmp(argv[1], "{self.name}")) {{\n{kept}    for (int call = 0; call < 3; ++call) {{\n'
                f"      count_begin();\n      {self.name}({call});\n      show(count_end());\n    }}\n    return 0;\n  }}\n")


def operators_of(path):
    found = re.finditer(r"^//@ (.*)\n((?:.*\n)+?)(?=^//@|\Z)", path.read_text(), re.M)
    return [Operator(each[1], each[2]) for each in found]


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def program(use, source, operators, flags, archive):
    suffix, compiler = source.suffix, "clang++-22" if source.suffix == ".cpp" else "clang-22"
    main, out = use.work / f"main{suffix}", use.work / "program"
    text = PROGRAM + "".join(each.declaration() for each in operators) + "int main(int argc, char **argv) {\n"
    text += "  long shape[8];\n  for (int i = 3; i < argc && i < 11; ++i)\n    shape[i - 3] = atol(argv[i]);\n"
    main.write_text(text + "".join(each.branch() for each in operators) + "  return 3;\n}\n")
    counter = use.work / "libcount.so"
    run(["clang-22", "-O2", "-shared", "-fPIC", HERE / "count.c", "-o", counter], check=True)
    link = [compiler, "-w", "-O1", f"-I{HERE}", main, use.work / "operators.o", *archive, counter, "-lm", "-lpthread",
            f"-Wl,-rpath,{use.work}", "-o", out]
    # Parts of the project that were not compiled are missing, and nothing here calls them.
    done = run([*link, "-Wl,--unresolved-symbols=ignore-in-object-files"])
    if done.returncode:
        sys.exit(done.stderr)
    return out


def truths(out, label, kinds, values):
    """Of each kind of data the figures of three calls; of kinds with which the operator does not return, none."""
    found = []
    for kind in kinds:
        try:
            done = run([out, label, kind, *values], timeout=120)
        except subprocess.TimeoutExpired:
            continue
        calls = [tuple(map(int, line.split()[1:])) for line in done.stdout.splitlines() if line.startswith("counted ")]
        if done.returncode == 0 and len(calls) == 3:
            found.append(calls)
    return found


def predict(use, name, files, options):
    """The heap of an answer, or none; the processor time that it took; and what was said where there is none."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run([use.build / "bin/memshape", "predict", "--json", "--operator", name, *files, *options], timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (json.loads(done.stdout)["heap"] if done.returncode == 0 else None), seconds, done.stderr.strip()


def judge(heap, found):
    """The class of an answer, and whether it is wrong or its bounds were left."""
    if heap is None:
        return "none", False, False
    later = [call for calls in found for call in calls[1:]]
    figures = tuple(heap[name] for name in ("peak_bytes", "total_bytes", "allocations", "reallocations", "output_bytes"))
    wrong = heap["exact"] and any(call != figures for call in later)
    upper = heap["upper_bytes"]
    left = any(call[0] < heap["lower_bytes"] or (upper is not None and call[0] > upper) for call in later)
    return "exact" if heap["exact"] else "bounded" if upper is not None else "no upper bound", wrong, left


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", choices=PROJECTS)
    parser.add_argument("source", type=Path)
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--work", type=Path)
    use = parser.parse_intermixed_args()
    use.source = use.source.resolve()
    use.work = (use.work or Path("projects") / use.project).resolve()
    (use.work / "objects").mkdir(parents=True, exist_ok=True)
    source = next((HERE / "operators").glob(f"{use.project}.c*"))
    flags, units = PROJECTS[use.project]
    flags = flags.format(s=use.source).split()

    def compiled(unit, out):
        compiler = "clang++-22" if unit.suffix == ".cpp" else "clang-22"
        plugin = [f"-fplugin={use.build}/lib/memshape", "-fplugin-arg-memshape-operator=*"]
        return run([compiler, "-O2", "-g", "-w", *flags, *plugin, "-c", unit, "-o", out]).returncode == 0

    jobs = {unit: use.work / "objects" / (str(unit.relative_to(use.source)).replace("/", "-") + ".o")
            for pattern in units for unit in use.source.glob(pattern)}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        built = list(pool.map(lambda job: job[1].exists() or compiled(*job), jobs.items()))
    objects = [out for out, well in zip(jobs.values(), built) if well]
    archive = [use.work / "lib.a"] if objects else []
    if objects:
        archive[0].unlink(missing_ok=True)
        run(["ar", "rcs", archive[0], *objects], check=True)
    if not compiled(source, use.work / "operators.o"):
        sys.exit(f"{source} does not compile against {use.source}")
    every = operators_of(source)
    out = program(use, source, every, flags, archive)

    counts, slowest, bad = {}, 0.0, 0
    for operator in every:
        if use.operators and operator.name not in use.operators:
            continue
        for shape in operator.shapes:
            found = truths(out, operator.name, operator.kinds, [shape[name] for name in operator.symbols])
            heap, seconds, problem = predict(use, operator.name, [use.work / "operators.o", *archive],
                                             ["--shape", ",".join(f"{name}={value}" for name, value in shape.items())])
            kind, wrong, left = judge(heap, found)
            kind = kind if found else "does not return"
            counts[kind] = counts.get(kind, 0) + 1
            slowest, bad = max(slowest, seconds), bad + (wrong or left)
            said = f"{heap['lower_bytes']} {heap['peak_bytes']} {heap['upper_bytes']}" if heap else problem[:120]
            print(f"{operator.name} {shape} {'WRONG ' * wrong}{'LEFT ' * left}{kind}: {said}; "
                  f"true {[calls[1][0] for calls in found]}, {seconds:.1f} s", flush=True)
    print(f"{use.project}: {counts}, {bad} wrong or outside, at most {slowest:.1f} s of processor time")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
