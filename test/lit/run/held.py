# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""held.py MEMSHAPE CLANG PLUGIN INCLUDE SOURCE PROGRAM FLAGS...

Compiles SOURCE with FLAGS to PROGRAM.o, links PROGRAM, and holds predictions against runs where comments say so:

    // HELD n=100 n=7                              at each of these shapes, whose numbers the program is given
    // HELD sum n=100 --bounds 0..400 -- 100 2     with options of compare.py, and other numbers for the program
    // HELD -DKIND=2 n=100                         a program of its own, compiled with more flags

A name in front of the shapes is that of an operator, and the first argument of the program. The program need not say how
it calls them (Inputs/twice.h): pointers are `data` and `more`, numbers those of the command line, each in the order of
the parameters. Without names it is its last function that is called."""

import re
import shlex
import subprocess
import sys
from itertools import count, takewhile
from pathlib import Path

sys.dont_write_bytecode = True
import compare  # noqa: E402

memshape, clang, plugin, include, source, program, *flags = sys.argv[1:]


def argument(parameter, pointers, numbers):
    kind, is_pointer = re.fullmatch(r"(.*?)\s*\b\w+(\[\])?", parameter.strip()).groups()
    if is_pointer or "*" in kind:
        return f"({kind}{' *' if is_pointer else ''}){next(pointers)}"
    return f"({kind})number({next(numbers)})"


def call(operator, code):
    result, parameters = re.search(rf"^([^\n;()]*)\b{operator}\(([^()]*)\)[^;{{}}]*{{", code, re.M).groups()
    pointers, numbers = iter(("data", "more")), count(1)
    arguments = ", ".join(argument(each, pointers, numbers) for each in parameters.split(","))
    return f"{'' if result.split()[-1] == 'void' else 'sink = '}{operator}({arguments})"


def end(code):
    """What the program does not say itself: how its operators are called, or without names its last function."""
    calls_itself = re.search(r"^(TWICE(_EACH|\()|int main\()", code, re.M)
    named = dict.fromkeys(re.findall(r"^\W*HELD (?:-\S+ )*(\w+) ", code, re.M))
    if named:
        missing = [each for each in named if f"TWICE_OF({each}," not in code]
        each_of_them = [f"TWICE_OF({each}, {call(each, code)})\n" for each in missing]
        return "".join(each_of_them) + ("" if calls_itself else "TWICE_EACH\n")
    last = re.findall(r"^\w[^\n;()]*\b(\w+)\([^()]*\)[^;{}]*{", code, re.M)[-1]
    return "" if calls_itself else f"TWICE({call(last, code)})\n"


def build(more):
    """Flags for the linker are given to both steps."""
    compiler = [clang + ("++" if source.endswith(".cpp") else ""), *flags, *more, "-Wno-unused-command-line-argument"]
    code, whole = Path(source).read_text(encoding="utf-8"), Path(program + Path(source).suffix)
    whole.write_text(f'#line 1 "{source}"\n{code}{end(code)}', encoding="utf-8")
    compiler += ["-iquote", str(Path(source).parent)]
    subprocess.run([*compiler, f"-fplugin={plugin}", f"-I{include}", "-c", whole, "-o", f"{program}.o"], check=True)
    subprocess.run([*compiler, f"{program}.o", "-o", program], check=True)


def checks(words):
    """The command lines of compare.py that a comment stands for."""
    operator = [words.pop(0)] if "=" not in words[0] else []
    shapes = list(takewhile(lambda word: not word.startswith("-"), words))
    options, numbers = words[len(shapes) :], None
    if "--" in options:
        options, numbers = options[: options.index("--")], options[options.index("--") + 1 :]
    for shape in shapes:
        given = [pair.split("=")[1] for pair in shape.split(",")] if numbers is None else numbers
        asked = ["--operator", *operator] if operator else []
        yield [memshape, program, "--shape", shape, *asked, *options, "--", *operator, *given]


def main():
    built, failures, held = None, 0, 0
    for line in open(source, encoding="utf-8"):
        found = re.match(r"\W*HELD (.*)", line)
        if not found:
            continue
        words = shlex.split(found.group(1))
        more = list(takewhile(lambda word: word.startswith("-"), words))
        if more != built:
            build(more)
            built = more
        for check in checks(words[len(more) :]):
            held += 1
            print("HELD", *more, *check[2:], flush=True)
            try:
                compare.main(check)
            except SystemExit as failure:
                failures += 1
                print(f"  wrong: {failure}", flush=True)
    if not held or failures:
        sys.exit(f"{failures} of {held} are not as stated")


main()
