#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Baselines are the same bytes wherever they are made; what a user sets stays; operators come and go; what thirty
of them take is printed; what is printed has the forms that its readers expect. With --sarif-schema the log is held against
OASIS' schema."""

import json
import re
import resource
import sys
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from toolchain import main  # noqa: E402

SCHEMA = None
if "--sarif-schema" in sys.argv:
    at = sys.argv.index("--sarif-schema")
    SCHEMA = json.loads(Path(sys.argv[at + 1]).read_text())
    del sys.argv[at:at + 2]

HEAD = '#include <vector>\n#include <unistd.h>\n#define OPERATOR __attribute__((annotate("memshape.operator")))\n'
ONE = """OPERATOR void smooth(const float *in, int rows, int columns, double sigma, float *out) {
  std::vector<float> all(in, in + long(rows) * columns);
  std::vector<double> weights(long(6 * sigma) + 1, 1 / sigma);
  for (long n = 0; n < long(rows) * columns; ++n)
    out[n] = all[n] * float(weights[n % weights.size()]);
}
"""
OVERLOADED = """OPERATOR void scale(const float *in, int n, float *out) {
  std::vector<float> copy(in, in + n);
  for (int i = 0; i < n; ++i)
    out[i] = copy[n - 1 - i];
}
OPERATOR void scale(const double *in, int n, double *out) {
  std::vector<double> copy(in, in + n);
  for (int i = 0; i < n; ++i)
    out[i] = copy[n - 1 - i];
}
"""
MACHINE = """OPERATOR void per_processor(const float *in, int n, float *out) {
  std::vector<float> parts(n * sysconf(_SC_NPROCESSORS_ONLN), in[0]);
  out[0] = parts[n / 2];
}
"""

# Which phase is the greatest depends on the ratio of extents, and there are more pieces than a formula has.
PHASES = """OPERATOR void phases(const float *in, int a, int b, int c, int d, float *out) {
  std::vector<float> *list = new std::vector<float>((long(a) * a / 3 + 7 * b) | 5, in[0]);
  out[0] = (*list)[a];
  FIRST
  std::vector<float> *other = new std::vector<float>((40L * d) | 3, in[1]);
  out[1] = (*other)[b];
  LAST
  delete other;
  std::vector<float> third((long(b) * c / 7 + 3L * a) | 9, in[2]);
  out[2] = third[c];
}
"""


class Bench:
    def __init__(self, tools):
        self.tools = tools

    def build(self, name, text, *options):
        """The object of text, in a folder of its own."""
        folder = self.tools.scratch / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "filters.cpp").write_text(HEAD + text)
        self.tools.build(*self.tools.compiler("a.cpp"), "-O2", *options, self.tools.plugin, "-c", folder / "filters.cpp", "-o",
                         folder / "filters.o")
        return folder / "filters.o"

    def check(self, *arguments, **environment):
        kept = {"MEMSHAPE_CACHE": str(self.tools.scratch / "cache")}
        return self.tools.run(self.tools.bin / "memshape", "check", *arguments, environment={**kept, **environment})


def same_bytes(bench, expect):
    locks = []
    for name, environment in (("here", {}), ("far/away/from/there", {"MEMSHAPE_CACHE": "off"}),
                              ("here", {"OMP_NUM_THREADS": "3", "TZ": "Asia/Tokyo", "LC_ALL": "C", "COLUMNS": "40"})):
        built = bench.build(name, ONE + OVERLOADED + MACHINE)
        lock = bench.tools.scratch / f"{len(locks)}.lock"
        done = bench.check("--baseline", lock, "--update", built, **environment)
        expect(done.returncode == 0, "no baseline", done.stderr)
        locks.append(lock.read_bytes())
    expect(len(set(locks)) == 1, "baselines differ", "\n".join(text.decode() for text in locks))
    told = json.loads(locks[0])
    expect(list(told["operators"]) == ["per_processor", "scale(double const*, int, double*)", "scale(float const*, int, float*)", "smooth"],
           "operators are called otherwise", str(list(told["operators"])))
    expect(b"/" not in re.sub(rb'"(code|condition|peak|total)": "[^"]*"', b"", locks[0]).replace(b"memshape.lock/1", b""),
           "a path in the baseline", locks[0].decode())
    expect(told["operators"]["per_processor"]["peak"] == "16*n", "not the machine of the baseline",
           str(told["operators"]["per_processor"]))
    done = bench.check("--baseline", bench.tools.scratch / "0.lock", "--update", bench.tools.scratch / "here/filters.o")
    expect((bench.tools.scratch / "0.lock").read_bytes() == locks[0], "an update of the same build changes it", done.stdout)


def phases(bench, expect):
    freed, lock = "delete list;", bench.tools.scratch / "phases.lock"
    done = bench.check("--baseline", lock, "--update", bench.build("phases", PHASES.replace("FIRST", freed).replace("LAST", "")))
    rows = json.loads(lock.read_text())["operators"]["phases"]["at"]
    expect(done.returncode == 0 and len(rows) == 3 + 2 * 4, f"{len(rows)} reference shapes", lock.read_text())
    done = bench.check("--baseline", lock, bench.build("late", PHASES.replace("FIRST", "").replace("LAST", freed)))
    expect(done.returncode == 1, "a block that lives longer where another phase decides passes", done.stdout)
    done = bench.check("--baseline", lock, bench.tools.scratch / "phases/filters.o")
    expect(done.returncode == 0 and not done.stderr, "the same build differs", done.stdout)


def what_was_set_stays(bench, expect):
    built, lock = bench.build("set", ONE), bench.tools.scratch / "set.lock"
    done = bench.check("--baseline", lock, "--update", "--shape", "rows=300,columns=200", "--shape", "smooth:rows=3,columns=5",
                       "--set", "sigma=2.5", "--tolerance", "1%", "--tolerance", "smooth=5%", "--machine", "l2=524288", built)
    told = json.loads(lock.read_text())
    op = told["operators"]["smooth"]
    expect(done.returncode == 0 and [row["shape"] for row in op["at"]] == [{"rows": 3, "columns": 5}, {"rows": 300, "columns": 200}],
           "other reference shapes", done.stderr + str(op))
    before = lock.read_bytes()
    done = bench.check("--baseline", lock, "--update", built)
    expect(lock.read_bytes() == before, "an update forgets what was set", lock.read_text())
    expect(op["settings"] == ["sigma=2.5"] and op["tolerance"] == "5%" and told["tolerance"] == "1%"
           and told["machine"]["l2"] == 524288, "settings are not kept", str(told))
    more = bench.build("more", ONE.replace("all(in, in + long(rows) * columns);", "all(in, in + long(rows) * columns + 10 * rows);"))
    done = bench.check("--baseline", lock, more)
    expect(done.returncode == 1, "growth beyond the tolerance passes", done.stdout)
    expect(bench.check("--baseline", lock, "--tolerance", "smooth=300%", more).returncode == 0, "a tolerance is not heard")
    # A higher degree is not tolerated; less is no regression.
    worse = bench.build("worse", ONE.replace("all(in, in + long(rows) * columns);",
                                             "all(in, in + long(rows) * columns);\n  std::vector<float> square(long(rows) * rows * columns, in[0]);\n  out[0] = square[rows];"))
    done = bench.check("--baseline", lock, "--tolerance", "1000%", worse)
    expect(done.returncode == 1 and "degree-growth" in done.stdout, "a higher degree is tolerated", done.stdout)
    less = bench.build("less", ONE.replace("std::vector<double> weights", "std::vector<float> weights"))
    done = bench.check("--baseline", lock, less)
    expect(done.returncode == 0 and "--update keeps that" in done.stdout, "less is not told", done.stdout)


def operators_come_and_go(bench, expect):
    both, lock = bench.build("both", ONE + MACHINE), bench.tools.scratch / "both.lock"
    bench.check("--baseline", lock, "--update", both)
    done = bench.check("--baseline", lock, bench.build("one", ONE))
    told = [line for line in done.stdout.splitlines() if "per_processor" in line]
    expect(done.returncode == 1 and len(told) == 1 and "not in these files" in told[0], "a lost operator is not told", done.stdout)
    done = bench.check("--baseline", lock, bench.build("three", ONE + MACHINE + OVERLOADED))
    expect(done.returncode == 1 and done.stdout.count("[new-operator]") == 2, "new operators are not told", done.stdout)
    done = bench.check("--baseline", lock, bench.build("renamed", (ONE + MACHINE).replace("smooth", "soften")))
    expect(done.returncode == 0 and "was called 'smooth'" in done.stdout, "a renamed operator is none", done.stdout)
    done = bench.check("--baseline", lock, bench.build("parameters", (ONE + MACHINE).replace("int n,", "int n, int m,")))
    expect(done.returncode == 1 and "[changed-parameters]" in done.stdout, "other parameters are not told", done.stdout)


def forms(bench, expect):
    lock = bench.tools.scratch / "forms.lock"
    bench.check("--baseline", lock, "--update", bench.build("forms", ONE))
    grown = bench.build("forms", ONE.replace("  for (long n", "  std::vector<float> copy(all);\n  out[0] = copy[rows];\n  for (long n"))
    line = 7
    text = bench.check("--baseline", lock, grown).stdout
    expect(f"forms/filters.cpp:{line}:" in text.replace(" ", "") and "\x1b" not in text, "no line, or colours in a pipe", text)
    told = json.loads(bench.check("--baseline", lock, "--format", "json", grown).stdout)
    finding = told["findings"][0]
    expect(told["schema"] == "memshape.check/1" and not told["passed"] and finding["place"]["line"] == line
           and finding["sites"][0]["change"] == "new", "other JSON", str(told))
    log = json.loads(bench.check("--baseline", lock, "--format", "sarif", grown).stdout)
    if SCHEMA:
        jsonschema.validate(log, SCHEMA)
        print("SARIF is valid")
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    expect(place["artifactLocation"] == {"uri": "forms/filters.cpp", "uriBaseId": "SRCROOT"} and place["region"]["startLine"] == line,
           "other SARIF", str(place))
    commands = bench.check("--baseline", lock, "--format", "github", grown).stdout.splitlines()
    expect(re.fullmatch(rf"::error file=forms/filters\.cpp,line={line},col=\d+,title=memshape%3A [a-z-]+::[^\n]+", commands[0]),
           "another annotation", commands[0])
    expect("| peak | `" in bench.check("--baseline", lock, "--format", "markdown", grown).stdout, "other Markdown")


def thirty(bench, expect):
    text = "".join(ONE.replace("smooth", f"smooth{n}").replace("columns);", f"columns + {n});") for n in range(30))
    built, lock = bench.build("thirty", text), bench.tools.scratch / "thirty.lock"
    for environment in ({"MEMSHAPE_CACHE": "off"}, {}):
        bench.check("--baseline", lock, "--update", built, **environment)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = bench.check("--baseline", lock, built, **environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"30 operators: {took:.2f} s of processor time")
        expect(done.returncode == 0, "thirty operators differ from themselves", done.stdout)


def check(tools):
    complaints = []

    def expect(holds, what, seen=""):
        if not holds:
            complaints.append(f"{what}\n{seen}")

    bench = Bench(tools)
    for part in (same_bytes, phases, what_was_set_stays, operators_come_and_go, forms, thirty):
        part(bench, expect)
    return complaints


if __name__ == "__main__":
    main(check)
