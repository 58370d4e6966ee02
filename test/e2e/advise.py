#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape advise: of regressions rebuilt from public reports, the fix that was made is among the first three pieces of
advice, with exactly the peak that the fixed version is predicted and measured at."""

import json
import re

from bad_input import complaint
from toolchain import HERE, main

CASES = HERE / "advise"
FIRST = 3
SHAPES = ({"n": 300, "m": 40}, {"n": 57, "m": 130})
# How far the last block of a realloc in C, and of operator+ of strings, is written is not known: they get an upper bound.
BOUNDED = {"realloc_doubles", "string_concatenated"}


def shape_of(source, values):
    return ",".join(f"{name}={values[name]}" for name in ("n", "m") if f"long {name}" in source)


def measured(tools, path, source, values):
    """Bytes of a call of the fixed version, counted."""
    kind = re.search(r"fixed\(const (\w+) \*in", source)[1]
    arguments = "".join(f", {values[name]}" for name in ("n", "m") if f"long {name}" in source)
    program = tools.scratch / f"{path.stem}-main.cpp"
    program.write_text(f'#include "{path}"\nint main() {{\n  static {kind} in[1 << 16];\n  in[0] = in[1] = 1;\n'
                       f"  return fixed(in{arguments}) == 4711;\n}}\n")
    tools.build(*tools.compiler(path), tools.plugin, "-O2", *EIGEN, program, "-o", path.stem)
    done = tools.run(tools.bin / "memshape", "run", "--json", "run.json", "--", f"./{path.stem}")
    if done.returncode:
        raise AssertionError(f"{path.stem}: {done.stderr}")
    found = [each for each in json.loads((tools.scratch / "run.json").read_text())["calls"] if each["operator"] == "fixed"]
    return found[0]["heap"]["peak_bytes"]


def asked(tools, command, file, operator, shape, *options):
    done = tools.run(tools.bin / "memshape", command, file, "--operator", operator, "--shape", shape, *options, "--json")
    if done.returncode:
        raise AssertionError(f"{command} {file} {operator}: {done.stderr}")
    return json.loads(done.stdout)


def judged(tools, path):
    """Complaints about one case."""
    source = path.read_text()
    line, remedy = next((number, found[1]) for number, text in enumerate(source.splitlines(), 1)
                        if (found := re.search(r"// advice: (\w+)", text)))
    chunks = re.search(r"// chunks: (\S+)", source)
    options = ["--chunks", chunks[1]] if chunks else []
    tools.build(*tools.compiler(path), tools.plugin, "-O2", *EIGEN, "-c", path, "-o", f"{path.stem}.o")
    for values in SHAPES:
        shape = shape_of(source, values)
        answer = asked(tools, "advise", f"{path.stem}.o", "regressed", shape, *options)
        fixed = asked(tools, "predict", f"{path.stem}.o", "fixed", shape)["heap"]
        counted = measured(tools, path, source, values)
        at = [each for each, advice in enumerate(answer["advice"]) if (advice["line"], advice["remedy"]) == (line, remedy)]
        listed = "; ".join(f'{each["line"]} {each["remedy"]} {each["peak_bytes"]}' for each in answer["advice"])
        what = f"{path.stem} at {shape}: now {answer['peak_bytes']}, fixed {counted}, advice: {listed}"
        if not at or at[0] >= FIRST:
            yield f"{what}: {remedy} of line {line} is not among the first {FIRST}"
            continue
        advice = answer["advice"][at[0]]
        if not advice["peak_bytes"] == fixed["peak_bytes"] == counted:
            yield f"{what}: {advice['peak_bytes']} promised, {fixed['peak_bytes']} predicted"
        if not advice["exact"] or advice["peak_bytes"] + advice["saved_bytes"] != answer["peak_bytes"]:
            yield f"{what}: exact {advice['exact']}, saves {advice['saved_bytes']}"


EIGEN = ["-isystem", "/usr/include/eigen3"]

# One operator whose peak data decides, one with a thread's own buffers.
FURTHER = """
#include "case.h"
#include <vector>
OPERATOR double decided(const double *in, long n) {
  std::vector<double> picked, all(n);
  for (long i = 0; i < n; ++i)
    if (in[i] > 0)
      picked.push_back(in[i]);
  return picked[0] + all[n - 1];
}
OPERATOR void parted(const float *in, long n, float *out) {
#pragma omp parallel
  {
    std::vector<float> own(n, in[0]);
    for (long i = 0; i < n; ++i) own[i] += in[i];
#pragma omp critical
    for (long i = 0; i < n; ++i) out[i] += own[n - 1 - i];
  }
}
"""


def further(tools):
    """Complaints about SARIF, about what is no question, and about advice where little is proven."""
    (tools.scratch / "further.cpp").write_text(FURTHER)
    tools.build(*tools.compiler("further.cpp"), tools.plugin, "-O2", "-fopenmp", "-I", CASES, "-c", "further.cpp")
    ask = lambda *words: tools.run(tools.bin / "memshape", "advise", "further.o", *words)
    decided = asked(tools, "advise", "further.o", "decided", "n=1000")
    if decided["exact"] or any(each["exact"] for each in decided["advice"]) or not decided["notes"]:
        yield f"data decides: {decided}"
    parted = asked(tools, "advise", "further.o", "parted", "n=1000", "--threads", "4")
    if [(each["remedy"], each["peak_bytes"]) for each in parted["advice"]] != [("without", 0)]:
        yield f"four threads: {parted}"
    sarif = ask("--operator", "parted", "--shape", "n=1000", "--threads", "4", "--format", "sarif").stdout
    (result,) = json.loads(sarif)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    if (result["ruleId"], result["rank"], region["startLine"]) != ("memory-without", 100, parted["advice"][0]["line"]):
        yield f"SARIF: {sarif}"
    for words, wanted in ((["--operator", "parted", "--shape", "n=10", "--chunks", "k=4"], ["'k'"]),
                          (["--operator", "parted", "--shape", "n=10", "--chunks", "n=0"], ["'n'"]), (["--operator", "parted"], ["n"])):
        if wrong := complaint(f"advise {' '.join(words)}", ask(*words), wanted):
            yield wrong


def check(tools):
    found = {path.stem: list(judged(tools, path)) for path in sorted(CASES.glob("*.cpp"))}
    held = [name for name, complaints in found.items() if not complaints]
    print(f"{len(held)} of {len(found)} hold: {', '.join(held)}")
    complaints = [each for name, all in found.items() if name not in BOUNDED for each in all]
    return complaints + list(further(tools))


if __name__ == "__main__":
    main(check)
