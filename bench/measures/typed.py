# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the operators of bench/typed/operators with memshape's flag, and beside them a program without it that
builds their arguments as the comments above each operator say; calls each twice at three shapes, on noise and on zeros;
and holds the second call against the prediction. Names are files or operators; without any all are taken."""

import json
import re
import sys
from pathlib import Path

from .corpus import COUNTING, Operator, Shape, compare, counter, show
from .harness import BENCH, ROOT, add_build, end, plugin, run

FOLDER = BENCH / "typed"
ITK = """ITKCommon ITKStatistics ITKTransform ITKFFT ITKConvolution ITKSmoothing ITKMathematicalMorphology
ITKImageFeature ITKFastMarching itkvnl_algo itkvnl itkv3p_netlib itksys""".split()
#: What a file of operators is compiled and linked with.
LIBRARIES = {
    "eigen": (["-I/usr/include/eigen3"], []),
    "armadillo": ([], ["-larmadillo"]),
    "blitz": ([], ["-lblitz"]),
    "dlib": ([], ["-ldlib", "-lblas", "-llapack"]),
    "itk": (["-fgnuc-version=12.2", "-I/usr/include/ITK-5.2"], [f"-l{name}-5.2" for name in ITK]),
    "opencv": (["-I/usr/include/opencv4"], ["-lopencv_imgproc", "-lopencv_core"]),
    "vigra": (["-std=c++17"], ["-lvigraimpex"]),
}
#: Headers of Debian 12 that clang 22 refuses: file, the file that it is made from, what is replaced in it by what.
REPAIRS = [
    ("/usr/include/vigra/multi_iterator_coupled.hxx", None, "--this;", "--*this;"),
    ("/usr/include/ITK-5.2/itk_compiler_detection.h", None, "#  if ITK_COMPILER_IS_GNU\n",
     "#  if ITK_COMPILER_IS_GNU || ITK_COMPILER_IS_Clang\n"),
    ("/usr/include/blitz/llvm/bzconfig.h", "/usr/include/blitz/gnu/bzconfig.h", "", ""),
]


def arguments(parser):
    add_build(parser)
    parser.add_argument("names", nargs="*", help="files or operators (default: all)")
    parser.add_argument("--work", type=Path, default=Path("build/bench/typed"))
    parser.add_argument("--small", action="store_true", help="without the last shape of each operator")


class Typed(Operator):
    """One operator of a file: the lines `//@ KEY VALUE` above it, and its source."""

    def __init__(self, lines, first_line, text):
        said = [line.split(None, 1) for line in lines]
        take = lambda key: [value.strip() for found, value in said if found == key]  # noqa: E731
        shapes = [dict(pair.strip().split("=") for pair in shape.split(",")) for shape in take("shapes")[0].split("|")]
        # Names that begin with _ are numbers of the program alone.
        super().__init__(take("operator")[0], [
            Shape(",".join(f"{name}={value}" for name, value in shape.items() if name[0] != "_"), ",".join(take("set")),
                  numbers=list(shape.values())) for shape in shapes], kinds=" ".join(take("data")).split())
        self.symbols, self.first_line, self.text = list(shapes[0]), first_line, text
        self.steps = [(key, value) for key, value in said if key in ("let", "do", "call")]
        # As the program that calls it sees it: its text up to the body.
        declared = " ".join(take("declare")) or text[: re.search(r"\s*\{", text).start()] + ";"
        self.declaration = "" if declared == "none" else declared + "\n"

    def driver(self):
        """Statements that build the arguments and make the call; $NAME is a symbol of the shape."""
        text = ""
        for key, value in self.steps:
            for name in sorted(self.symbols, key=len, reverse=True):
                value = value.replace("$" + name, f"shape[{self.symbols.index(name)}]")
            if key == "let":
                argument, expression = value.split("=", 1)
                text += f"      TYPED_ARGUMENT({argument.strip()}, {expression.strip()});\n"
            else:
                text += f"      {value.strip()}\n" if key == "do" else \
                        f"      typed::counted([&]() -> decltype(auto) {{ return {value.strip()}; }});\n"
        return (f'  if (!std::strcmp(argv[1], "{self.name}")) {{\n    for (int call = 0; call < 2; ++call) {{\n{text}'
                "    }\n    return 0;\n  }\n")


def operators_of(path):
    """What stands above the first operator of a file, and its operators."""
    lines = path.read_text().splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.startswith("//@ operator ")]
    found = []
    for at, stop in zip(starts, starts[1:] + [len(lines)]):
        body = at
        while lines[body].startswith("//@ "):
            body += 1
        found.append(Typed([line[4:].rstrip("\n") for line in lines[at:body]], body + 1, "".join(lines[body:stop])))
    return "".join(lines[: starts[0]]), found


def overlay(work):
    """A view of the file system in which the headers of REPAIRS are as clang accepts them."""
    roots = []
    for number, (name, source, old, new) in enumerate(REPAIRS):
        if Path(source or name).exists():
            fixed = work / f"header{number}.h"
            fixed.write_text(Path(source or name).read_text().replace(old or "\0", new))
            roots.append({"type": "file", "name": name, "external-contents": str(fixed)})
    (work / "overlay.yaml").write_text(json.dumps({"version": 0, "use-external-names": False, "roots": roots}))
    return ["-ivfsoverlay", work / "overlay.yaml"]


def program_of(use, path, preamble, operators, common, count):
    """The program that calls the operators; None where a header of the library is not there."""
    is_c, out = path.suffix == ".c", use.work / path.stem
    flags, libraries = LIBRARIES.get(path.stem, ([], []))
    common = ["-O2", "-w", *flags, *common]
    unit, main = use.work / path.name, use.work / f"{path.stem}-driver.cpp"
    parts = "".join(f'#line {each.first_line} "{path.name}"\n{each.text}' for each in operators)
    unit.write_text(f'#line 1 "{path.name}"\n{preamble}{parts}')
    declared = "".join(each.declaration for each in operators)
    if is_c:
        includes = "".join(re.findall(r"^ *#.*\n", preamble, re.M))
        preamble, declared = f'{includes}extern "C" {{\n' + re.sub(r"^ *#.*\n", "", preamble,
                                                                   flags=re.M), declared + "}\n"
    main.write_text(f'{preamble}{declared}#include "driver.h"\nint main(int argc, char **argv) {{\n  long shape[8];\n'
                    '  typed::zeros = !std::strcmp(argv[2], "zeros");\n'
                    "  for (int i = 3; i < argc && i < 11; ++i)\n    shape[i - 3] = std::atol(argv[i]);\n"
                    + "".join(each.driver() for each in operators) + "  return 3;\n}\n")
    steps = [["clang-22" if is_c else "clang++-22", "-std=c11" if is_c else "-std=c++20", *common,
              *plugin(use.build, [each.name for each in operators]), "-c", unit, "-o", f"{out}.o"],
             ["clang++-22", "-std=c++20", *common, f"-I{FOLDER}", f"-I{COUNTING}", "-c", main, "-o",
              f"{out}-driver.o"],
             ["clang++-22", f"{out}.o", f"{out}-driver.o", *count, *libraries, "-lpthread", "-o", out]]
    for step in steps:
        done = run(step)
        missing = re.search("fatal error: '(.*)' file not found", done.stderr)
        if missing:
            print(f"{path.name}: left out: there is no {missing[1]}; docs/dependencies.md names its package",
                  file=sys.stderr)
            return None
        if done.returncode:
            end(f"{' '.join(map(str, step))}\n{done.stderr[:4000]}")
    return out


def measure(use):
    use.work = use.work.resolve()
    use.work.mkdir(parents=True, exist_ok=True)
    common, count = [*overlay(use.work), f"-I{ROOT}/runtime/include"], counter(use.work)
    outcomes = []
    for path in sorted((FOLDER / "operators").iterdir()):
        preamble, operators = operators_of(path)
        if use.names and path.stem not in use.names:
            operators = [each for each in operators if each.name in use.names]
        program = program_of(use, path, preamble, operators, common, count) if operators else None
        if program:
            outcomes += [compare(use.build, path.stem, operator, shape, program, [program]) for operator in operators
                         for shape in operator.shapes[: 2 if use.small else 3]]
    return show(outcomes)
