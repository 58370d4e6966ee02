#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a baseline of an operator's source, changes the source, compiles it again and runs `memshape check`. A change that
costs memory has to be caught, with the line that did it no more than three lines away; one that costs nothing has to pass
without a word. Prints a table. Without --all a part of the changes, for less than a minute."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from mutations import GAUSS, GROWING, GST, MUTATIONS, PADDED, TRACES, WAVE  # noqa: E402
from refactorings import REFACTORINGS  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
NEAR = 3  # lines
QUICK = {WAVE, PADDED, GROWING, TRACES}  # files that compile in a moment
QUICK_TOO = {"one-more-call", "volume-by-value", "gst-renamed-helper", "gauss-renamed-symbols"}


class Failed(Exception):
    pass


def edited(text, edits, name):
    for edit in edits:
        if edit[0] == "moved":
            continue
        if edit[0] == "word":
            text = re.sub(rf"\b{edit[1]}\b", edit[2], text)
            continue
        if text.count(edit[0]) != 1:
            raise Failed(f"{name}: the source holds {text.count(edit[0])} times {edit[0]!r}")
        text = text.replace(*edit)
    return text


class Bench:
    def __init__(self, use, folder):
        self.use, self.folder, self.baselines = use, folder, {}

    def compiled(self, source, text, name, clang):
        """The object of text, which stands in place of the file source; None where a library is not installed."""
        place = self.folder / name
        place.mkdir(parents=True)
        file = place / Path(source).name
        file.write_text(text)
        include = Path(self.use.bin).parent / "include"
        language = [] if source.endswith(".c") else ["-std=c++20"]
        done = subprocess.run(
            [Path(clang) / ("clang" if source.endswith(".c") else "clang++"), self.use.level, *language,
             f"-fplugin={self.use.lib}/memshape", f"-I{ROOT / Path(source).parent}", f"-I{include}", "-isystem/usr/include/eigen3",
             "-c", file, "-o", file.with_suffix(".o")], capture_output=True, text=True)
        if done.returncode and "file not found" in done.stderr:
            return None
        if done.returncode:
            raise Failed(f"{name} does not compile:\n{done.stderr[-2000:]}")
        return file.with_suffix(".o")

    def memshape(self, *arguments):
        return subprocess.run([Path(self.use.bin) / "memshape", "check", *map(str, arguments)], capture_output=True,
                              text=True, env={**os.environ, "MEMSHAPE_CACHE": str(self.folder / "cache")})

    def baseline(self, source, text, name):
        """A lock for text; None where a library is not installed."""
        if (source, text) not in self.baselines:
            built = self.compiled(source, text, "base-" + name, self.use.clang)
            if built:
                lock = built.with_suffix(".lock")
                done = self.memshape("--baseline", lock, "--update", built)
                if done.returncode:
                    raise Failed(f"{name}: no baseline: {done.stderr}")
                built = lock
            self.baselines[source, text] = built
        return self.baselines[source, text]

    def check(self, lock, built):
        done = self.memshape("--baseline", lock, "--format", "json", built)
        if done.returncode > 1:
            raise Failed(done.stderr.strip())
        return json.loads(done.stdout)

    def mutation(self, name, kind, source, base, edits, guilty):
        before = edited((ROOT / source).read_text(), base, name)
        after = edited(before, edits, name)
        lock = self.baseline(source, before, name)
        if lock is None:
            return "left out", "a library is not installed"
        found = self.check(lock, self.compiled(source, after, name, self.use.clang))
        errors = [finding for finding in found["findings"] if finding["severity"] == "error"]
        if not errors:
            return "MISSED", ""
        lines = [number for number, line in enumerate(after.splitlines(), 1) if guilty in line]
        places = [finding["place"]["line"] for finding in errors if finding["place"]]
        told = f"{errors[0]['rule']}, line {places[0] if places else '?'} of {'/'.join(map(str, lines))}"
        near = any(abs(place - line) <= NEAR for place in places[:1] for line in lines)
        return ("caught" if near else "WRONG LINE"), told

    def refactoring(self, name, kind, source, edits):
        before = (ROOT / source).read_text()
        lock = self.baseline(source, before, name)
        if lock is None:
            return "left out", "a library is not installed"
        # The moved file has another name in another folder, but finds its own header as before.
        built = self.compiled(source, edited(before, edits, name), name, self.use.clang) if edits[0][0] != "moved" else \
            self.moved(source, before, name)
        found = self.check(lock, built)
        if not found["findings"]:
            return "silent", ""
        return "FALSE ALARM" if not found["passed"] else "NOT SILENT", found["findings"][0]["message"]

    def moved(self, source, text, name):
        language = Path(source).suffix
        return self.compiled(str(Path(source).parent / f"elsewhere{language}"), "\n\n\n" + text, name, self.use.clang)

    def other_compiler(self, name, source):
        before = (ROOT / source).read_text()
        lock = self.baseline(source, before, name)
        if lock is None:
            return "left out", "a library is not installed"
        built = self.compiled(source, before, name, self.use.other_clang)
        if built is None:
            return "left out", "not for that compiler"
        found = self.check(lock, built)
        said = "; ".join(finding["message"] for finding in found["findings"])
        if not found["passed"]:
            return "FALSE ALARM", said
        return ("explained" if found["notes"] else "NO WORD"), said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True, help="folder of the compilers")
    parser.add_argument("--bin", required=True, help="folder of memshape")
    parser.add_argument("--lib", required=True, help="folder of the plugin")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--all", action="store_true", help="all changes, not only the quick ones")
    parser.add_argument("--only", default="", help="changes whose name holds this")
    parser.add_argument("--other-clang", help="folder of other compilers: their builds, against baselines of the first")
    parser.add_argument("--jobs", type=int, default=2)
    use = parser.parse_args()

    def wanted(name, source):
        return use.only in name if use.only else use.all or source in QUICK or name in QUICK_TOO

    work = []
    with tempfile.TemporaryDirectory(prefix="memshape-check-") as folder:
        bench = Bench(use, Path(folder))
        if use.other_clang:
            work = [(source.rsplit("/", 1)[1], "other compiler", bench.other_compiler, (source.rsplit("/", 1)[1], source))
                    for source in sorted({m[2] for m in MUTATIONS} | {r[2] for r in REFACTORINGS}) if use.only in source]
        else:
            work += [(m[0], m[1], bench.mutation, m) for m in MUTATIONS if wanted(m[0], m[2])]
            work += [(r[0], r[1], bench.refactoring, r) for r in REFACTORINGS if wanted(r[0], r[2])]

        def one(task):
            name, kind, how, arguments = task
            try:
                return name, kind, *how(*arguments)
            except Failed as problem:
                return name, kind, "BROKEN", str(problem)

        # Baselines first, so that no two tasks make the same one.
        counts, bad = {}, []
        with ThreadPoolExecutor(use.jobs) as pool:
            for name, kind, outcome, told in pool.map(one, work):
                print(f"{name:34} {kind:22} {outcome:12} {told}", flush=True)
                counts[outcome] = counts.get(outcome, 0) + 1
                if outcome.isupper():
                    bad.append(name)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    sys.exit(1 if bad or not counts else 0)


if __name__ == "__main__":
    for variable in [name for name in os.environ if name.startswith("MEMSHAPE_")]:
        del os.environ[variable]
    main()
