#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One C and one C++ operator, -O0 to -O3, with and without -g, as object, shared library and executable: -fplugin alone gives features
and a skeleton, and the prediction is what the optimiser leaves of its allocations. Also: the switch that turns the plugin off."""

import json

from toolchain import main

C = """
#include <stdlib.h>
#include <string.h>
struct pyramid {
  int levels;
  float **level;
};
static struct pyramid *make(int n, int levels) {
  struct pyramid *p = malloc(sizeof *p);
  p->levels = levels;
  p->level = calloc(levels, sizeof *p->level);
  for (int l = 0; l < levels; ++l)
    p->level[l] = malloc((n >> l) * sizeof(float));
  return p;
}
static void destroy(struct pyramid *p) {
  for (int l = 0; l < p->levels; ++l)
    free(p->level[l]);
  free(p->level);
  free(p);
}
__attribute__((annotate("memshape.operator")))
float pyramid(const float *in, int n, int levels) {
  struct pyramid *p = make(n, levels);
  memcpy(p->level[0], in, n * sizeof(float));
  for (int l = 1; l < levels; ++l)
    for (int i = 0; i < n >> l; ++i)
      p->level[l][i] = p->level[l - 1][2 * i];
  float top = p->level[levels - 1][0];
  destroy(p);
  return top;
}
"""
CPP = """
#include <memory>
#include <vector>
__attribute__((annotate("memshape.operator")))
float pyramid(const float *in, int n, int levels) {
  std::vector<std::unique_ptr<float[]>> all;
  int length = n;
  for (int level = 0; level < levels; ++level) {
    all.emplace_back(new float[length]);
    for (int i = 0; i < length; ++i)
      all.back()[i] = level ? all[level - 1][2 * i] : in[i];
    length = length / 2;
  }
  return all.back()[0];
}
"""
MAIN_C = "\nint main(void) { float in[100] = {0}; return pyramid(in, 100, 4) != 0; }\n"
MAIN_CPP = MAIN_C.replace("void", "")
SHAPE = "n=100,levels=4"
LEVELS = 4 * (100 + 50 + 25 + 12)


def expected(suffix, level):
    """Peak and allocations: in C, pointers and the structure, which the optimiser does without; in C++, vectors of one, two
    and four pointers."""
    if suffix == ".cpp":
        return LEVELS + 4 * 8, 7
    return (LEVELS + 4 * 8 + 16, 6) if level == "-O0" else (LEVELS + 4 * 8, 5)


def look(tools, file, wanted):
    """What is wrong with an instrumented file, "" if nothing."""
    report = tools.run(tools.bin / "memshape-report", file, "--format", "json")
    if report.returncode:
        return f"memshape-report: {report.stderr.strip()}"
    if '"memshape.features/1"' not in report.stdout:
        return "no features"
    predict = tools.run(tools.bin / "memshape", "predict", file, "--shape", SHAPE, "--json")
    if predict.returncode:
        return f"memshape predict: {predict.stderr.strip()}"
    answer = json.loads(predict.stdout)
    found = (answer["heap"]["peak_bytes"], answer["heap"]["allocations"])
    if found != wanted:
        return f"peak and allocations {found}, expected {wanted}"
    if not answer["heap"]["exact"]:
        return "not exact"
    if not all(site["line"] for site in answer["sites"]):
        return "a site without a line"
    return ""


def check(tools):
    complaints = []
    for name, text in (("pyramid.c", C + MAIN_C), ("pyramid.cpp", CPP + MAIN_CPP)):
        source = tools.scratch / name
        source.write_text(text)
        for level in ("-O0", "-O1", "-O2", "-O3"):
            for debug in ([], ["-g"]):
                for kind, options in (("object", ["-c"]), ("library", ["-shared", "-fPIC"]), ("executable", [])):
                    what = f"{name} {level} {' '.join(debug)} {kind}"
                    file = tools.scratch / "out.o"
                    try:
                        tools.build(*tools.compiler(source), level, *debug, *options, tools.plugin, source, "-o", file)
                    except AssertionError as failed:
                        complaints.append(f"{what}: {failed}")
                        continue
                    wrong = look(tools, file, expected(source.suffix, level))
                    if wrong:
                        complaints.append(f"{what}: {wrong}")

        plain, off = tools.scratch / "plain.o", tools.scratch / "off.o"
        tools.build(*tools.compiler(source), "-c", "-O2", source, "-o", plain)
        switched_off = tools.run(*tools.compiler(source), "-c", "-O2", tools.plugin, source, "-o", off,
                                 environment={"MEMSHAPE_DISABLE": "1"})
        if switched_off.returncode or switched_off.stderr or plain.read_bytes() != off.read_bytes():
            complaints.append(f"{name}: MEMSHAPE_DISABLE=1 does not give the object that a plain compilation gives")
    return complaints


if __name__ == "__main__":
    main(check)
