#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measure.py TOOLKIT [--nvcc NVCC] [--compilers clang-22,clang-19,nvcc-19] [--build BUILD] [--work FOLDER] [FILE...]

Compiles operators/*.cu with the plugin against the CUDA toolkit in the folder TOOLKIT; calls each operator three times
on the test device (device/) and predicts it, with and without a word about the device. The figures of each memory space
are held against what calls two and three handed in; an answer without a word about the device is held against a second
device, too. Prints a row for the table of README.md for each operator and compiler; ends with 1 where an exact answer
was wrong or a bound was left."""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECTS = HERE.parent / "projects"
SPACES = ["device", "pinned", "managed"]
#: What --machine says of the test device, and another one, of which nobody tells.
TOLD = "sm=132,cc=90,ptx=80,pitch=512,gpus=1"
OTHER = {"DEVICE_SM": "40", "DEVICE_CC": "75", "DEVICE_PITCH": "256", "DEVICE_OCCUPANCY": "2"}
LETTER = {"float": "f", "int": "i", "unsigned": "i"}


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


class Operator:
    def __init__(self, shapes, text):
        self.shapes = [dict(pair.strip().split("=") for pair in shape.split(",")) for shape in shapes.split("|")]
        self.result, self.name, parameters = re.match(r'extern "C" (.*?)(\w+)\((.*?)\)', text, re.S).groups()
        self.parameters = [re.match(r"(.*?)(\w+)$", " ".join(each.split())).groups() for each in parameters.split(",")]
        self.symbols = [name for kind, name in self.parameters if kind == "int "]

    def branch(self):
        product = " * ".join(f"(double)shape[{i}]" for i in range(len(self.symbols)))
        values, kinds = [], []
        for kind, name in self.parameters:
            kinds.append("int" if kind == "int " else "void *")
            if kind == "int ":
                values.append(f"(int)shape[{self.symbols.index(name)}]")
            elif "*" in kind:
                values.append(f"tensor({product}, '{LETTER[kind.replace('const', '').strip(' *')]}', \"noise\")")
            else:
                values.append("handle()")
        kept = "".join(f"    {kind} a{i} = {value};\n" for i, (kind, value) in enumerate(zip(kinds, values)))
        return (f'void {self.name}({", ".join(kinds)});\n',
                f'  if (!strcmp(argv[1], "{self.name}")) {{\n{kept}    for (int call = 0; call < 3; ++call) {{\n'
                f"      begin();\n      {self.name}({', '.join(f'a{i}' for i in range(len(values)))});\n      end();\n"
                "    }\n    return 0;\n  }\n")


MAIN = """#include "device/device.h"
#include "tensor.h"
int cublasCreate_v2(void **handle);
static void *handle(void) {
  void *made;
  cublasCreate_v2(&made);
  return made;
}
static void begin(void) { count_begin(), device_begin(); }
static void end(void) {
  const struct device_count there = device_end();
  const struct count here = count_end();
  printf("%lld", (long long)here.peak);
  for (int space = 0; space < DEVICE_SPACES; ++space)
    printf(" %lld", (long long)there.peak[space]);
  printf("\\n");
}
"""


def operators_of(path):
    return [Operator(*pair) for pair in re.findall(r"^//@ (.*)\n(extern[^{]*)", path.read_text(), re.M)]


def compile_unit(use, compiler, unit, out):
    """The command that compiled unit, "" where none did."""
    version = compiler.split("-")[1]
    plugin = [f"-fplugin={use.build}/lib/memshape-{version}-plugin.so", "-fplugin-arg-memshape-operator=*"]
    if compiler.startswith("nvcc"):
        ways = [[use.nvcc, "-ccbin", f"clang++-{version}", "-arch=sm_80", "-Xcompiler", ",".join(plugin)]]
    else:
        clang = [f"clang++-{version}", "-x", "cuda", f"--cuda-path={use.toolkit}", "--cuda-gpu-arch=sm_80",
                 "-Wno-unknown-cuda-version", *plugin]
        ways = [clang, [*clang, "--cuda-host-only"]]
    problem = ""
    for way in ways:
        done = run([*way, "-O2", "-g", "-w", "-c", unit, "-o", out])
        if done.returncode == 0:
            return "host only" if way[-1] == "--cuda-host-only" else "whole"
        problem = done.stderr
    print(f"{compiler} does not compile {unit.name}: {problem.strip().splitlines()[0] if problem else ''}")
    return ""


def build_program(use, operators, compiler, unit, unit_object):
    parts = [operator.branch() for operator in operators]
    main = use.work / f"main-{unit.stem}.c"
    main.write_text(MAIN + "".join(declaration for declaration, _ in parts) +
                    "int main(int argc, char **argv) {\n  long shape[8];\n  for (int i = 2; i < argc && i < 10; ++i)\n"
                    "    shape[i - 2] = atol(argv[i]);\n" + "".join(body for _, body in parts) + "  return 3;\n}\n")
    made = use.work / f"main-{unit.stem}.o"
    run(["clang-22", "-w", "-O1", f"-I{HERE}", f"-I{PROJECTS}", "-c", main, "-o", made], check=True)
    out = use.work / f"{unit.stem}-{compiler}"
    done = run([f"clang++-{compiler.split('-')[1]}", made, unit_object, use.work / "libcudart.so", use.work / "libcount.so",
                f"-Wl,-rpath,{use.work}", "-o", out])
    if done.returncode:
        sys.exit(done.stderr)
    return out


def truths(out, operator, shape, device):
    """What calls two and three handed in, by space; "host" among them."""
    done = run([out, operator.name, *(shape[name] for name in operator.symbols)], timeout=300,
               env={**os.environ, **device})
    rows = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    if done.returncode or len(rows) != 3:
        sys.exit(f"{operator.name} does not return: {done.returncode} {done.stderr}")
    return [dict(zip(["host", *SPACES], row)) for row in rows[1:]]


def predict(use, operator, shape, unit_object, told):
    done = run([use.build / "bin/memshape", "predict", "--json", "--operator", operator.name, unit_object,
                "--shape", ",".join(f"{name}={value}" for name, value in shape.items()),
                *(["--machine", told] if told else [])], timeout=600)
    return (json.loads(done.stdout)["spaces"] if done.returncode == 0 else None), done.stderr.strip()


def judge(spaces, found):
    """Spaces in which an exact answer is wrong or a bound is left."""
    bad = []
    for space in ["host", *SPACES]:
        said = spaces.get(space, {"peak_bytes": 0, "lower_bytes": 0, "upper_bytes": 0, "exact": True})
        for truth in (each[space] for each in found):
            upper = said["upper_bytes"]
            if truth < said["lower_bytes"] or (upper is not None and truth > upper) or (
                    said["exact"] and truth != said["peak_bytes"]):
                bad.append(space)
                break
    return bad


def described(spaces, problem):
    """Of the spaces of the device: bytes, with `exact`, the bounds, or why there is no answer."""
    if spaces is None:
        return "refused: " + re.sub(r"^memshape: ", "", problem)[:160]
    parts = []
    for space in SPACES:
        if (said := spaces.get(space)) and (said["peak_bytes"] or not said["exact"]):
            upper = "no bound" if said["upper_bytes"] is None else str(said["upper_bytes"])
            kind = "exact" if said["exact"] else f"{said['lower_bytes']} to {upper}"
            parts.append(f"{space} {said['peak_bytes']} {kind}")
    return "; ".join(parts) or "nothing, " + ("exact" if spaces["host"]["exact"] else "not exact")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkit", type=Path)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--nvcc", type=Path)
    parser.add_argument("--compilers", default="clang-22,clang-19,nvcc-19")
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--work", type=Path, default=Path("devices"))
    use = parser.parse_intermixed_args()
    use.work = use.work.resolve()
    use.work.mkdir(parents=True, exist_ok=True)
    run(["clang-22", "-O1", "-w", "-shared", "-fPIC", "-I", use.toolkit / "include", *HERE.glob("device/*.c"), "-o",
         use.work / "libcudart.so", "-Wl,-soname,libcudart.so"], check=True)
    run(["clang-22", "-O2", "-shared", "-fPIC", PROJECTS / "count.c", "-o", use.work / "libcount.so",
         "-Wl,-soname,libcount.so"], check=True)
    wrong = 0
    for unit in sorted(HERE.glob("operators/*.cu")):
        if use.files and unit.name not in use.files:
            continue
        for compiler in use.compilers.split(","):
            if compiler.startswith("nvcc") and not use.nvcc:
                continue
            unit_object = use.work / f"{unit.stem}-{compiler}.o"
            how = compile_unit(use, compiler, unit, unit_object) if not unit_object.exists() else "whole"
            if not how:
                continue
            operators = operators_of(unit)
            out = build_program(use, operators, compiler, unit, unit_object)
            for operator in operators:
                for shape in operator.shapes:
                    truth, other = truths(out, operator, shape, {}), truths(out, operator, shape, OTHER)
                    told, problem = predict(use, operator, shape, unit_object, TOLD)
                    untold, why = predict(use, operator, shape, unit_object, "")
                    bad = (judge(told, truth) if told else []) + (judge(untold, truth + other) if untold else [])
                    wrong += bool(bad)
                    real = ", ".join(f"{space} {truth[0][space]}" for space in SPACES if truth[0][space])
                    at = ", ".join(f"{name}={value}" for name, value in shape.items())
                    print(f"| {operator.name} | {compiler} | {at} | {real or 'nothing'} | {described(told, problem)} | "
                          f"{described(untold, why)} |{' WRONG: ' + ', '.join(bad) if bad else ''}", flush=True)
    print(f"{wrong} wrong or outside")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
