#!/usr/bin/python3
# ===- rules.py - Rules that the tree keeps --------------------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Usage: rules.py ROOT. Each test prints the places that break its rule."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCE_SUFFIXES = {".c", ".cc", ".cpp", ".h", ".hpp", ".py"}
# A lit test begins with its RUN line; the small projects under test/package are what a user would write.
NO_BANNER = ("test/lit/features/", "test/lit/ir/", "test/lit/run/", "test/package/", "test/fuzz/corpus/")
MOST_LINES = 600
MOST_README_LINES = 150


def tracked():
    """Files of the tree, new ones included; without git (an unpacked archive) all files outside build folders."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True).stdout.decode()
        names = [name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = []
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [f for f in folders if f not in ("build", ".git", "__pycache__")]
            names += [str((Path(folder) / file).relative_to(ROOT)) for file in files]
    return sorted(name for name in names if (ROOT / name).is_file())


FILES = tracked()


def text(name):
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def is_text(name):
    return b"\0" not in (ROOT / name).read_bytes()[:4096]


def sources():
    return [name for name in FILES if Path(name).suffix in SOURCE_SUFFIXES]


def anchors(markdown):
    """GitHub's anchors of a page's headings."""
    found = set()
    for heading in re.findall(r"^#+\s+(.*)$", markdown, re.M):
        plain = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(plain.replace(" ", "-"))
    return found


class Rules(unittest.TestCase):
    def none(self, broken):
        self.assertFalse(broken, "\n" + "\n".join(broken))

    def test_every_source_file_says_its_licence(self):
        self.none([name for name in sources()
                   if not name.startswith(NO_BANNER) and SPDX not in "\n".join(text(name).splitlines()[:12])])

    def test_no_source_file_is_too_long_to_hold_in_the_head(self):
        self.none([f"{name}: {len(text(name).splitlines())} lines"
                   for name in sources() + [f for f in FILES if f.endswith((".txt", ".cmake"))]
                   if len(text(name).splitlines()) > MOST_LINES])

    def test_readme_is_short(self):
        self.assertLess(len(text("README.md").splitlines()), MOST_README_LINES)

    def test_checks_do_not_spell_what_llvm_releases_spell_differently(self):
        spelled = re.compile(r"\b(noundef|nocapture|captures\(|dso_local|nofree|mustprogress|nounwind|willreturn|memory\()|"
                             r"\bi\d+\*|%\"?(struct|class)\.[\w.:]+\"?\*|\}\*| #\d+\b")
        self.none([f"{name}:{number}: {line.strip()}" for name in FILES if name.startswith("test/lit/")
                   for number, line in enumerate(text(name).splitlines(), 1)
                   if re.search(r"CHECK[\w-]*:", line) and spelled.search(line)])

    def test_llvm_versions_are_told_apart_in_compatibility_headers_alone(self):
        self.none([name for name in sources()
                   if "LLVM_VERSION_MAJOR" in text(name) and not Path(name).name.startswith("Compat")
                   and not name.startswith("test/house/")])

    def test_links_in_pages_lead_somewhere(self):
        broken = []
        for name in (f for f in FILES if f.endswith(".md")):
            page = re.sub(r"^```.*?^```", "", text(name), flags=re.M | re.S)
            for target in re.findall(r"\]\(([^)\s]+)\)", page):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                there = (ROOT / name).parent / path if path else ROOT / name
                if not there.exists():
                    broken.append(f"{name}: {target}")
                elif anchor and there.suffix == ".md" and anchor not in anchors(there.read_text(encoding="utf-8")):
                    broken.append(f"{name}: {target} (no such heading)")
        self.none(broken)

    def test_the_index_lists_every_page(self):
        index = text("docs/index.md")
        self.none([name for name in FILES if name.startswith("docs/") and name.endswith(".md")
                   and f"({Path(name).name})" not in index and name != "docs/index.md"])

    def test_paths_that_pages_name_exist(self):
        """In code spans and command blocks: what looks like a path of this tree is one."""
        folders = {Path(name).parts[0] for name in FILES if len(Path(name).parts) > 1}
        broken = []
        for name in (f for f in FILES if f.endswith(".md")):
            page = text(name)
            spans = re.findall(r"^```.*?^```", page, flags=re.M | re.S) + re.findall(r"`([^`\n]+)`", page)
            for span in spans:
                for path in re.findall(r"(?<![\w./<-])((?:[\w.-]+/)+[\w.-]+)(?![\w/*<{])", span):
                    if path.split("/")[0] in folders - {"include"} and not (ROOT / path.rstrip(".")).exists():
                        broken.append(f"{name}: {path}")
        self.none(sorted(set(broken)))

    def test_nothing_is_left_for_later_in_the_code(self):
        later = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
        self.none([f"{name}:{number}" for name in FILES if is_text(name) and not name.startswith(("test/house/", "LICENSE"))
                   for number, line in enumerate(text(name).splitlines(), 1)
                   if later.search(line) and Path(name).suffix in SOURCE_SUFFIXES | {".cmake", ".txt", ".sh"}])

    def test_file_names_say_what_is_inside(self):
        self.none([name for name in FILES if re.search(r"(utils?|helpers?|manager|misc|common)\.\w+$", name, re.I)])

    @unittest.skipUnless(shutil.which("clang-format-19"), "clang-format-19 is not installed")
    def test_code_is_formatted(self):
        code = [name for name in sources() if not name.endswith(".py") and not name.startswith(("test/lit/", "test/fuzz/corpus/"))]
        done = subprocess.run(["clang-format-19", "--dry-run", *code], cwd=ROOT, capture_output=True, text=True)
        self.none(sorted({line.split(":")[0] for line in done.stderr.splitlines() if "clang-format-violations" in line}))

    def test_no_path_of_one_machine(self):
        paths = re.compile(r"(?<![\w.])/(work|root|home|Users)/\w")
        self.none([f"{name}:{number}: {line.strip()[:80]}" for name in FILES
                   if is_text(name) and not name.startswith(("test/house/", "test/fuzz/corpus/"))
                   for number, line in enumerate(text(name).splitlines(), 1) if paths.search(line)])


if __name__ == "__main__":
    unittest.main()
