# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes a project whose authors do not know memshape, compiles the units of its library as they are, and holds
predictions against runs: each operator is called three times, the second and third call count.

Where bench/projects/typed has a file, operators are functions of the project, which take its own structures: the file
says at which shapes they are called, and how a caller fills the arguments. Such a project is fetched. Where
bench/projects/operators has one, it holds wrappers of a few lines, as a user of the project writes them; they and all
units are compiled with operator=*, and --source names the unpacked project."""

import hashlib
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .corpus import COUNTING, Operator, Shape, compare, counter, numbers_of, show
from .harness import BENCH, add_build, checked, compiler, end, plugin, run

FOLDER = BENCH / "projects"
GSL = """err block vector matrix permutation combination sort fft wavelet histogram interpolation bspline linalg eigen
blas poly integration movstat filter statistics multifit spmatrix splinalg rstat sys cheb cblas complex sum""".split()


@dataclass
class Project:
    """Flags and units of the library, in which {s} is the source; where it is from, and what has to be made before."""

    flags: str
    units: list
    address: str = ""  #: of a git repository, or a source package of Debian 12
    pin: str = ""  #: the commit, or the SHA-256 of the package's orig.tar
    before: str = ""  #: a command


PROJECTS = {
    "darknet": Project("-I{s}/include -I{s}/src", ["src/*.c"], "https://github.com/pjreddie/darknet",
                       "f6afaabcdf85f77e7aff2ec55c020c0e297c77f9"),
    "sep": Project("-I{s}/src", ["src/*.c"], "https://github.com/kbarbary/sep",
                   "d6150a61a6c734d720f459a48dd2b8f15d92318f"),
    "csparse": Project("-I{s}/CSparse/Include", ["CSparse/Source/*.c"], "debian:suitesparse",
                       "bb106c43049138c19675cd70322e72ff8e4fd8bdcab3a096307fd78488913faf"),
    "openjpeg": Project("-DMUTEX_pthread -I{s}/src/lib/openjp2 -I{s}/build/src/lib/openjp2", ["src/lib/openjp2/*.c"],
                        "debian:openjpeg2", "007e19d772c8b6b22e35379630b06ff3549e49ba719d96453607a36ad7b4de73",
                        "cmake -S {s} -B {s}/build -DBUILD_SHARED_LIBS=OFF"),
    "world": Project("-I{s}/src", ["src/*.cpp"], "https://github.com/mmorise/World",
                     "d625e7608ca23a870018f01e7c562ac683d9847f"),
    "kissfft": Project("-I{s}", ["kiss_fft*.c", "kfc.c"]),
    "zfp": Project("-I{s}/include -I{s}/src", ["src/*.c"]),
    "seisunix": Project("-std=gnu89 -I{s}/src/cwp/include", ["src/cwp/lib/*.c"]),
    "gsl": Project("-DHAVE_CONFIG_H -I{s}", [f"{folder}/*.c" for folder in GSL]),
    "miniz": Project("-I{s} -I{s}/build", ["miniz*.c"]),
    "stb": Project("-I{s}", []),
    "lodepng": Project("-I{s}", ["lodepng.cpp"]),
    "nanoflann": Project("-I{s}/include", []),
    "leptonica": Project("-DHAVE_CONFIG_H -I{s}/src", ["src/*.c"]),
}
LETTER = {"float": "f", "double": "d", "int": "i", "unsigned": "i", "unsigned char": "b"}
MAIN = """{head}
int main(int argc, char **argv) {{
  kind = argv[2];
  for (int i = 3; i < argc && i < 67; ++i)
    numbers[i - 3] = atof(argv[i]);
  for (int call = 0; call < 3; ++call) {{
{calls}  }}
  return 0;
}}
"""


def arguments(parser):
    add_build(parser)
    parser.add_argument("project", choices=PROJECTS)
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--source", type=Path, help="the unpacked project")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--flags", default="", help="more flags of the compiler")


def wrappers_of(path):
    """Operators of a file, whose shapes stand in the comment above each, and a head of the program that declares them.
    Each tensor has as many elements as the symbols multiply to; what it holds before the first call stays."""
    head, found = '#include "call.h"\n', []
    for spec, text in re.findall(r"^//@ (.*)\n((?:.*\n)+?)(?=^//@|\Z)", path.read_text(), re.M):
        shapes, _, kinds = spec.partition(";")
        short = re.match(r"IMAGE\((\w+)", text)
        result, name, parameters = ("void ", short[1], "const unsigned char *in, int w, int h") if short else \
            re.match(r"(.*?)(\w+)\((.*?)\) *\{", text, re.S).groups()
        split = [re.match(r"(.*?)(\w+)$", " ".join(each.split())).groups() for each in parameters.split(",")]
        symbols = [each for kind, each in split if "*" not in kind]
        product = " * ".join(f"NUMBER({i})" for i in range(len(symbols))) or "1"
        kept, given = "", []
        for at, (kind, each) in enumerate(split):
            if "*" in kind:
                letter = LETTER[kind.replace("const", "").replace("*", "").strip()]
                kept += f"  static void *a{at};\n  if (!a{at})\n    a{at} = filled({product}, '{letter}');\n"
            given.append(f"({kind.strip()})" + (f"a{at}" if "*" in kind else f"NUMBER({symbols.index(each)})"))
        head += (f"{result}{name}({parameters});\nOPERATOR({name}) {{\n{kept}"
                 f"  COUNTED({name}({', '.join(given)}));\n}}\n")
        shapes = [Shape(",".join(pair.strip() for pair in shape.split(",")), numbers=numbers_of(shape))
                  for shape in shapes.split("|")]
        order = [[pair.split("=")[0] for pair in shape.shape.split(",")] for shape in shapes]
        for shape, names in zip(shapes, order):  # the program takes them in the order of the parameters
            shape.numbers = [shape.numbers[names.index(symbol)] for symbol in symbols]
        found.append(Operator(name, shapes, kinds=kinds.split()))
    return head, found


def typed_of(path):
    """Operators of a file in the form that typed/call.h tells, and the head of the program, which includes it."""
    found = []
    for name, shapes, label in re.findall(r"^//@ (\S+)(.*)\nOPERATOR\((\w+)\)", path.read_text(), re.M):
        split = [[part.strip() for part in (text + ";;").split(";")[:3]] for text in shapes.split("|")]
        found.append(Operator(name, [Shape(*each, numbers=numbers_of(re.sub("OTHERS=[^,;]*", "", ",".join(each[:2]))))
                                     for each in split], label))
    return f'#include "{path}"\n', found


def complete(build, operators, archive):
    """OTHERS=V gives the value to all symbols and settings that a shape does not name."""
    for operator in operators:
        for shape in operator.shapes:
            named, _, value = shape.shape.partition("OTHERS=")
            shape.shape = named.rstrip(",")
            for _ in range(2 if value else 0):  # symbols, then settings
                done = run([build / "bin/memshape", "predict", "--operator", operator.name, archive, *shape.options()])
                missing = re.search(r"(shape symbol|setting) missing for operator '.*?': (.*) \(--", done.stderr)
                if not missing:
                    break
                which = "settings" if missing[1] == "setting" else "shape"
                more = ",".join(f"{name}={value}" for name in missing[2].split(", "))
                setattr(shape, which, ",".join(filter(None, [getattr(shape, which), more])))


def from_debian(project, folder):
    """The package's sources as their authors published them, without Debian's patches. The folder is apt's own, so that
    they are found where only binary packages are listed."""
    apt = folder.parent / "apt"
    (apt / "lists/partial").mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text("deb-src http://deb.debian.org/debian bookworm main\n")
    places = {"Dir::Etc::sourcelist": apt / "sources.list", "Dir::Etc::sourceparts": "-",
              "Dir::State::lists": apt / "lists", "Dir::Cache": apt,
              "APT::Sandbox::User": os.environ.get("USER", "root")}
    options = [word for key, value in places.items() for word in ("-o", f"{key}={value}")]
    checked(["apt-get", *options, "update"])
    checked(["apt-get", *options, "source", "--download-only", project.address.partition(":")[2]], cwd=apt)
    packed = next(apt.glob("*.orig.tar.*"))
    if hashlib.sha256(packed.read_bytes()).hexdigest() != project.pin:
        end(f"{packed} is another version than the one of PROJECTS")
    folder.mkdir()
    checked(["tar", "-xf", packed, "-C", folder, "--strip-components", "1"])


def fetched(project, folder):
    if not project.address:
        end("this project is not fetched: give --source")
    if not folder.exists() and project.address.startswith("debian:"):
        from_debian(project, folder)
    elif not folder.exists():
        checked(["git", "init", "-q", folder])
        checked(["git", "-C", folder, "fetch", "-q", "--depth", "1", project.address, project.pin])
        checked(["git", "-C", folder, "checkout", "-q", "FETCH_HEAD"])
    return folder


def archive_of(use, flags, units):
    """An archive of those units that compile by themselves; the others are parts of them."""
    objects, changed = use.work / "objects", max(path.stat().st_mtime for path in use.build.glob("lib/memshape*"))
    objects.mkdir(parents=True, exist_ok=True)

    def compiled(unit):
        out = objects / (str(unit).strip("/").replace("/", "-") + ".o")
        there = out.exists() and out.stat().st_mtime > changed
        return out if there or run([compiler(unit), "-O2", "-g", "-w", *flags, "-c", unit, "-o",
                                    out]).returncode == 0 else None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        built = [out for out in pool.map(compiled, units) if out]
    archive = use.work / "lib.a"
    archive.unlink(missing_ok=True)
    checked(["ar", "rcs", archive, *built])
    return archive


def measure(use):
    project, path = PROJECTS[use.project], next(FOLDER.glob(f"*/{use.project}.c*"))
    use.work = (use.work or Path("build/bench/projects") / use.project).resolve()
    use.work.mkdir(parents=True, exist_ok=True)
    source = (use.source or fetched(project, use.work / "source")).resolve()
    if project.before:
        checked(project.before.format(s=source).split())
    typed = path.parent.name == "typed"
    head, operators = (typed_of if typed else wrappers_of)(path)
    flags = project.flags.format(s=source).split() + use.flags.split()
    units = [unit for pattern in project.units for unit in sorted(source.glob(pattern))] + ([] if typed else [path])
    if not typed and run([compiler(path), "-w", *flags, "-fsyntax-only", path]).returncode:
        end(f"{path} does not compile against {source}")
    archive = archive_of(use, [*flags, *plugin(use.build, [each.name for each in operators] if typed else ["*"])],
                         units)
    complete(use.build, operators, archive)
    main, program = use.work / f"main{path.suffix}", use.work / "program"
    calls = "".join(f'    if (!strcmp(argv[1], "{each.label}"))\n      {each.label}_called();\n' for each in operators)
    main.write_text(MAIN.format(head=head, calls=calls))
    folders = [f"-I{folder}" for folder in (BENCH / "programs", COUNTING, FOLDER / "typed")]
    checked([compiler(path), "-w", "-O1", *folders, *flags, "-c", main, "-o", f"{program}.o"])
    # Parts of the project that were not compiled are missing, and nothing here calls them.
    checked(["clang++-22", f"{program}.o", archive, *counter(use.work), "-lm", "-lpthread",
             "-Wl,--unresolved-symbols=ignore-in-object-files", "-o", program])
    return show([compare(use.build, use.project, operator, shape, program, [archive]) for operator in operators
                 if not use.operators or operator.name in use.operators for shape in operator.shapes])
