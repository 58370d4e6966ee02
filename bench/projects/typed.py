#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""typed.py PROJECT [OPERATOR...] [--source FOLDER] [--build BUILD] [--work FOLDER] [--flags=FLAGS]

Fetches a project, or takes the unpacked one in FOLDER; compiles its units as they are, with
-fplugin-arg-memshape-operator=NAME for each operator that typed/PROJECT.c names; predicts each at its shapes; calls it
three times in a program under count.c, on noise and on zeros, and holds the second and third call against the
prediction. Prints a line for each shape and a row for the table of README.md; ends with 1 where an exact answer was
wrong or a bound was left."""

import argparse
import hashlib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from measure import judge, predict, run, truths

HERE = Path(__file__).resolve().parent


@dataclass
class Project:
    """Where a project is from, the flags and units of its library, and what has to be made before."""

    address: str  #: of a git repository, or a source package of Debian 12
    pin: str  #: the commit, or the SHA-256 of the package's orig.tar
    flags: str  #: in which {s} is the source
    units: list
    before: str = ""  #: a command, in which {s} is the source


PROJECTS = {
    "darknet": Project("https://github.com/pjreddie/darknet", "f6afaabcdf85f77e7aff2ec55c020c0e297c77f9",
                       "-I{s}/include -I{s}/src", ["src/*.c"]),
    "sep": Project("https://github.com/kbarbary/sep", "d6150a61a6c734d720f459a48dd2b8f15d92318f", "-I{s}/src",
                   ["src/*.c"]),
    "csparse": Project("debian:suitesparse", "bb106c43049138c19675cd70322e72ff8e4fd8bdcab3a096307fd78488913faf",
                       "-I{s}/CSparse/Include", ["CSparse/Source/*.c"]),
    "openjpeg": Project("debian:openjpeg2", "007e19d772c8b6b22e35379630b06ff3549e49ba719d96453607a36ad7b4de73",
                        "-DMUTEX_pthread -I{s}/src/lib/openjp2 -I{s}/build/src/lib/openjp2", ["src/lib/openjp2/*.c"],
                        "cmake -S {s} -B {s}/build -DBUILD_SHARED_LIBS=OFF"),
    "world": Project("https://github.com/mmorise/World", "d625e7608ca23a870018f01e7c562ac683d9847f", "-I{s}/src",
                     ["src/*.cpp"]),
}
#: A folder of apt's own, so that source packages are found on systems that list only binary ones.
APT = """deb-src http://deb.debian.org/debian bookworm main
"""
KINDS = ["exact", "bounded", "no upper bound", "none", "does not return"]
SWITCH = """int main(int argc, char **argv) {
  kind = argv[2];
  for (int i = 3; i < argc && i < 67; ++i)
    numbers[i - 3] = atof(argv[i]);
  for (int call = 0; call < 3; ++call) {
"""


class Shape:
    def __init__(self, text):
        shape, settings, assumed = (part.strip() for part in (text + ";;").split(";")[:3])
        self.shape, self.settings, self.assumed = shape, settings, assumed
        pairs = [pair for pair in f"{shape},{settings}".split(",") if pair and "OTHERS" not in pair]
        self.values = [pair.partition("=")[2] for pair in pairs]

    def options(self):
        given = {"--shape": self.shape, "--set": self.settings, "--assume": self.assumed}
        return [word for option, text in given.items() if text for word in (option, text)]


class Operator:
    def __init__(self, name, shapes, label):
        self.name, self.label = name, label
        self.shapes = [Shape(text) for text in shapes.split("|")]


def operators_of(path):
    found = re.finditer(r"^//@ (\S+)(.*)\nOPERATOR\((\w+)\)", path.read_text(), re.M)
    return [Operator(each[1], each[2], each[3]) for each in found]


def checked(command, **options):
    done = run(command, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[:4000]}")
    return done


def complete(use, operators, archive):
    """OTHERS=V gives the value to all symbols and settings that a shape does not name."""
    if not any("OTHERS" in shape.shape for each in operators for shape in each.shapes):
        return
    for each in operators:
        for shape in each.shapes:
            named, _, value = shape.shape.partition("OTHERS=")
            if not value:
                continue
            shape.shape = named.rstrip(",")
            for _ in range(2):  # symbols, then settings
                done = run([use.build / "bin/memshape", "predict", "--operator", each.name, archive, *shape.options()])
                missing = re.search(r"(shape symbol|setting) missing for operator '.*?': (.*) \(--", done.stderr)
                if not missing:
                    break
                more = ",".join(f"{name}={value}" for name in missing[2].split(", "))
                if missing[1] == "setting":
                    shape.settings = ",".join(filter(None, [shape.settings, more]))
                else:
                    shape.shape = ",".join(filter(None, [shape.shape, more]))


def from_git(project, folder):
    checked(["git", "init", "-q", folder])
    checked(["git", "-C", folder, "fetch", "-q", "--depth", "1", project.address, project.pin])
    checked(["git", "-C", folder, "checkout", "-q", "FETCH_HEAD"])


def from_debian(project, folder):
    """The package's sources as their authors published them, without Debian's patches."""
    apt = folder.parent / "apt"
    (apt / "lists/partial").mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text(APT)
    places = {"Dir::Etc::sourcelist": apt / "sources.list", "Dir::Etc::sourceparts": "-",
              "Dir::State::lists": apt / "lists", "Dir::Cache": apt, "APT::Sandbox::User": os.environ.get("USER", "root")}
    options = [word for key, value in places.items() for word in ("-o", f"{key}={value}")]
    checked(["apt-get", *options, "update"])
    checked(["apt-get", *options, "source", "--download-only", project.address.partition(":")[2]], cwd=apt)
    packed = next(apt.glob("*.orig.tar.*"))
    if hashlib.sha256(packed.read_bytes()).hexdigest() != project.pin:
        sys.exit(f"{packed} is another version than the one of PROJECTS")
    folder.mkdir()
    checked(["tar", "-xf", packed, "-C", folder, "--strip-components", "1"])


def fetched(project, folder):
    if not folder.exists():
        (from_debian if project.address.startswith("debian:") else from_git)(project, folder)
    return folder


def library(use, flags, patterns, operators):
    """An archive of the project's units, compiled unmodified with one flag and the names of the operators."""
    plugin = [f"-fplugin={use.build}/lib/memshape"]
    plugin += [f"-fplugin-arg-memshape-operator={operator.name}" for operator in operators]
    objects = use.work / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    changed = max(path.stat().st_mtime for path in use.build.glob("lib/memshape*"))

    def compiled(unit):
        out = objects / (str(unit.relative_to(use.source)).replace("/", "-") + ".o")
        compiler = "clang-22" if unit.suffix == ".c" else "clang++-22"
        if out.exists() and out.stat().st_mtime > changed:
            return out
        done = run([compiler, "-O2", "-g", "-w", *flags, *plugin, "-c", unit, "-o", out])
        return out if done.returncode == 0 else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        built = [out for out in pool.map(compiled, [u for p in patterns for u in sorted(use.source.glob(p))]) if out]
    archive = use.work / "lib.a"
    archive.unlink(missing_ok=True)
    checked(["ar", "rcs", archive, *built])
    return archive


def program(use, calls, operators, flags, archive):
    text = f'#include "{calls}"\n{SWITCH}'
    for each in operators:
        text += f'    if (!strcmp(argv[1], "{each.label}"))\n      {each.label}_called();\n'
    main, out, counter = use.work / f"main{calls.suffix}", use.work / "program", use.work / "libcount.so"
    main.write_text(text + "  }\n  return 0;\n}\n")
    checked(["clang-22", "-O2", "-shared", "-fPIC", HERE / "count.c", "-o", counter])
    compiler = "clang-22" if calls.suffix == ".c" else "clang++-22"
    checked([compiler, "-w", "-O1", f"-I{HERE}", f"-I{HERE}/typed", *flags, "-c", main, "-o", use.work / "main.o"])
    # Parts of the project that were not compiled are missing, and nothing here calls them.
    checked(["clang++-22", use.work / "main.o", archive, counter, "-lm", "-lpthread", f"-Wl,-rpath,{use.work}",
             "-Wl,--unresolved-symbols=ignore-in-object-files", "-o", out])
    return out


def show(name, shapes, counts, wrong, left, slowest):
    """The row of the table of README.md."""
    cells = [name, len(shapes), sum(map(len, shapes.values())), *(counts.get(kind, 0) for kind in KINDS), wrong, left]
    print(f"| {' | '.join(map(str, cells))} | {slowest:.1f} s |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", choices=PROJECTS)
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--source", type=Path)
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--flags", default="")
    use = parser.parse_intermixed_args()
    use.work = (use.work or Path("projects") / use.project).resolve()
    use.work.mkdir(parents=True, exist_ok=True)
    project = PROJECTS[use.project]
    use.source = (use.source or fetched(project, use.work / "source")).resolve()
    if project.before:
        checked(project.before.format(s=use.source).split())
    flags = project.flags.format(s=use.source).split() + use.flags.split()
    calls = next((HERE / "typed").glob(f"{use.project}.c*"))
    every = operators_of(calls)
    archive = library(use, flags, project.units, every)
    complete(use, every, archive)
    out = program(use, calls, every, flags, archive)

    counts, slowest, bad, shapes = {}, 0.0, [0, 0], {}
    for operator in every:
        if use.operators and operator.name not in use.operators:
            continue
        for shape in operator.shapes:
            found = truths(out, operator.label, ("noise", "zero"), shape.values)
            heap, seconds, problem = predict(use, operator.name, [archive], shape.options())
            kind, wrong, left = judge(heap, found)
            kind = kind if found else "does not return"
            counts[kind] = counts.get(kind, 0) + 1
            shapes.setdefault(operator.name, []).append(shape)
            slowest, bad = max(slowest, seconds), [bad[0] + wrong, bad[1] + left]
            said = f"{heap['lower_bytes']} {heap['peak_bytes']} {heap['upper_bytes']}" if heap else problem
            print(f"{operator.name} {shape.shape} {'WRONG ' * wrong}{'LEFT ' * left}{kind}: {said}; "
                  f"true {[calls[1] for calls in found]}, {seconds:.1f} s", flush=True)
    show(use.project, shapes, counts, *bad, slowest)
    return 1 if any(bad) else 0


if __name__ == "__main__":
    sys.exit(main())
