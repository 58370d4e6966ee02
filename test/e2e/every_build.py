#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One C and one C++ operator, -O0 to -O3, with and without -g, as object, shared library and executable: -fplugin alone gives features
and a skeleton, and the prediction is the same number everywhere. Also: the switch that turns the plugin off."""

import json

from toolchain import main

C = """
#include <stdlib.h>
__attribute__((annotate("memshape.operator")))
int smooth(const float *in, int rows, int columns, float *out) {
  double *window = malloc((size_t)columns * sizeof(double));
  float *copy = malloc((size_t)rows * columns * sizeof(float));
  if (!window || !copy)
    return -1;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      window[c] = in[r * columns + c] + (r ? 0.5 * window[c] : 0);
      copy[r * columns + c] = (float)window[c];
    }
  for (int i = 0; i < rows * columns; ++i)
    out[i] = copy[i];
  free(window);
  free(copy);
  return 0;
}
"""
CPP = """
#include <vector>
__attribute__((annotate("memshape.operator")))
void smooth(const float *in, int rows, int columns, float *out) {
  std::vector<double> window(columns);
  std::vector<float> copy(static_cast<std::size_t>(rows) * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      window[c] = in[r * columns + c] + 0.5 * window[c];
      copy[r * columns + c] = static_cast<float>(window[c]);
    }
  for (std::size_t i = 0; i < copy.size(); ++i)
    out[i] = copy[i];
}
"""
MAIN_C = "\nint main(void) { float in[6] = {0}, out[6]; return smooth(in, 2, 3, out); }\n"
MAIN_CPP = "\nint main() { float in[6] = {0}, out[6]; smooth(in, 2, 3, out); return 0; }\n"
ROWS, COLUMNS = 301, 97
EXPECTED = 8 * COLUMNS + 4 * ROWS * COLUMNS


def look(tools, file):
    """What is wrong with an instrumented file, "" if nothing."""
    report = tools.run(tools.bin / "memshape-report", file, "--format", "json")
    if report.returncode:
        return f"memshape-report: {report.stderr.strip()}"
    if '"memshape.features/1"' not in report.stdout:
        return "no features"
    predict = tools.run(tools.bin / "memshape", "predict", file, "--shape", f"rows={ROWS},columns={COLUMNS}", "--json")
    if predict.returncode:
        return f"memshape predict: {predict.stderr.strip()}"
    answer = json.loads(predict.stdout)
    if answer["heap"]["peak_bytes"] != EXPECTED:
        return f"peak {answer['heap']['peak_bytes']}, expected {EXPECTED}"
    if not answer["heap"]["exact"]:
        return "not exact"
    if not all(site["line"] for site in answer["sites"]):
        return "a site without a line"
    return ""


def check(tools):
    complaints = []
    for name, text in (("smooth.c", C + MAIN_C), ("smooth.cpp", CPP + MAIN_CPP)):
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
                    wrong = look(tools, file)
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
