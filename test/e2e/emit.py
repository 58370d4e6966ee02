#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape emit: headers compile without a warning in C and C++ with gcc and clang, and say of random shapes what predict
says, to the byte; the Python module says the same; largest_SYMBOL is the greatest such that it and all below it fit."""

import ctypes
import importlib.util
import json
import random
from concurrent.futures import ThreadPoolExecutor

from bad_input import complaint
from toolchain import ROOT, main

SOURCE = """
#include <string>
#include <vector>
#define OPERATOR __attribute__((annotate("memshape.operator")))
template <class V> void reversed(float *out, const V &a) {
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[a.size() - 1 - i];
}
template <class T> void copied(const float *in, std::size_t n, float *out) {
  std::vector<T> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = in[i];
  reversed(out, a);
}
namespace imaging {
OPERATOR void smooth(const float *in, int ni, int nx, int ns, float *out) {
  const std::size_t n = static_cast<std::size_t>(ni) * nx * ns;
  std::vector<float> copy(in, in + n), sums(n);
  for (std::size_t i = 0; i < n; ++i) sums[i] = copy[i] * 2;
  for (std::size_t i = 0; i < n; ++i) out[i] = sums[i];
}
}
OPERATOR void picks(const float *in, int ni, int nx, float *out) {
  const std::size_t n = static_cast<std::size_t>(ni) * nx;
  std::vector<float> copy(in, in + n);
  float sum = 0;
  for (float each : copy) sum += each;
  if (sum > 3) copied<double>(in, n, out);
  else reversed(out, copy);
}
OPERATOR std::vector<float> outer(const std::vector<float> &a, const std::vector<float> &b) {
  std::vector<float> result(a.size() * b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i * b.size() + j] = a[i] * b[j];
  return result;
}
OPERATOR std::vector<float> smoothed(const std::vector<float> &in, int times) {
  std::vector<float> result(in);
  for (int k = 0; k < times; ++k)
    for (std::size_t i = 1; i < in.size(); ++i) result[i] = (result[i] + result[i - 1]) / 2;
  return result;
}
OPERATOR void corner(const float *in, int n, int m, float *out) { copied<float>(in, std::size_t(n - 1) * (m - 1), out); }
OPERATOR void remainder16(const float *in, int n, float *out) { copied<float>(in, n % 16 + 1, out); }
OPERATOR void saw(const float *in, std::size_t n, float *out) { copied<float>(in, n % 7 + n, out); }
OPERATOR void parts(const float *in, int n, int m, float *out) { copied<float>(in, n / 4 + m / 3, out); }
OPERATOR void triangle(const float *in, int n, int m, float *out) { copied<double>(in, std::size_t(n) * (n + 1) / 2 + m, out); }
OPERATOR void cubes(const float *in, int memory, int lambda, float *out) {
  copied<float>(in, std::size_t(memory) * lambda * lambda * lambda, out);
}
OPERATOR void quotient(const float *in, int n, int b, float *out) { copied<float>(in, (n + b - 1) / b, out); }
OPERATOR void phases(const float *in, int n, int m, float *out) {
  copied<double>(in, n, out);
  copied<float>(in, 3 * std::size_t(m), out);
}
OPERATOR void capped(const float *in, int n, float *out) { copied<float>(in, n < 300 ? n : 300, out); }
OPERATOR void two(const float *in, int n, float *out) {
  if (n > 100) copied<double>(in, n, out);
  else copied<float>(in, n, out);
}
OPERATOR void power(const float *in, int n, float *out) {
  std::size_t size = 1;
  while (size < std::size_t(n)) size *= 2;
  copied<float>(in, size, out);
}
OPERATOR std::string doubled(const std::string &s) { return s + s; }
OPERATOR void scaled(const float *in, int n, double sigma, float *out) {
  std::vector<float> kernel(std::size_t(2 * static_cast<int>(3 * sigma) + 1), 1);
  std::vector<float> a(in, in + n);
  for (int i = 0; i < n; ++i) out[i] = a[n - 1 - i] * kernel[i % kernel.size()];
}
"""
OPERATORS = {"imaging::smooth": "", "picks": "", "outer": "", "smoothed": "", "corner": "", "remainder16": "", "saw": "",
             "parts": "", "triangle": "", "cubes": "", "quotient": "", "phases": "", "capped": "", "two": "", "power": "", "doubled": "",
             "scaled": "sigma=1.5"}
#: Of examples, with their settings.
EXAMPLES = {"gst3d.cpp": ("gst3d", "sigma=1.5"), "gaussian_smooth.cpp": ("gaussian_smooth", "sigma=2"),
            "moving_median.cpp": ("moving_median", ""), "wave2d.c": ("wave2d", "")}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
SHAPES = 12
NONE = 2**64 - 1


def compilers(tools):
    """A compiler of each kind, with the language that it is for."""
    return [("gcc", ["gcc", "-std=c99", "-x", "c"]), ("g++", ["g++", "-std=c++11", "-x", "c++"]),
            ("clang", [tools.clang / "clang", "-std=c99", "-x", "c"]),
            ("clang++", [tools.clang / "clang++", "-std=c++11", "-x", "c++"])]


def figures(tools, file, name, settings, shape):
    """What predict says; None where it says nothing."""
    command = [tools.bin / "memshape", "predict", file, "--operator", name, "--json", "--without-formulas", "--shape",
               ",".join(f"{symbol}={value}" for symbol, value in shape.items())]
    done = tools.run(*command, *(["--set", settings] if settings else []))
    if done.returncode:
        return None
    answer = json.loads(done.stdout)
    heap = answer["heap"]
    return {"peak": heap["peak_bytes"], "upper": heap["upper_bytes"], "output": heap["output_bytes"],
            "tensor": sum(each["bytes"] for each in answer["tensors"] if any(s.startswith(each["name"] + ".") for s in shape))}


class Emitted:
    """The functions of one operator in all languages."""

    def __init__(self, tools, file, name, settings, symbols):
        self.name = name.split("::")[-1]
        base = tools.scratch / f"{self.name}_memory"
        header, module = base.with_suffix(".h"), base.with_suffix(".py")
        for language, output in (("c", header), ("python", module)):
            command = [tools.bin / "memshape", "emit", file, "--operator", name, "--language", language, "-o", output,
                       *(["--set", settings] if settings else [])]
            tools.build(*command)
            tools.build(*command, "--check")
        text = header.read_text()
        self.parameters = self.declared(text, "upper_bytes")
        self.symbols = [each for each in symbols if self.identifier(each) in self.parameters]
        self.has_peak = f"{self.name}_peak_bytes" in text
        wrapper = base.with_suffix(".inc")
        wrapper.write_text(self.wrapper(header.name))
        self.libraries = {}
        for kind, compiler in compilers(tools):
            tools.build(*compiler, *WARNINGS, "-O2", "-fsyntax-only", header)
            library = tools.scratch / f"{self.name}-{kind}.so"
            tools.build(*compiler, *WARNINGS, "-Wconversion", "-Wsign-conversion", "-Wshadow", "-O2", "-shared", "-fPIC", wrapper,
                        "-o", library)
            self.libraries[kind] = ctypes.CDLL(str(library))
        spec = importlib.util.spec_from_file_location(base.name, module)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    @staticmethod
    def identifier(symbol):
        return {"lambda": "lambda_"}.get(symbol, symbol.replace(".", "_"))

    def declared(self, text, function):
        inside = text.split(f" {self.name}_{function}(")[1].split(")")[0]
        return [each.split()[-1] for each in inside.split(",") if each != "void"]

    def wrapper(self, header):
        lines = [f'#include "{header}"', "#ifdef __cplusplus", 'extern "C" {', "#endif"]
        given = ", ".join(f"int64_t {each}" for each in self.parameters)
        names = ", ".join(self.parameters)
        figures = ["upper", "output", "tensor"] + ["peak"] * self.has_peak
        functions = [("uint64_t", f"{each}_bytes", given, names) for each in figures] + [("int", "in_domain", given, names)]
        for each in self.parameters:
            others = [name for name in self.parameters if name != each]
            functions.append(("int64_t", f"largest_{each}", ", ".join(["uint64_t budget", *(f"int64_t {o}" for o in others)]),
                              ", ".join(["budget", *others])))
        for kind, function, parameters, arguments in functions:
            lines += [f"{kind} get_{function}({parameters});",
                      f"{kind} get_{function}({parameters}) {{ return {self.name}_{function}({arguments}); }}"]
        return "\n".join([*lines, "#ifdef __cplusplus", "}", "#endif", ""])

    def call(self, function, *arguments):
        """The value that all languages agree on; raises where they do not."""
        unsigned, values = function.endswith("_bytes"), {}
        for kind, library in self.libraries.items():
            of = getattr(library, f"get_{function}")
            of.restype = ctypes.c_uint64 if unsigned else ctypes.c_int if function == "in_domain" else ctypes.c_int64
            of.argtypes = [ctypes.c_uint64 if function.startswith("largest") and at == 0 else ctypes.c_int64
                           for at in range(len(arguments))]
            values[kind] = of(*arguments)
        found = getattr(self.module, f"{self.name}_{function}")(*arguments)
        values["python"] = NONE if unsigned and found is None else int(found)
        if len(set(values.values())) != 1:
            raise AssertionError(f"{self.name}_{function}{arguments}: {values}")
        return values["gcc"]


def drawn(draw, symbols, most):
    return {each: round(most ** draw.random()) for each in symbols}


def compare(tools, file, name, settings, symbols):
    complaints, draw = [], random.Random(name)
    emitted = Emitted(tools, file, name, settings, symbols)
    compared = 0
    for _ in range(40 * SHAPES):
        shape = drawn(draw, symbols, 1500)
        at = [shape[each] for each in emitted.symbols]
        if compared == SHAPES or not emitted.call("in_domain", *at):
            continue
        said = figures(tools, file, name, settings, shape)
        if said is None:
            complaints.append(f"{name} at {shape}: in the domain, and without an answer")
            continue
        compared += 1
        for figure, value in said.items():
            if figure != "peak" or emitted.has_peak:
                found = emitted.call(f"{figure}_bytes", *at)
                if found != (NONE if value is None else value):
                    complaints.append(f"{name}_{figure}_bytes at {shape}: {found}, predicted {value}")
    if compared < SHAPES:
        complaints.append(f"{name}: {compared} shapes are in the domain")
    for position, symbol in enumerate(emitted.symbols):
        for most in (40, 2000):
            at = [max(1, round(most ** draw.random())) for _ in emitted.symbols]
            complaints += largest(emitted, position, symbol, at)
    outside = [-1] * len(emitted.symbols)
    if outside and emitted.call("upper_bytes", *outside) != NONE:
        complaints.append(f"{name}: negative extents have a value")
    huge = [2**31 - 1] * len(emitted.symbols)
    if len(huge) > 2 and emitted.call("upper_bytes", *huge) != NONE:
        complaints.append(f"{name}: what does not fit has a value")
    return complaints


def largest(emitted, position, symbol, at):
    """Memory for a value of the symbol: that of the value, of the one before it, or a byte less."""
    name = emitted.identifier(symbol)
    others = at[:position] + at[position + 1:]
    upper = lambda value: emitted.call("upper_bytes", *at[:position], value, *at[position + 1:])
    complaints = []
    for memory in {upper(at[position]), max(upper(at[position]) - 1, 0), 0}:
        if memory == NONE:
            continue
        found = emitted.call(f"largest_{name}", memory, *others)
        fits = lambda value: upper(value) <= memory
        tried = range(1, found + 1) if found < 3000 else [1, 2, 3, found // 3, found // 2, found - 1, found]
        if not all(fits(value) for value in tried):
            complaints.append(f"{emitted.name}_largest_{name}({memory}, {others}) = {found}: a smaller one does not fit")
        if found < 2**63 - 1 and fits(found + 1):
            complaints.append(f"{emitted.name}_largest_{name}({memory}, {others}) = {found}: the next fits, too")
    return complaints


def symbols_of(tools, file):
    report = json.loads(tools.run(tools.bin / "memshape", "report", file, "--format", "json").stdout)
    return {each["operator"]: each["shape_symbols"] for unit in report for each in unit["operators"]}


def refusals(tools, file):
    command = [tools.bin / "memshape", "emit", file]
    missing = tools.scratch / "none.h"
    stale = tools.scratch / "stale.h"
    stale.write_text("/* */\n")
    complaints = []
    for wrong, status, words in (
            ([], 2, ["--operator"]), (["--operator", "nothing"], 2, ["nothing"]), (["--operator", "scaled"], 2, ["sigma"]),
            (["--operator", "two", "--check"], 2, ["--output"]), (["--operator", "two", "--language", "cobol"], 2, ["cobol"]),
            (["--operator", "two", "-o", stale, "--check"], 1, ["stale.h"]),
            (["--operator", "two", "-o", missing, "--check"], 1, ["none.h"])):
        complaints.append(complaint(f"emit {wrong}", tools.run(*command, *wrong), words, status))
    complaints = [each for each in complaints if each]
    if missing.exists() or stale.read_text() != "/* */\n":
        complaints.append("--check has written")
    return complaints


def check(tools):
    source, file = tools.scratch / "operators.cpp", tools.scratch / "operators.o"
    source.write_text(SOURCE)
    tools.build(*tools.compiler(source), "-O2", tools.plugin, "-c", source, "-o", file)
    wanted = [(file, name, settings) for name, settings in OPERATORS.items()]
    for example, (name, settings) in EXAMPLES.items():
        made = (tools.scratch / example).with_suffix(".example.o")
        tools.build(*tools.compiler(example), "-O2", tools.plugin, f"-I{ROOT}/runtime/include", "-c",
                    ROOT / "examples" / example, "-o", made)
        wanted.append((made, name, settings))
    symbols = {each: symbols_of(tools, each) for each in {file for file, _, _ in wanted}}
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda each: compare(tools, *each, symbols[each[0]][each[1]]), wanted))
    return [line for lines in found for line in lines] + refusals(tools, file)


if __name__ == "__main__":
    main(check)
