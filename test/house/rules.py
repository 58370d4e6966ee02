#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: rules.py ROOT. Each test prints the places that break its rule."""

import graphlib
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from functions import functions, is_excused

ROOT = Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCE_SUFFIXES = {".c", ".cc", ".cpp", ".h", ".hpp", ".py"}
# A lit test begins with its RUN line; the small projects under test/package are what a user would write.
NO_BANNER = ("test/lit/features/", "test/lit/ir/", "test/lit/run/", "test/package/", "test/fuzz/corpus/")
MOST_LINES = 600
MOST_README_LINES = 150
MOST_FUNCTION_LINES = 80
# Rooms whose functions are held to that. One that has to be longer says why, right above it: // Long: WHY
HOUSES_OF_SHORT_FUNCTIONS = ("clang-plugin", "libraries", "libmemshape", "llvm-pass", "model", "runner", "out_of_core", "runtime", "tools")
# The runtime counts in one place: its counters, sites and calls know each other.
MOST_FILES = {"runtime/src/count": 33}
MOST_COLUMNS = 120

# Private words that the vocabulary replaced: where they come back, what they are, and the word to use. Files of tests
# may name their variables as they like; names in the files that memshape writes (memshape_sk_turns) are kept.
ALL = r""
RETIRED_WORDS = [
    (ALL, r"patience", "timeout (of one thing), budget (shared), limit (a number) or quiet period"),
    (ALL, r"\*- C\+\+ -\*", "a title in plain words"),
    (ALL, r"placeForPeople|[Nn]ameForPeople", "displayPlace, displayName"),
    (ALL, r"\bfor people\b", "to be displayed, or the name of the reader"),
    (ALL, r"\w+_slowly\b|\w+Slowly\b", "_slow_path, SlowPath"),
    (ALL, r"takeOutOutwardCalls", "removeOutwardCalls"),
    (ALL, r"\b(alike|equal|each|every|all|many|how many) turns?\b|[Aa]likeTurns|tripsOrTurns", "iterations, trip count"),
    (ALL, r"\bwould iteration|that iterations so\b|\biterations (faults|invokes|parallel)",
     "turns: 'iteration' replaced a verb here"),
    (ALL, r"nobody's business|thousand million", "a plain statement, and numbers as 10^9"),
    (ALL, r"[Ww]ritten ?[Rr]anges", "mod/ref, ModRefIndex"),
    (r"libmemshape/check/", r"\block(Names|Text|File|s)\b|\bLock(File|Operator|Row|Site)", "baseline"),
]
RETIRED_IN = {".c", ".cpp", ".h", ".in", ".md", ".js", ".py", ".txt", ".cmake"}

# What LLVM and the files of a library call things: names that have a blank in them, and no sentences.
NAMES_WITH_BLANKS = ('"vtable pointer"', '"any pointer"', '"; for ceilings"')


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


# Folders of code whose files have nothing in common but the compiler's options: what differs between releases of LLVM.
UNNAMED_ROOMS = {"clang-plugin/lib", "llvm-pass/lib"}
# docs/libraries.md says what is in bodies of libraries.
UNNAMED_ROOMS |= {"libraries", *(str(Path(name).parent) for name in FILES if name.startswith("libraries/") and "/bodies/" in name)}
CODE_SUFFIXES = {".c", ".cpp", ".h", ".in"}
HOUSES = ("clang-plugin", "libraries", "llvm-pass", "out_of_core", "runtime", "model", "runner", "libmemshape",
          "tools")
# What each room is for, and which rooms it may include.
ROOMS = "docs/rooms.md"
# The list of the slicer's stages, and where each has a test.
STAGES, STAGES_TESTS = "llvm-pass/lib/skeleton/Stages.cpp", "test/lit/stages"
MOST_STAGE_TEST_LINES = 30
# Where an include that is not relative to the including file may start.
INCLUDE_ROOTS = ("", "llvm-pass/lib/", "llvm-pass/include/", "clang-plugin/lib/", "libmemshape/include/", "runtime/include/",
                 "runtime/src/")


def rooms():
    """Folder -> its files of code."""
    found = {}
    for name in FILES:
        if Path(name).parts[0] in HOUSES and Path(name).suffix in CODE_SUFFIXES:
            found.setdefault(str(Path(name).parent), []).append(name)
    return found


def includes():
    """Room -> {room that it includes: a file that does}."""
    known, found = set(FILES), {}
    for room, files in rooms().items():
        targets = found.setdefault(room, {})
        for name in files:
            own = name.split("/")[0]
            bases = [room + "/"] + sorted(INCLUDE_ROOTS, key=lambda root: not root.startswith(own))
            for path in re.findall(r'^\s*#\s*include "([^"]+)"', text(name), re.M):
                there = next((base + path for base in bases if base + path in known), None)
                if there and str(Path(there).parent) != room:
                    targets.setdefault(str(Path(there).parent), name)
    return found


def described_rooms():
    """Room -> the rooms that it may include, by docs/rooms.md: names below the folder of their heading, or from the root."""
    known, found = rooms(), {}
    for house, entries in re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", text(ROOMS), re.M | re.S):
        for room, said in re.findall(r"^- \*\*`([^`]+)`\*\*: (.*?)(?=^- |\Z)", entries, re.M | re.S):
            names = re.findall(r"`([^`]+)`", re.split(r"May\s+include:", said)[-1])
            room, *allowed = [f"{house}/{name}" if f"{house}/{name}" in known else name for name in (room, *names)]
            found[room] = set(allowed)
    return found


# What is known about a library is data. Where the core names one all the same, each file with its reason:
CORE = ("llvm-pass/lib/", "clang-plugin/", "runner/", "libmemshape/", "model/")
NAMES_IN_THE_CORE = {
    "clang-plugin/loader/Loader.cpp": r"_ZN5clang\w+",            # asks the compiler that loads it for its version
    "runner/evaluation/Symbols.cpp": r"\w+",                     # defines these symbols: the names are its interface
    "runner/evaluation/Interposer.cpp": r"pthread_create",       # stands before the C library's function of this name
    "clang-plugin/lib/typed/TypeKinds.cpp": r"ContiguousContainer(/objects)?",  # a requirement that a class may satisfy
    "libmemshape/include/memshape/checkpointing.h": r"read|write",  # costs of a level
    "libmemshape/pictures/Chart.cpp": r"y1",                      # an attribute of lines in SVG
    "model/formula/ExpressionReader.cpp": r"ceil|floor|trunc|log2|sqrt",  # words of formulas
}
# Calls that the compiler itself writes, by the Itanium C++ ABI; words of English that name functions, too.
NO_LIBRARY = re.compile(r"__(cxa|gxx|clang)_\w+|_ZZ|_ZGV|alarm|signal|system|time|times")
LIBRARY_WORDS = re.compile(r"_Z\w|\b(std::|__gnu_cxx|Eigen|FFTW|fftw|cuda[A-Z]|hip[A-Z]|mkl_|numa_|cblas_|LAPACK|gsl_|__kmpc|"
                           r"GOMP|omp_|pthread_|__libc|cv::|MPI_)")


def written_out(name):
    """[ab] and {a,bc} of a document's name written out, as libraries/reader does."""
    opened = re.search(r"[\[{]", name)
    if not opened:
        return [name]
    at, closing = opened.start(), "]" if opened.group() == "[" else "}"
    end = name.index(closing, at)
    choices = list(name[at + 1:end]) if closing == "]" else name[at + 1:end].split(",")
    return [name[:at] + choice + rest for choice in choices for rest in written_out(name[end + 1:])]


def names_of_libraries():
    """What the documents of libraries/ call functions, classes and variables, patterns left out."""
    found = set()
    for document in (json.loads(text(name)) for name in FILES if re.fullmatch(r"libraries/[^/]+/\w+\.json", name)):
        for library in document["libraries"]:
            rules = [rule for member in ("allocators", "functions", "roles", "types", "calls") for rule in library.get(member, [])]
            lists = [rule["names"] for rule in rules] + [library.get("process_variables", []), library.get("stateless", [])]
            found |= {name for names in lists for pattern in names for name in written_out(pattern)}
    return {name for name in found if not re.search(r"[*?]", name)}


class Rules(unittest.TestCase):
    def none(self, broken):
        self.assertFalse(broken, "\n" + "\n".join(broken))

    def test_every_source_file_says_its_licence_in_its_first_lines(self):
        self.none([name for name in sources()
                   if not name.startswith(NO_BANNER) and SPDX not in "\n".join(text(name).splitlines()[:4])])

    def test_headers_are_guarded_by_pragma_once(self):
        self.none([name for name in sources() if name.endswith(".h") and not name.startswith(NO_BANNER)
                   and "#pragma once" not in text(name) and not name.endswith(("/Precompiled.h", "hostile/numbers.h"))])

    def test_no_source_file_is_too_long_to_hold_in_the_head(self):
        self.none([f"{name}: {len(text(name).splitlines())} lines"
                   for name in sources() + [f for f in FILES if f.endswith((".txt", ".cmake"))]
                   if len(text(name).splitlines()) > MOST_LINES])

    def test_functions_are_short_or_say_why_not(self):
        broken = []
        for name in FILES:
            if Path(name).parts[0] not in HOUSES_OF_SHORT_FUNCTIONS or Path(name).suffix not in {".c", ".cpp", ".h"}:
                continue
            code = text(name)
            lines = code.splitlines()
            broken += [f"{name}:{first}: {function}() has {last - first + 1} lines"
                       for function, first, last in functions(code)
                       if last - first + 1 > MOST_FUNCTION_LINES and not is_excused(lines, first)]
        self.none(broken)

    def test_the_counter_of_lines_knows_functions(self):
        code = """namespace a { // {
class B { public: B() : C{1}, D(2) {
  }
  int C = 3; };
const int Table[] = {
  1, 2};
#if X
void one() {
#else
void two() {
#endif
  auto F = [&] { return "}"; };
}
template <class T> auto three(T At) -> int {
  if (At) { return 0; } }
struct E *four(struct E *At) noexcept {
  return At; }
}"""
        self.assertEqual(functions(code), [("B", 2, 3), ("one", 8, 13), ("three", 14, 15), ("four", 16, 17)])
        self.assertTrue(is_excused(["/// What.", "// Long: a reason", "void one() {"], 3))
        self.assertFalse(is_excused(["// Long: a reason", "", "void one() {"], 3))

    def test_rooms_are_small_and_say_what_they_are_for(self):
        broken = []
        for room, files in sorted(rooms().items()):
            if len(files) > MOST_FILES.get(room, 25):
                broken.append(f"{room}: {len(files)} files")
        described = described_rooms().keys()
        broken += [f"{room} is not in {ROOMS}" for room in sorted(rooms().keys() - UNNAMED_ROOMS - described)]
        broken += [f"{ROOMS}: {room} is no room" for room in sorted(described - rooms().keys())]
        self.none(broken)

    def test_rooms_include_what_they_may(self):
        broken, found = [], includes()
        for room, allowed in described_rooms().items():
            targets = found.get(room, {})
            broken += [f"{place}: {ROOMS} does not let {room} include {target}" for target, place in sorted(targets.items())
                       if target not in allowed and target not in UNNAMED_ROOMS]
            broken += [f"{ROOMS}: nothing in {room} includes {target}" for target in sorted(allowed - targets.keys())]
        self.none(broken)

    def test_no_rooms_include_each_other_in_a_circle(self):
        graph = {room: sorted(targets.keys() - UNNAMED_ROOMS) for room, targets in includes().items()}
        try:
            tuple(graphlib.TopologicalSorter(graph).static_order())
        except graphlib.CycleError as circle:
            self.fail(" -> ".join(circle.args[1]))

    def test_each_stage_has_a_short_test_that_says_what_it_does(self):
        stages = re.findall(r'^ *\{"memshape-([\w<>-]+)",', text(STAGES), re.M)
        orders = re.findall(r'case SkeletonKind::\w+:\s+return ((?:\s*"[^"]*")+);', text(STAGES))
        self.assertEqual(set(stages), {name for order in orders for name in "".join(re.findall(r'"(.*?)"', order)).split(",")})
        stages = [re.sub("[<>]", "-", name).strip("-") for name in stages]
        tests = {Path(name).stem: text(name) for name in FILES if name.startswith(STAGES_TESTS + "/")}
        self.assertEqual(sorted(stages), sorted(tests), f"stages and tests in {STAGES_TESTS} differ")
        self.none([f"{STAGES_TESTS}/{name}.ll: {len(test.splitlines())} lines" for name, test in tests.items()
                   if len(test.splitlines()) > MOST_STAGE_TEST_LINES])
        self.none([f"{STAGES_TESTS}/{name}.ll: begins with no sentence" for name, test in tests.items()
                   if not re.match(r"; (?!RUN)\w", test)])

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

    def test_lines_of_pages_are_not_too_long(self):
        """Tables and blocks of code cannot be broken."""
        broken = []
        for name in (f for f in FILES if f.endswith(".md")):
            in_code = False
            for number, line in enumerate(text(name).splitlines(), 1):
                if line.lstrip().startswith("```"):
                    in_code = not in_code
                elif not in_code and not line.lstrip().startswith("|") and len(line) > MOST_COLUMNS:
                    broken.append(f"{name}:{number}: {len(line)} columns")
        self.none(broken)

    def test_retired_words_stay_retired(self):
        """docs/vocabulary.md has one word for each thing."""
        rules = [(re.compile(where), re.compile(word), instead) for where, word, instead in RETIRED_WORDS]
        broken = []
        for name in FILES:
            if Path(name).suffix not in RETIRED_IN or name.startswith(("test/", "CHANGELOG")):
                continue
            here = [(word, instead) for where, word, instead in rules if where.match(name)]
            for number, line in enumerate(text(name).splitlines(), 1):
                broken += [f"{name}:{number}: '{found.group()}': use {instead}"
                           for word, instead in here for found in [word.search(line)] if found]
        self.none(broken)

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
                for path in re.findall(r"(?<![\w./<-])((?:[\w.+-]+/)+[\w.+-]+)(?![\w/*<{])", span):
                    if path.split("/")[0] in folders - {"include"} and not (ROOT / path.rstrip(".")).exists():
                        broken.append(f"{name}: {path}")
        self.none(sorted(set(broken)))

    def test_the_list_of_formats_is_that_of_the_code(self):
        """What `memshape --version` names, beside what the code spells."""
        listed, spelled = "libmemshape/version/Version.cpp", {}
        for name in FILES:
            if name.split("/")[0] in HOUSES and Path(name).suffix in CODE_SUFFIXES | {".js"} and name != listed:
                schemas = re.findall(r'["\'](memshape\.[a-z_]+/\d+)["\']', text(name))
                spelled.update((schema, name) for schema in schemas)
        known = set(re.findall(r'"(memshape\.[a-z_]+/\d+)"', text(listed)))
        self.none([f"{spelled[schema]}: {schema} is not in {listed}" for schema in sorted(spelled.keys() - known)] +
                  [f"{listed}: nothing spells {schema}" for schema in sorted(known - spelled.keys())])

    def test_nothing_is_left_for_later_in_the_code(self):
        later = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
        self.none([f"{name}:{number}" for name in FILES if is_text(name) and not name.startswith(("test/house/", "LICENSE"))
                   for number, line in enumerate(text(name).splitlines(), 1)
                   if later.search(line) and Path(name).suffix in SOURCE_SUFFIXES | {".cmake", ".txt", ".sh"}])

    def test_code_branches_on_codes_and_not_on_sentences(self):
        sentence = r'(?:[=!]= *|\b(?:contains|find|rfind|starts_with|ends_with|startswith|endswith|compare|equals)\()f?"[^"\n]*?[a-z]{2,} [a-z]{2,}[^"\n]*"'
        within = r'"[^"\n]*?[a-z]{2,} [a-z]{2,}[^"\n]*" in (?!\()'  # of Python
        message = r'\b[Mm]essage(?:\(\))? *[=!]=|[=!]= *[\w.>()-]*\b[Mm]essage\b'
        houses = ("libmemshape/", "tools/", "runner/", "llvm-pass/", "clang-plugin/", "model/", "python/")
        self.none([f"{name}: {match.group(0)}" for name in sources() if name.startswith(houses)
                   for rule in (sentence, message) + ((within,) if name.endswith(".py") else ())
                   for match in re.finditer(rule, text(name)) if not any(known in match.group(0) for known in NAMES_WITH_BLANKS)])

    def test_unit_tests_assert_something_and_wait_for_no_time(self):
        broken = []
        for name in sources():
            if not name.startswith("test/unit/"):
                continue
            for test, body in re.findall(r"^(TEST\w*\([^)]*\)) \{\n(.*?)^\}", text(name), re.M | re.S):
                if not re.search(r"\b(?:EXPECT|ASSERT)_\w+\(|\b(?:FAIL|ADD_FAILURE|SUCCEED)\(|\bcheck\w*\(", body):
                    broken.append(f"{name}: {test} asserts nothing")
            broken += [f"{name}: {found}" for found in re.findall(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|sleep)\(.*", text(name))]
        self.none(broken)

    def test_checks_that_are_expected_to_fail_say_until_when(self):
        self.none([name for name in FILES if name.startswith("test/lit/") and is_text(name)
                   and re.search(r"\bXFAIL:", text(name)) and "FAILS UNTIL: " not in text(name)])

    def test_file_names_say_what_is_inside(self):
        self.none([name for name in FILES if re.search(r"(utils?|helpers?|manager|misc|common)\.\w+$", name, re.I)])

    @unittest.skipUnless(shutil.which("clang-format-19"), "clang-format-19 is not installed")
    def test_code_is_formatted(self):
        code = [name for name in sources() if not name.endswith(".py") and not name.startswith(("test/lit/", "test/fuzz/corpus/"))]
        done = subprocess.run(["clang-format-19", "--dry-run", *code], cwd=ROOT, capture_output=True, text=True)
        self.none(sorted({line.split(":")[0] for line in done.stderr.splitlines() if "clang-format-violations" in line}))

    def test_the_core_names_no_library(self):
        """String literals of the core; comments may say more."""
        names, broken = names_of_libraries(), []
        self.assertGreater(len(names), 500)
        for name in FILES:
            if not name.startswith(CORE) or Path(name).suffix not in CODE_SUFFIXES:
                continue
            code = re.sub(r"//[^\n]*|^\s*#\s*include[^\n]*", "", text(name), flags=re.M)
            for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
                if (literal in names or LIBRARY_WORDS.search(literal)) and not NO_LIBRARY.fullmatch(literal) \
                        and not re.fullmatch(NAMES_IN_THE_CORE.get(name, ""), literal):
                    broken.append(f"{name}: \"{literal}\" belongs into a document of libraries/")
        self.none(broken)

    def test_no_path_of_one_machine(self):
        paths = re.compile(r"(?<![\w.])/(work|root|home|Users)/\w")
        self.none([f"{name}:{number}: {line.strip()[:80]}" for name in FILES
                   if is_text(name) and not name.startswith(("test/house/", "test/fuzz/corpus/"))
                   for number, line in enumerate(text(name).splitlines(), 1) if paths.search(line)])


if __name__ == "__main__":
    unittest.main()
