#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each unit is compiled with and without the plugin, every visible function with an integer parameter an operator: the exit status must be
the same, and so must what the compiler says where it succeeds.

The suite compiles compile_only/, a file for each feature of the language and of the compiler that has its own way through code generation,
and kinds.cpp, where many stand together: each was a unit's own in vain, because it takes what one leaves to break another. A file names its
variants in lines `// flags: ...`; `A %s && B` are two compilations, and what the first one makes is called `first`. Variants without flags
are compiled at all levels, others at -O0 and at -O2. By hand, with --folder FOLDER: every source below it, such as the examples of a library,
with --flags for all of them; what does not compile there without the plugin is left out. With --commands FILE: compile commands of any
project, one per line, with a source and without -o (a line that begins with `cd FOLDER &&` runs there), or a compile_commands.json.
--sample N takes N of them by chance, --levels names what is added to each.

Where the plugin has nothing to announce in a unit, the object must be the same but for the section .memshape. Prints a table, with the
processor time of the compiler and its children with the plugin over without it, and the memory of the largest of these processes: a child
has what its parent has, so it is the largest while both are there."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shlex
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEVELS = ("-O0", "-O1", "-O2", "-O3")
#: Of commands with flags of their own: the pipelines of -O1 and -O3 have little that these two do not have.
LEVELS_OF_VARIANTS = ("-O0", "-O2")
STAR = "-fplugin-arg-memshape-operator=*"
#: What a compiler says that is not the same twice: times, and names of temporary files.
CHANGING = re.compile(r"(?m)^.*(?:Time|%\)|---|===|Total|seconds).*\n?|/tmp/\S+")


#: A compiler, the language, -w, -c and a source.
LEAST_WORDS = 5
ALLOCATED, ZEROS = 2, 8  # SHF_ALLOC, SHT_NOBITS
#: A compilation that is shorter tells nothing about how much longer it takes with the plugin.
SECONDS_WORTH_A_RATIO = 0.2
LANGUAGES = {".c": ["clang"], ".cpp": ["clang++"], ".cc": ["clang++"], ".cxx": ["clang++"], ".cu": ["clang++"]}


@dataclass
class Compilation:
    status: object  # exit status, or what happened instead
    said: str
    seconds: float  # of processor time, children included
    megabytes: float  # resident at the peak, of the largest process
    code: dict = None  # section: digest; None where there is no object, or the plugin's hooks are in it


@dataclass
class Comparison:
    compiles: bool  # as it is, without the plugin
    difference: str = ""
    before: float = 0.0
    after: float = 0.0
    grown: float = 0.0  # memory with the plugin over that without it
    most: float = 0.0  # megabytes with it
    same_code: bool = False  # was looked at, and is


def code_of(path):
    """Contents of the sections that get into a program, or None where the plugin's hooks are among them."""
    image = Path(path).read_bytes()
    if image[:6] != b"\x7fELF\x02\x01" or b"memshape_attach" in image:
        return None
    table, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    if table == 0 or count == 0 or names == 0xFFFF:
        return None
    heads = [struct.unpack_from("<IIQQQQ", image, table + number * size) for number in range(count)]
    text = heads[names][4]
    code = {}
    for name, kind, flags, _, offset, length in heads:
        name = image[text + name:image.index(b"\0", text + name)].decode()
        if flags & ALLOCATED:
            contents = b"" if kind == ZEROS else image[offset:offset + length]
            code[name] = hashlib.sha1(contents, usedforsecurity=False).hexdigest() + code.get(name, "")
    return code


def compiled(command, folder, seconds, with_code):
    """One compilation, in an empty folder of its own, or in the given one."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMSHAPE_")}
    environment["LC_ALL"] = "C.UTF-8"
    with tempfile.TemporaryDirectory(prefix="memshape-unit-") as scratch, open(f"{scratch}/said", "w+", errors="replace") as said:
        child = subprocess.Popen([*command, "-o", f"{scratch}/out"], cwd=folder or scratch, env=environment, stdout=subprocess.DEVNULL,
                                 stderr=said, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        spent = used.ru_utime + used.ru_stime
        said.seek(0)
        return Compilation("too long" if spent >= seconds else child.returncode, CHANGING.sub("", said.read()), spent,
                           used.ru_maxrss / 1024, code_of(f"{scratch}/out") if with_code and child.returncode == 0 else None)


def compare(command, folder, plugin, seconds, with_code):
    plain = compiled(command, folder, seconds, with_code)
    if plain.status == "too long" or (with_code and plain.status):
        return Comparison(False)
    flagged = compiled([*command, plugin, STAR], folder, 4 * seconds, with_code)
    result = Comparison(plain.status == 0, "", plain.seconds, flagged.seconds, flagged.megabytes / plain.megabytes, flagged.megabytes)
    if plain.status != flagged.status:
        result.difference = f"status {plain.status} without the flag, {flagged.status} with it: {flagged.said.strip()[:2000]}"
    elif plain.status == 0 and plain.said != flagged.said:
        result.difference = f"the compiler says {flagged.said.strip()[:1000]!r} instead of {plain.said.strip()[:1000]!r}"
    elif plain.code is not None and flagged.code is not None:
        other = sorted(name for name in {**plain.code, **flagged.code} if plain.code.get(name) != flagged.code.get(name))
        result.same_code = not other
        result.difference = f"the contents of {', '.join(other)} differ" if other else ""
    return result


def features(clang):
    """The commands of compile_only/."""
    for source in sorted((HERE / "compile_only").iterdir()):
        language = {".c": ["clang", "-std=gnu11"], ".cu": ["clang++", "-std=c++17"]}.get(source.suffix, ["clang++", "-std=c++20"])
        variants = re.findall(r"(?m)^// flags:(.*)$", source.read_text())
        assert variants, f"{source.name} names no flags"
        for flags in variants:
            compiler = [str(clang / language[0]), language[1], "-w"]
            if "&&" in flags:
                first, then = (shlex.join(compiler) + each.replace("%S", str(source.parent)).replace("%s", str(source))
                               for each in flags.split("&&"))
                yield ["sh", "-c", f'{first} "$@" -o first && {then} "$@"', str(source)], None
                continue
            kind = [] if re.search(r"(?:^| )-(?:S|E|fsyntax-only)(?: |$)", flags) else ["-c"]
            yield [*compiler, *kind, *flags.split(), str(source)], None


def listed(path, clang):
    """Commands of a file, each with the folder that it runs in, and its source at the end."""
    if path.suffix == ".json":
        entries = [(entry["directory"], entry["command"]) for entry in json.loads(path.read_text())]
    else:
        entries = [re.fullmatch(r"(?:cd (\S+) && )?(.*)", line).groups() for line in path.read_text().splitlines()]
    for folder, line in entries:
        words = re.sub(r" -o \S+", "", line)
        words = shlex.split(words, comments=True)
        if words:
            name = "clang++" if "++" in Path(words[0]).name else "clang"
            yield [str(clang / name), *words[1:]], folder


def chosen(commands, count):
    """So many of them, by chance, but always the same."""
    return sorted(commands, key=lambda each: hashlib.sha1(each[0][-1].encode(), usedforsecurity=False).digest())[:count]


def found(folders, flags, clang, sample):
    """Commands for the sources below folders, in an order that has nothing to do with their names."""
    folders = [folder.resolve() for folder in folders]
    sources = sorted({path for folder in folders for path in folder.rglob("*") if path.suffix in LANGUAGES and path.is_file()},
                     key=lambda path: hashlib.sha1(str(path).encode()).digest())
    around = [f"-I{folder}" for folder in folders]
    for source in sources[:sample]:
        yield [str(clang / LANGUAGES[source.suffix][0]), "-w", "-c", f"-I{source.parent}", *around, *flags, str(source)], None


def slowdowns(results):
    ratios = sorted(each.after / each.before for each in results if each.compiles and each.before >= SECONDS_WORTH_A_RATIO)
    if not ratios:
        return ""
    memory = sorted(each.grown for each in results if each.compiles)
    peak = f"; memory median x{statistics.median(memory):.2f}, worst x{memory[-1]:.2f}, most {max(each.most for each in results):.0f} MB"
    return (f"; of {len(ratios)} longer than {SECONDS_WORTH_A_RATIO} s: median x{statistics.median(ratios):.2f}, "
            f"nine of ten below x{ratios[len(ratios) * 9 // 10]:.2f}, worst x{ratios[-1]:.2f}{peak}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", type=Path, required=True, help="folder of the compilers")
    parser.add_argument("--lib", type=Path, required=True, help="folder of the loader")
    parser.add_argument("--bin", type=Path, help="not used: as all tests of this folder")
    parser.add_argument("--commands", type=Path, help="compile commands instead of compile_only/")
    parser.add_argument("--folder", type=Path, action="append", help="the sources below it instead of compile_only/; may be repeated")
    parser.add_argument("--flags", default="", help="for all sources of --folder, in one word")
    parser.add_argument("--sample", type=int, help="so many sources of --folder or commands at most")
    parser.add_argument("--minutes", type=float, default=1e6, help="no unit is begun after so long")
    parser.add_argument("--levels", nargs="*", default=LEVELS, help="what is added to each command, one after the other")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=300, help="of processor time; a unit that takes more without the flag is left out")
    parser.add_argument("--only", default="", help="part of the name of a source")
    use = parser.parse_args([f" {word}" if word in LEVELS else word for word in sys.argv[1:]])
    plugin = f"-fplugin={use.lib.resolve() / 'memshape'}"
    levels = [level.strip() for level in use.levels]
    if use.folder:
        commands = list(found(use.folder, shlex.split(use.flags), use.clang, use.sample))
    else:
        commands = list(listed(use.commands, use.clang) if use.commands else features(use.clang))
    commands = [each for each in commands if use.only in each[0][-1]]
    if use.sample and use.commands:
        commands = chosen(commands, use.sample)
    end = time.monotonic() + 60 * use.minutes

    def unit(each):
        """A comparison for each level; none where a source of a folder does not compile at all, or where it is late."""
        command, folder = each
        results = {}
        for level in levels:
            if time.monotonic() > end:
                return {}
            if level not in LEVELS_OF_VARIANTS and not use.folder and not use.commands and len(command) > LEAST_WORDS:
                continue
            results[level] = compare([*command, level], folder, plugin, use.seconds, bool(use.folder))
            if use.folder and not results[level].compiles:
                return {}
            if results[level].difference:
                print(f"{level} {shlex.join(command)}\n  {results[level].difference}", flush=True)
        return results

    with concurrent.futures.ThreadPoolExecutor(use.jobs) as pool:
        rows = [results for results in pool.map(unit, commands) if results]
    differ = 0
    for level in levels:
        column = [results[level] for results in rows if level in results]
        differ += sum(bool(each.difference) for each in column)
        same = f", {sum(each.same_code for each in column):6} without hooks have the same code" if use.folder else ""
        print(f"{level:5} {len(column):6} units, {sum(each.compiles for each in column):6} compile without the flag, "
              f"{sum(bool(each.difference) for each in column):6} differ with it{same}{slowdowns(column)}")
    if not use.folder and not use.commands and sum(any(each.compiles for each in results.values()) for results in rows) * 2 < len(commands):
        sys.exit("most units do not compile at all: the test tests little")
    raise SystemExit(1 if differ else 0)


if __name__ == "__main__":
    main()
