#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measure.py [FILE | OPERATOR]... [--build BUILD] [--work FOLDER] [--csv OUT] [--compiler clang++-22] [--small]
[--built] [--compile-time RUNS]

Compiles the operators of operators/FILE with memshape's flag, and beside them a program without it that builds their
arguments as the comments above each operator say; calls each twice at three shapes, on noise and on zeros, under an
independent counter; predicts it at these shapes; and holds the second call against the prediction. Prints a line for
each operator and shape, and a table. Ends with 1 where an exact answer was wrong or a bound was left."""

import argparse
import csv
import json
import os
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ITK = """ITKCommon ITKStatistics ITKTransform ITKFFT ITKConvolution ITKSmoothing ITKMathematicalMorphology ITKImageFeature
ITKFastMarching itkvnl_algo itkvnl itkv3p_netlib itksys""".split()
#: What a file of operators is compiled and linked with.
LIBRARIES = {
    "eigen": (["-I/usr/include/eigen3"], []),
    "armadillo": ([], ["-larmadillo"]),
    "blitz": ([], ["-lblitz"]),
    "dlib": ([], ["-ldlib", "-lblas", "-llapack"]),
    "itk": (["-fgnuc-version=12.2", "-I/usr/include/ITK-5.2"], [f"-l{name}-5.2" for name in ITK]),
    "opencv": (["-I/usr/include/opencv4"], ["-lopencv_imgproc", "-lopencv_core"]),
    "threads": (["-fopenmp"], ["-fopenmp"]),
    "vigra": (["-std=c++17"], ["-lvigraimpex"]),
}
#: Headers of Debian 12 that clang 22 refuses: file, the file that it is made from, what is replaced in it by what.
REPAIRS = [
    ("/usr/include/vigra/multi_iterator_coupled.hxx", None, "--this;", "--*this;"),
    ("/usr/include/ITK-5.2/itk_compiler_detection.h", None, "#  if ITK_COMPILER_IS_GNU\n",
     "#  if ITK_COMPILER_IS_GNU || ITK_COMPILER_IS_Clang\n"),
    ("/usr/include/blitz/llvm/bzconfig.h", "/usr/include/blitz/gnu/bzconfig.h", "", ""),
]
FIGURES = ("peak_bytes", "total_bytes", "allocations", "reallocations", "output_bytes")
#: Reasons that say nothing about heap bytes.
ALWAYS = ("resident", "machine")
COLUMNS = ["file", "operator", "tags", "shape", "class", "verdict", "peak", "total", "requests", "reallocations", "left",
           "predicted_peak", "lower", "upper", "tensors", "seconds", "because"]


class Operator:
    """One operator of a file: the lines `//@ KEY VALUE` above it, and its source."""

    def __init__(self, source, lines, first_line, text):
        self.source, self.first_line, self.text = source, first_line, text
        said = [line.split(None, 1) for line in lines]
        take = lambda key: [value.strip() for found, value in said if found == key]
        self.name = take("operator")[0]
        self.tags = " ".join(take("tags")).split()
        self.kinds = " ".join(take("data")).split() or ["noise", "zeros"]
        self.settings = ",".join(take("set"))
        self.shapes = [dict(pair.strip().split("=") for pair in shape.split(",")) for shape in take("shapes")[0].split("|")]
        self.steps = [(key, value) for key, value in said if key in ("let", "do", "call")]
        self.declaration = " ".join(take("declare"))

    def driver(self):
        """Statements that build the arguments and make the call; $NAME is a symbol of the shape."""
        number = {name: f"shape[{i}]" for i, name in enumerate(self.shapes[0])}
        names = sorted(number, key=len, reverse=True)
        text = ""
        for key, value in self.steps:
            for name in names:
                value = value.replace("$" + name, number[name])
            if key == "let":
                argument, expression = value.split("=", 1)
                text += f"      TYPED_ARGUMENT({argument.strip()}, {expression.strip()});\n"
            elif key == "do":
                text += f"      {value.strip()}\n"
            else:
                text += f"      typed::counted([&]() -> decltype(auto) {{ return {value.strip()}; }});\n"
        return (f'  if (!std::strcmp(argv[1], "{self.name}")) {{\n    for (int call = 0; call < 2; ++call) {{\n{text}'
                "    }\n    return 0;\n  }\n")


def operators_of(path):
    """What stands above the first operator of a file, and its operators."""
    lines = path.read_text().splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.startswith("//@ operator ")]
    found = []
    for at, end in zip(starts, starts[1:] + [len(lines)]):
        body = at
        while lines[body].startswith("//@ "):
            body += 1
        found.append(Operator(path, [line[4:].rstrip("\n") for line in lines[at:body]], body + 1, "".join(lines[body:end])))
    return "".join(lines[: starts[0]]), found


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def overlay(work):
    """A view of the file system in which the headers of REPAIRS are as clang accepts them."""
    roots = []
    for number, (name, source, old, new) in enumerate(REPAIRS):
        if Path(source or name).exists():
            fixed = work / f"header{number}.h"
            fixed.write_text(Path(source or name).read_text().replace(old, new) if old else Path(source or name).read_text())
            roots.append({"type": "file", "name": name, "external-contents": str(fixed)})
    (work / "overlay.yaml").write_text(json.dumps({"version": 0, "use-external-names": False, "roots": roots}))
    return ["-ivfsoverlay", work / "overlay.yaml"]


def declarations(operator):
    """The operator as the program that calls it sees it: its text up to the body."""
    return (operator.declaration or operator.text[: re.search(r"\s*\{", operator.text).start()] + ";") + "\n"


def compile_time(use, name, plain, plugin):
    """Medians of the seconds without the flag and with it; the two ways alternate."""
    ways = {False: [], True: []}
    for _ in range(use.compile_time):
        for way, times in ways.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run([*plain, *(plugin if way else [])], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    without, with_flag = (statistics.median(times) for times in ways.values())
    print(f"{name}: compiled in {without:.2f} s, with the flag {with_flag:.2f} s, x {with_flag / without:.2f}", flush=True)


def build(use, path, preamble, operators):
    """The program that calls the operators; None where a header of the library is not there."""
    stem, is_c = path.stem, path.suffix == ".c"
    flags, libraries = LIBRARIES.get(stem, ([], []))
    common = ["-O2", "-w", *flags, *use.overlay, f"-I{use.build.parents[1]}/runtime/include"]
    unit, main = use.work / f"{stem}{path.suffix}", use.work / f"{stem}-driver.cpp"
    parts = "".join(f'#line {each.first_line} "{path.name}"\n{each.text}' for each in operators)
    unit.write_text(f'#line 1 "{path.name}"\n{preamble}{parts}')
    includes = "".join(re.findall(r"^ *#.*\n", preamble, re.M))
    rest = re.sub(r"^ *#.*\n", "", preamble, flags=re.M) if is_c else preamble
    declared = "".join(declarations(each) for each in operators if each.declaration != "none")
    if is_c:
        rest, declared = f'{includes}extern "C" {{\n{rest}', declared + "}\n"
    main.write_text(f'{rest}{declared}#include "driver.h"\nint main(int argc, char **argv) {{\n  long shape[8];\n'
                    "  typed::zeros = !std::strcmp(argv[2], \"zeros\");\n"
                    "  for (int i = 3; i < argc && i < 11; ++i)\n    shape[i - 3] = std::atol(argv[i]);\n"
                    + "".join(each.driver() for each in operators) + "  return 3;\n}\n")
    plugin = [f"-fplugin={use.build}/lib/memshape", *(f"-fplugin-arg-memshape-operator={each.name}" for each in operators)]
    if use.built:
        return use.work / stem
    compiler = use.compiler.replace("++", "") if is_c else use.compiler
    out, counter = use.work / stem, use.work / "libcount.so"
    standard = "-std=c11" if is_c else "-std=c++20"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    plain = [compiler, standard, *common, "-c", unit, "-o", f"{out}.o"]
    if use.compile_time:
        return compile_time(use, path.name, plain, plugin)
    steps = [[*plain, *plugin],
             [use.compiler, "-std=c++20", *common, f"-I{HERE}", "-c", main, "-o", f"{out}-driver.o"],
             [use.compiler, f"{out}.o", f"{out}-driver.o", counter, f"-Wl,-rpath,{use.work}", *libraries, "-lpthread", "-o", out]]
    for step in steps:
        done = run(step)
        missing = re.search("fatal error: '(.*)' file not found", done.stderr)
        if missing:
            print(f"{path.name}: left out: there is no {missing[1]}; docs/dependencies.md names its package", flush=True)
            return None
        if done.returncode:
            sys.exit(f"{' '.join(map(str, step))}\n{done.stderr[:4000]}")
    print(f"{path.name}: built in {resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before:.1f} s", flush=True)
    return out


def truth(program, operator, shape, kind):
    """The figures of the second call, and the bytes of each argument."""
    done = run([program, operator.name, kind, *shape.values()], timeout=300)
    if done.returncode:
        return None, {}
    calls = [list(map(int, line.split()[1:])) for line in done.stdout.splitlines() if line.startswith("counted ")]
    arguments = {line.split()[1]: int(line.split()[2]) for line in done.stdout.splitlines() if line.startswith("tensor ")}
    return calls[-1], arguments


def predict(use, program, operator, shape):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    given = ",".join(f"{name}={value}" for name, value in shape.items() if not name.startswith("_"))
    done = run([use.build / "bin/memshape", "predict", "--json", "--operator", operator.name, program, "--shape", given,
                *(["--set", operator.settings] if operator.settings else [])], timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (json.loads(done.stdout) if done.returncode == 0 else None), seconds, done.stderr.strip()


def judge(answer, found):
    """The class of an answer and what is wrong with it, or ""."""
    if answer is None:
        return "refused", ""
    heap = answer["heap"]
    if heap["exact"]:
        wrong = [name for i, name in enumerate(FIGURES) if any(call[i] != heap[name] for call in found)]
        return "exact", "WRONG " + " ".join(wrong) if wrong else ""
    upper = heap["upper_bytes"]
    left = any(call[0] < heap["lower_bytes"] or (upper is not None and call[0] > upper) for call in found)
    return "bounded" if upper is not None else "no upper bound", "LEFT" if left else ""


def row_of(use, program, operator, shape):
    found, arguments = [], {}
    for kind in operator.kinds:
        call, arguments = truth(program, operator, shape, kind)
        found += [call] if call else []
    answer, seconds, problem = predict(use, program, operator, shape)
    kind, verdict = judge(answer, found)
    if not found:
        kind = "does not return"
    tensors = {each["name"]: each.get("bytes") for each in (answer or {}).get("tensors", [])}
    other = [f"{name}: {size}, not {arguments[name]}" for name, size in tensors.items()
             if size is not None and name in arguments and size != arguments[name]]
    heap = (answer or {}).get("heap", {})
    true = found[0] if found else [None] * 5
    told = [each for each in (answer or {}).get("reasons", []) if each["code"] not in ALWAYS]
    because = problem or "; ".join(each.get("text", each["code"]) for each in told)
    shown = ",".join(f"{name}={value}" for name, value in shape.items())
    return dict(zip(COLUMNS, [operator.source.stem, operator.name, " ".join(operator.tags), shown, kind, verdict, *true,
                              heap.get("peak_bytes"), heap.get("lower_bytes"), heap.get("upper_bytes"),
                              "; ".join(other) or ("equal" if tensors else ""), f"{seconds:.1f}", because[:300]]))


def show(rows):
    """Counts of operators and shapes, for each file."""
    kinds = ["exact", "bounded", "no upper bound", "refused", "does not return"]
    print("\n| file | operators | shapes | " + " | ".join(kinds) + " | wrong with `exact` | outside the bounds | tensors differ |")
    files = list(dict.fromkeys(row["file"] for row in rows))
    for name in [*files, "together"]:
        mine = [row for row in rows if name in (row["file"], "together")]
        counts = [sum(row["class"] == kind for row in mine) for kind in kinds]
        wrong, left = (sum(row["verdict"].startswith(word) for row in mine) for word in ("WRONG", "LEFT"))
        differ = sum(row["tensors"] not in ("", "equal") for row in mine)
        cells = [name, len({row["operator"] for row in mine}), len(mine), *counts, wrong, left, differ]
        print("| " + " | ".join(map(str, cells)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--work", type=Path, default=Path("build/bench/typed"))
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--compiler", default="clang++-22")
    parser.add_argument("--small", action="store_true", help="without the last shape of each operator")
    parser.add_argument("--built", action="store_true", help="with the programs that an earlier run left in FOLDER")
    parser.add_argument("--compile-time", type=int, metavar="RUNS", help="only print what the flag costs at compile time")
    use = parser.parse_args()
    use.work, use.build = use.work.resolve(), use.build.resolve()
    use.work.mkdir(parents=True, exist_ok=True)
    use.overlay = overlay(use.work)
    run(["clang-22", "-O2", "-shared", "-fPIC", HERE.parent / "projects/count.c", "-o", use.work / "libcount.so"], check=True)
    rows = []
    for path in sorted((HERE / "operators").iterdir()):
        preamble, operators = operators_of(path)
        if use.names and path.stem not in use.names:
            operators = [each for each in operators if each.name in use.names]
        if not operators:
            continue
        program = build(use, path, preamble, operators)
        if use.compile_time or not program:
            continue
        for operator in operators:
            for shape in operator.shapes[: 2 if use.small else 3]:
                row = row_of(use, program, operator, shape)
                rows.append(row)
                print(f"{row['operator']} {row['shape']}: {row['class']} {row['verdict']} {row['lower']} "
                      f"{row['predicted_peak']} {row['upper']}; true {[row[name] for name in COLUMNS[6:11]]}, tensors "
                      f"{row['tensors'] or '-'}, {row['seconds']} s {row['because']}", flush=True)
    if rows:
        show(rows)
    if use.csv:
        with use.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 1 if any(row["verdict"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
