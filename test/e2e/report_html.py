#!/usr/bin/python3
# ===- report_html.py - The report as people open it -----------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Opens HTML reports in headless Chromium: no errors, no network, exact figures for any shape, hostile names stay text,
no serious findings of axe-core. With --screenshots FOLDER, pictures at the sizes that people look at."""

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path

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


class Browser:
    """Chromium, by its driver. Everything that leaves the page is recorded."""

    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
                         "--force-color-profile=srgb"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)

    def open(self, path):
        from selenium.webdriver.support.ui import WebDriverWait
        self.driver.get_log("performance")
        self.driver.get("about:blank")
        self.driver.get(path.as_uri())
        self.loaded = self.js("return performance.getEntriesByType('navigation')[0].loadEventStart")
        built = "return memshape.operators.length === document.querySelectorAll('section.operator').length"
        WebDriverWait(self.driver, 60, 0.05).until(lambda driver: self.js(built), f"{path.name} does not come to an end")

    def wait_until_drawn(self):
        """What was asked for before the first frame is on the screen when the second one begins."""
        self.driver.execute_async_script("const done = arguments[0];"
                                         "requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def requests(self):
        sent = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in sent if m["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        return [f"console: {entry['message']}" for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)


class Checks:
    def __init__(self, tools):
        self.tools, self.complaints, self.browser = tools, [], Browser()

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
        self.browser.open(page)
        urls = [url for url in self.browser.requests() if url != page.as_uri() and not url.startswith(("data:", "about:"))]
        self.expect(f"requests of {page.name}", urls, [])
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

    def accessible(self, page, kind):
        found = importlib.util.find_spec("axe_core_python")
        if not found:
            self.complaints.append("axe-core is not installed: scripts/bootstrap")
            return
        axe = (Path(found.origin).parent / "axe.min.js").read_text()
        # The page forbids foreign scripts; the driver may.
        self.browser.js(axe + ";window.axe = axe;")
        self.browser.driver.set_script_timeout(60)
        result = self.browser.driver.execute_async_script("const done = arguments[arguments.length - 1]; axe.run().then(done, (e) => done({violations: [{impact: 'serious', id: String(e), nodes: []}]}));")
        for finding in result["violations"]:
            if finding["impact"] in ("serious", "critical"):
                nodes = "; ".join(node["html"][:160] for node in finding["nodes"][:3])
                self.complaints.append(f"axe, {kind}: {finding['id']} ({finding['impact']}): {nodes}")

    def looks(self, page):
        modes = [("desktop", 1280, 900, "light", ""), ("phone", 390, 844, "light", ""), ("dark", 1280, 900, "dark", ""), ("print", 794, 1123, "light", "print")]
        for kind, width, height, scheme, media in modes:
            self.browser.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=kind == "phone")
            self.browser.command("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.opened(page)
            self.browser.js("memshape.beforePrinting(); document.querySelectorAll('details').forEach((d) => d.fill && d.fill());")
            wide = self.browser.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            self.expect(f"pixels that {kind} has to scroll sideways", max(0, wide), 0)
            self.browser.wait_until_drawn()
            if SCREENSHOTS:
                SCREENSHOTS.mkdir(parents=True, exist_ok=True)
                tall = self.browser.js("return document.documentElement.scrollHeight")
                self.browser.command("Emulation.setDeviceMetricsOverride", width=width, height=min(tall, 6000), deviceScaleFactor=1, mobile=kind == "phone")
                self.browser.driver.save_screenshot(str(SCREENSHOTS / f"{kind}.png"))
            if kind != "print":
                self.browser.js("document.querySelectorAll('details').forEach((d) => { d.open = true; });")
                self.accessible(page, kind)
        self.browser.command("Emulation.setEmulatedMedia", media="", features=[])
        self.browser.command("Emulation.clearDeviceMetricsOverride")


def check(tools):
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return ["chromium and chromium-driver are not installed: scripts/bootstrap"]
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
