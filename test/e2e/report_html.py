#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens HTML reports in headless Chromium: no errors, no network, exact figures for any shape, hostile names stay text,
no serious findings of axe-core. With --screenshots FOLDER, pictures at the sizes that people look at."""

import json
import re
import sys
from pathlib import Path

import browser
from toolchain import ROOT, main

SCREENSHOTS = None
if "--screenshots" in sys.argv:
    at = sys.argv.index("--screenshots")
    SCREENSHOTS = Path(sys.argv[at + 1]).resolve()
    del sys.argv[at:at + 2]

PROGRAM = """
#include <memshape/operator.h>
#include <cstddef>
#include <vector>

// Read backwards, so that no optimiser does without the buffer.
static void through(std::vector<float> &buffer, const float *in, float *out) {
  for (size_t i = 0; i < buffer.size(); ++i) buffer[i] = in[i] * 2;
  for (size_t i = 0; i < buffer.size(); ++i) out[i] += buffer[buffer.size() - 1 - i];
}

MEMSHAPE_OPERATOR void plain(const float *in, long rows, long columns, float *out) {
  std::vector<float> first(3 * rows * columns + 1), second(rows);
  through(first, in, out);
  through(second, in, out);
}

MEMSHAPE_OPERATOR void phases(const float *in, int rows, int columns, float *out) {
  std::vector<float> wide(3 * rows + 1);
  through(wide, in, out);
  { std::vector<float> square(size_t(columns) * columns); through(square, in, out); }
  std::vector<float> inner(size_t(rows) * columns / 2);
  through(inner, in, out);
}

MEMSHAPE_OPERATOR void next_power(const float *in, int n, float *out) {
  int m = 1;
  while (m < n) m *= 2;
  std::vector<float> padded(m);
  through(padded, in, out);
}

MEMSHAPE_OPERATOR void odd_rounds(const float *in, unsigned n, float *out) {
  std::vector<float> rounded((n * 2654435761u >> 20) + n);
  through(rounded, in, out);
}

MEMSHAPE_OPERATOR int picked(const float *in, int n) {
  std::vector<int> kept;
  for (int i = 0; i < n; ++i)
    if (in[i] > 0) kept.push_back(i);
  return int(kept.size());
}
"""

# A file name and a condition that would end a script element, or begin markup, if they were not taken as text.
HOSTILE = """
#include <memshape/operator.h>
#include <vector>
#define TAGS "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>"
# 30 "evil</script><img src=x onerror=document.title=1>&amp;.cpp"
MEMSHAPE_OPERATOR int hostile(const char *in, int n) { // </script><script>alert(1)</script>
  std::vector<char> text(n);
  if (in[0] == TAGS[0] && in[1] == '<') text.resize(2 * n);
  return text[0];
}
"""

# A function and its file that are named like secrets: an instrumented file must not make a report show them.
PRIVATE = """
#include <memshape/operator.h>
#include <cstdlib>
# 1 "%s"
MEMSHAPE_OPERATOR void leaking(int n, void **out) { *out = malloc(n); }
"""


class Checks:
    def __init__(self, tools):
        self.tools, self.complaints, self.browser = tools, [], browser.Browser()

    def expect(self, what, found, wanted):
        if found != wanted:
            self.complaints.append(f"{what}: {found!r} instead of {wanted!r}")

    def compile(self, name, text):
        source = self.tools.scratch / name
        source.write_text(text)
        target = source.with_suffix(".o")
        self.tools.build(*self.tools.compiler(source), "-O2", "-w", f"-I{ROOT}/runtime/include", self.tools.plugin, "-c", source, "-o", target)
        return target

    def report(self, name, *arguments):
        page = self.tools.scratch / name
        done = self.tools.run(self.tools.bin / "memshape-report", "--format", "html", "-o", page, *arguments)
        self.expect(f"status of {name}", (done.returncode, done.stderr), (0, ""))
        return page

    def opened(self, page):
        self.browser.open(page, "return memshape.operators.length === document.querySelectorAll('section.operator').length")
        self.expect(f"requests of {page.name}", self.browser.requests(page), [])
        self.complaints += self.browser.complaints()

    def figures(self):
        """What the page computes at any shape is what the skeleton says, to the byte."""
        file = self.compile("filters.cpp", PROGRAM)
        page = self.report("report.html", file)
        self.expect("two reports", self.report("again.html", file).read_bytes(), page.read_bytes())
        self.opened(page)
        self.expect("operators", self.browser.js("return memshape.operators.map((o) => o.raw.name)"), ["plain", "phases", "next_power", "odd_rounds", "picked"])
        self.expect("verdicts", self.browser.js("return memshape.operators.map((o) => o.verdict().kind)")[:4], ["exact"] * 4)
        known = 0
        for number, (name, shapes) in enumerate([("plain", [(7, 9), (1, 1), (1234, 1999)]), ("phases", [(7, 9), (1999, 3), (123, 1357), (100, 100)]),
                                                 ("next_power", [(1,), (1025,), (1999,), (2584,)]), ("odd_rounds", [(101,), (610,)])]):
            for shape in shapes:
                symbols = self.browser.js("return memshape.operators[arguments[0]].symbols", number)
                text = ",".join(f"{symbol}={value}" for symbol, value in zip(symbols, shape))
                done = self.tools.run(self.tools.bin / "memshape", "predict", file, "--operator", name, "--shape", text, "--json")
                self.expect(f"status of predict {text}", done.returncode, 0)
                said = self.answer(number, shape)
                known += said != ""
                self.expect(f"{name} at {text}", said, f"{json.loads(done.stdout)['heap']['peak_bytes']:,} bytes" if said else "")
        self.expect("figures at ten shapes or more", known >= 10, True)
        # Beyond 2^53 a double is not enough, and beyond the range in which the formula was compared the page says so.
        rows, columns = 300000001, 299999999
        self.expect("a large shape", self.answer(0, (rows, columns)), f"{12 * rows * columns + 4 * rows + 4:,} bytes")
        self.expect("outside the range", "outside the range" in self.browser.js("return document.querySelector('#operator-0 .answer').textContent"), True)
        self.type("operator-2-symbol-0", "x7")
        self.expect("a shape that is none", "whole number" in self.browser.js("return document.querySelector('#operator-2 .complaint').textContent"), True)
        # No closed form: a shape that was not run has no figure, but neighbours.
        self.type("operator-3-symbol-0", 101)
        self.expect("no closed form", self.browser.js("return document.querySelector('#operator-3 .answer .peak').textContent"), "not known here")
        self.expect("charts", self.browser.js("memshape.beforePrinting(); return document.querySelectorAll('section.operator svg').length >= 8"), True)
        self.expect("the peak of a timeline", self.browser.js("return memshape.operators.map((o) => Math.max(...o.raw.typical.steps.list.map((s) => s[3])).toString() === o.raw.typical.peak)"), [True] * 5)
        self.complaints += self.browser.complaints()

    def answer(self, number, shape):
        """The peak that the page says, as bytes; "" where it says that it does not know."""
        for i, value in enumerate(shape):
            self.type(f"operator-{number}-symbol-{i}", value)
        return self.browser.js("return document.querySelector(`#operator-${arguments[0]} .answer .bytes`).textContent", number)

    def type(self, field, value):
        self.browser.js("""const field = document.getElementById(arguments[0]); field.value = arguments[1];
                           field.dispatchEvent(new Event("input", { bubbles: true }));""", field, str(value))

    def formulas(self):
        """The table of cases that the model passes too."""
        for case in json.loads((Path(__file__).parents[1] / "formulas/cases.json").read_text(encoding="utf-8"))["cases"]:
            got = self.browser.js("""const f = memshape.parseFormula(arguments[0]);
                const v = f && memshape.integerAt(f, new Map(Object.entries(arguments[1]).map(([k, n]) => [k, BigInt(n)])));
                return v === null ? null : String(v);""", case["text"], case.get("at", {}))
            wanted = case.get("value")
            self.expect(f"{case['text']} at {case.get('at')}", got, None if wanted and "/" in wanted else wanted)

    def many(self):
        """Thirty operators: below 3 MB; the time it takes to open them is printed, for it depends on the machine."""
        one = re.search(r"MEMSHAPE_OPERATOR void phases.*?^}\n", PROGRAM, re.M | re.S)[0]
        text = PROGRAM.partition("MEMSHAPE_OPERATOR")[0] + "".join(one.replace("phases", f"phases{i}") for i in range(30))
        page = self.report("many.html", self.compile("many.cpp", text))
        self.expect("30 operators below 3 MB", page.stat().st_size < 3_000_000, True)
        times = []
        for _ in range(3):
            self.opened(page)
            times.append(self.browser.loaded)
        print(f"30 operators: {page.stat().st_size / 1e6:.2f} MB, opened in {min(times):.0f} ms")

    def hostile(self):
        file = self.compile("hostile.cpp", HOSTILE)
        self.opened(self.report("hostile.html", file))
        self.expect("title", self.browser.js("return document.title"), "Memory report: hostile.o")
        self.expect("images", self.browser.js("return document.querySelectorAll('img').length"), 0)
        self.expect("the file's name", "evil</script><img src=x" in self.browser.js("return document.body.textContent"), True)
        secret = self.tools.scratch / "id_rsa"
        secret.write_text("a private key\\n")
        page = self.report("leaking.html", self.compile("leaking.cpp", PRIVATE % secret))
        self.expect("a private file", "a private key" in page.read_text(), False)

    def looks(self, page):
        for kind, width, height in self.browser.views():
            self.opened(page)
            self.browser.js("memshape.beforePrinting(); document.querySelectorAll('details').forEach((d) => d.fill && d.fill());")
            self.expect(f"pixels that {kind} has to scroll sideways", self.browser.pixels_beyond(), 0)
            self.browser.wait_until_drawn()
            if SCREENSHOTS:
                SCREENSHOTS.mkdir(parents=True, exist_ok=True)
                tall = self.browser.js("return document.documentElement.scrollHeight")
                self.browser.resize(width, min(tall, 6000), kind == "phone")
                self.browser.driver.save_screenshot(str(SCREENSHOTS / f"{kind}.png"))
            if kind != "print":
                self.browser.js("document.querySelectorAll('details').forEach((d) => { d.open = true; });")
                self.complaints += [f"axe, {kind}: {each}" for each in self.browser.barriers()]


def check(tools):
    if missing := browser.missing():
        return [missing]
    checks = Checks(tools)
    try:
        checks.figures()
        checks.formulas()
        checks.looks(tools.scratch / "report.html")
        checks.hostile()
        checks.many()
    finally:
        checks.browser.driver.quit()
    return checks.complaints


if __name__ == "__main__":
    main(check)
