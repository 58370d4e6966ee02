#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table of wrong requests: each must end with status 2, print nothing on standard output and exactly one line on standard
error that holds the words of the table, and leave the folder as it was."""

import shutil
import struct

from toolchain import main

OPERATORS = """
#include <vector>
__attribute__((annotate("memshape.operator")))
double total_energy(const float *cube, int ni, int nx, long ns) {
  std::vector<float> copy(static_cast<std::size_t>(ni) * nx * ns);
  double sum = 0;
  for (std::size_t i = 0; i < copy.size(); ++i)
    sum += copy[i] = cube[i] * cube[i];
  return sum;
}
__attribute__((annotate("memshape.operator")))
double mean_energy(const float *cube, int n, double scale) {
  std::vector<float> copy(n);
  for (int i = 0; i < n; ++i)
    copy[i] = static_cast<float>(cube[i] * scale);
  return copy[n / 2];
}
__attribute__((annotate("memshape.operator")))
float *dense(long n) { return new float[static_cast<std::size_t>(n) * n * n]; }
"""
OLD_CLANG = next(filter(None, map(shutil.which, ("clang-14", "clang-16"))), None)  # whose bitcode is not read
GOOD_SHAPE = ["--operator", "total_energy", "--shape", "ni=3,nx=5,ns=7"]


def shape(text):
    return ["predict", "good.o", "--operator", "total_energy", "--shape", text]


def patched(data, at, value):
    return data[:at] + value + data[at + len(value):]


def prepare(tools):
    """Files good and bad; the section's first record of good.o lies where its magic is."""
    scratch = tools.scratch
    (scratch / "operators.cpp").write_text(OPERATORS)
    tools.build(*tools.compiler("operators.cpp"), "-O2", "-c", "operators.cpp", "-o", "plain.o")
    tools.build(*tools.compiler("operators.cpp"), "-O2", "-c", tools.plugin, "operators.cpp", "-o", "good.o")
    good = (scratch / "good.o").read_bytes()
    record = good.index(b"MEMSHAPE")
    (scratch / "text.txt").write_text("not a program\n")
    (scratch / "empty.o").write_bytes(b"")
    (scratch / "truncated.o").write_bytes(good[:len(good) // 2])
    (scratch / "header_only.o").write_bytes(good[:64])
    (scratch / "future.o").write_bytes(patched(good, record + 8, struct.pack("<H", 2)))
    (scratch / "corrupt.o").write_bytes(patched(good, record + 48, bytes(255 - byte for byte in good[record + 48:record + 52])))
    (scratch / "huge.o").write_bytes(patched(good, record + 24, struct.pack("<Q", 1 << 40)))
    (scratch / "folder").mkdir()
    prepare_bitcode(tools)
    shutil.copy(scratch / "good.o", scratch / "good2.o")
    prepare_baselines(tools)


def prepare_bitcode(tools):
    scratch = tools.scratch
    (scratch / "plain.c").write_text("int twice(int n) { return 2 * n; }\n")
    compile_c = [*tools.compiler("plain.c"), "-O2", "-emit-llvm", "-c", "plain.c", "-o"]
    tools.build(*compile_c, "plain.bc")
    tools.build(*compile_c, "device.bc", "--target=nvptx64-nvidia-cuda")
    good = (scratch / "plain.bc").read_bytes()
    (scratch / "truncated.bc").write_bytes(good[:len(good) // 2])
    (scratch / "corrupt.bc").write_bytes(patched(good, len(good) // 2, bytes(64)))
    tools.build(tools.clang / "llvm-ar", "rc", "units.a", "plain.bc")
    tools.build(tools.clang / "llvm-ar", "rc", "mixed.a", "plain.bc", "plain.o", "text.txt")
    if OLD_CLANG:
        tools.build(OLD_CLANG, "-O2", "-emit-llvm", "-c", "plain.c", "-o", "old.bc")


def prepare_baselines(tools):
    scratch = tools.scratch
    (scratch / "two.cpp").write_text(OPERATORS.replace("double mean_energy", "static double mean_energy")
                                     + "double use(const float *c) { return mean_energy(c, 3, 1); }\n")
    tools.build(*tools.compiler("two.cpp"), "-O2", "-c", tools.plugin, "two.cpp", "-o", "two.o")
    done = tools.run(tools.bin / "memshape", "check", "--baseline", "good.lock", "--update", "good.o")
    assert done.returncode == 0, done.stderr
    good = (scratch / "good.lock").read_text()
    lines = good.splitlines(keepends=True)
    tolerance = next(number for number, line in enumerate(lines) if '"tolerance"' in line)
    start = next(number for number, line in enumerate(lines) if '"dense": {' in line)
    end = next(number for number in range(start, len(lines)) if lines[number] == "    },\n") + 1
    for name, text in (("cut.lock", good[:len(good) // 2]), ("empty.lock", ""), ("binary.lock", "\0\1\2"),
                       ("newer.lock", good.replace("memshape.lock/1", "memshape.lock/2")),
                       ("older.lock", good.replace("memshape.lock/1", "memshape.lock/0")),
                       ("other.lock", '{"schema": "package/3"}\n'), ("array.lock", "[1, 2]\n"),
                       ("merge.lock", "".join([*lines[:tolerance], "<<<<<<< HEAD\n", lines[tolerance], "=======\n",
                                               lines[tolerance], ">>>>>>> topic\n", *lines[tolerance + 1:]])),
                       ("twice.lock", "".join([*lines[:start], *lines[start:end], *lines[start:]])),
                       ("formula.lock", good.replace('"peak": "', '"peak": "1 +* ', 1)),
                       ("figures.lock", good.replace('"held": [', '"held": [7, ', 1))):
        (scratch / name).write_text(text)


def requests():
    """(what it is, program, arguments, words that the one line must hold)"""
    for name, words in (("nowhere.o", ["nowhere.o"]), ("text.txt", ["text.txt", "ELF"]), ("empty.o", ["empty.o"]),
                        ("folder", ["folder"]), ("truncated.o", ["truncated.o"]), ("header_only.o", ["header_only.o"]),
                        ("plain.bc", ["plain.bc", "memshape extract"]), ("units.a", ["units.a", "memshape extract"]),
                        ("mixed.a", ["mixed.a", "memshape extract"]), ("plain.o", ["plain.o", "-fplugin"]), ("future.o", ["future.o", "newer"]),
                        ("corrupt.o", ["corrupt.o"]), ("huge.o", ["huge.o"])):
        yield f"predict {name}", "memshape", ["predict", name, *GOOD_SHAPE], words
        yield f"report {name}", "memshape-report", [name], words
        yield f"memshape report {name}", "memshape", ["report", name, "--format", "json"], words
    for name, words in (("nowhere.bc", ["nowhere.bc"]), ("text.txt", ["text.txt", "no LLVM bitcode"]), ("empty.o", ["empty"]),
                        ("truncated.bc", ["truncated.bc", "damaged"]), ("corrupt.bc", ["corrupt.bc"]), ("units.a", ["archive"]),
                        ("mixed.a", ["mixed.a", "archive"]),
                        ("folder", ["folder"]), ("plain.o", ["machine code"]), ("device.bc", ["device.bc", "nvptx64"]),
                        *([("old.bc", ["old.bc", "LLVM 19"])] if OLD_CLANG else [])):
        yield f"extract {name}", "memshape", ["extract", name, "--operator", "twice", "-o", "never.o"], words
    yield "extract an unknown operator", "memshape", ["extract", "plain.bc", "--operator", "twise", "-o", "never.o"], ["'twice'"]
    yield "extract no operator", "memshape", ["extract", "plain.bc", "-o", "never.o"], ["--operator"]
    yield "extract to nowhere", "memshape", ["extract", "plain.bc", "--operator", "twice", "-o", "no/never.o"], ["no/never.o"]
    yield "unknown operator", "memshape", ["predict", "good.o", "--operator", "totl_energy", "--shape", "n=1"], ["total_energy"]
    yield "several operators", "memshape", ["predict", "good.o", "--shape", "n=1"], ["--operator"]
    yield "missing shape symbol", "memshape", shape("ni=3,nx=5"), ["ns"]
    yield "no shape", "memshape", ["predict", "good.o", "--operator", "total_energy"], ["shape"]
    yield "extra shape symbol", "memshape", shape("ni=3,nx=5,ns=7,nz=1"), ["nz"]
    yield "shape symbol twice", "memshape", shape("ni=3,nx=5,ns=7,ni=4"), ["ni"]
    yield "negative shape", "memshape", shape("ni=-3,nx=5,ns=7"), ["ni"]
    yield "fraction as shape", "memshape", shape("ni=3.5,nx=5,ns=7"), ["ni"]
    yield "word as shape", "memshape", shape("ni=many,nx=5,ns=7"), ["ni"]
    yield "no value", "memshape", shape("ni=,nx=5,ns=7"), ["ni"]
    yield "no equals sign", "memshape", shape("ni,nx=5,ns=7"), ["ni"]
    yield "wider than the parameter", "memshape", shape("ni=2147483648,nx=5,ns=7"), ["ni"]
    yield "beyond 64 bits", "memshape", shape("ni=3,nx=5,ns=9223372036854775808"), ["ns"]
    yield "bytes beyond 2^63", "memshape", ["predict", "good.o", "--operator", "dense", "--shape", "n=2000000"], []
    yield "product wraps to small", "memshape", ["predict", "good.o", "--operator", "dense", "--shape", "n=4194304"], []
    yield "missing setting", "memshape", ["predict", "good.o", "--operator", "mean_energy", "--shape", "n=5"], ["scale"]
    yield "setting is no number", "memshape", \
        ["predict", "good.o", "--operator", "mean_energy", "--shape", "n=5", "--set", "scale=big"], ["scale"]
    yield "unknown setting", "memshape", \
        ["predict", "good.o", "--operator", "mean_energy", "--shape", "n=5", "--set", "scale=1,gain=2"], ["gain"]
    yield "unknown option", "memshape", ["predict", "good.o", *GOOD_SHAPE, "--fast"], ["--fast"]
    for budget in ("0", "much", "-1", "8XiB", "1e30"):
        yield f"budget {budget}", "memshape", ["predict", "good.o", *GOOD_SHAPE, f"--budget={budget}"], ["--budget", budget]
    yield "no budget", "memshape", ["predict", "good.o", *GOOD_SHAPE, "--budget", ""], ["--budget", "no size"]
    yield "no limit", "memshape", ["run", "--limit", "", "--", "true"], ["--limit", "no size"]
    yield "budget without a file", "memshape", ["predict", "--operator", "total_energy", "--budget", "1GiB"], ["--budget", "FILE"]
    for held in ("much", "-1", "nan", "8XiB"):
        yield f"held {held}", "memshape", ["predict", "good.o", *GOOD_SHAPE, f"--held={held}"], ["--held", held]
    yield "misspelt option", "memshape", ["predict", "good.o", *GOOD_SHAPE, "--formt", "json"], ["did you mean --format?", "memshape predict --help"]
    yield "misspelt command", "memshape", ["predcit", "good.o"], ["did you mean predict?"]
    yield "unknown command", "memshape", ["guess", "good.o"], ["guess", "predict, "]
    yield "no command", "memshape", [], []
    yield "no library", "memshape", ["predict", "good.o", *GOOD_SHAPE, "--library", "libnothere.so"], ["libnothere.so"]
    yield "no file", "memshape", ["predict"], []
    yield "report without file", "memshape-report", [], []
    yield "unknown format", "memshape-report", ["good.o", "--format", "xml"], ["xml"]
    yield "unwritable output", "memshape-report", ["good.o", "-o", "nowhere/report.txt"], ["nowhere/report.txt"]
    yield "output is a folder", "memshape-report", ["good.o", "-o", "folder"], ["folder"]
    for name, words in (("nowhere.lock", ["nowhere.lock", "--update"]), ("cut.lock", ["cut.lock", "not a baseline"]),
                        ("empty.lock", ["empty.lock"]), ("binary.lock", ["binary.lock"]), ("newer.lock", ["memshape.lock/2"]),
                        ("older.lock", ["memshape.lock/0"]), ("other.lock", ["schema"]), ("array.lock", ["schema"]),
                        ("merge.lock", ["merge"]), ("twice.lock", ["'dense' twice"]), ("formula.lock", ["is no formula"]),
                        ("figures.lock", ["'held'"]), ("folder", ["folder"]), ("good.o", ["good.o"])):
        yield f"check against {name}", "memshape", ["check", "--baseline", name, "good.o"], words
        if name != "nowhere.lock":
            yield f"update of {name}", "memshape", ["check", "--baseline", name, "--update", "good.o"], words
    for name in ("nowhere.o", "text.txt", "plain.o", "truncated.o"):
        yield f"check of {name}", "memshape", ["check", "--baseline", "good.lock", name], [name]
    yield "check without baseline", "memshape", ["check", "good.o"], ["--baseline"]
    yield "check of two operators with one name", "memshape", ["check", "--baseline", "good.lock", "good.o", "two.o"], ["mean_energy"]
    yield "check in no format", "memshape", ["check", "--baseline", "good.lock", "--format", "xml", "good.o"], ["xml", "sarif"]
    yield "tolerance is no share", "memshape", ["check", "--baseline", "good.lock", "--tolerance", "five", "good.o"], ["five"]
    yield "tolerance of nothing", "memshape", ["check", "--baseline", "good.lock", "--tolerance", "dens=5%", "good.o"], ["dens"]
    yield "shape without update", "memshape", ["check", "--baseline", "good.lock", "--shape", "n=3", "good.o"], ["--update"]
    yield "shape for nothing", "memshape", ["check", "--baseline", "good.lock", "--update", "--shape", "m=3", "good.o"], ["m=3"]
    yield "setting for nothing", "memshape", ["check", "--baseline", "good.lock", "--update", "--set", "m=3", "good.o"], ["'m'"]
    yield "baseline into nowhere", "memshape", ["check", "--baseline", "nowhere/a.lock", "--update", "good.o"], ["nowhere/a.lock"]
    yield "run without program", "memshape", ["run", "--"], []
    yield "run of nothing", "memshape", ["run", "--", "./nowhere"], ["nowhere"]
    yield "run into nowhere", "memshape", ["run", "--json", "nowhere/run.json", "--", "/bin/true"], ["nowhere/run.json"]
    yield "config without question", "memshape", ["config"], []
    yield "config of another clang", "memshape", ["config", "--cflags", "--clang", "7"], ["7"]


def complaint(what, done, words, status=2):
    lines = done.stderr.splitlines()
    wrong = []
    if done.returncode != status:
        wrong.append(f"status {done.returncode}")
    if done.stdout:
        wrong.append(f"printed {done.stdout[:200]!r}")
    if len(lines) != 1:
        wrong.append(f"{len(lines)} lines on standard error")
    wrong += [f"no word of {word!r}" for word in words if word not in done.stderr]
    return f"{what}: {'; '.join(wrong)}: {done.stderr[:300]!r}" if wrong else None


def snapshot(tools):
    return {str(path.relative_to(tools.scratch)): path.stat().st_mtime_ns for path in tools.scratch.rglob("*")}


def check(tools):
    prepare(tools)
    complaints = []
    for what, program, arguments, words in requests():
        before = snapshot(tools)
        complaints.append(complaint(what, tools.run(tools.bin / program, *arguments), words))
        if snapshot(tools) != before:
            complaints.append(f"{what}: files were written")

    unknown = {"MEMSHAPE_CACH": "1"}
    complaints.append(complaint("misspelt variable", tools.run(
        tools.bin / "memshape", "predict", "good.o", *GOOD_SHAPE, environment=unknown), ["did you mean MEMSHAPE_CACHE"]))

    # The compiler tells in its own words, and fails as it does for any error; nothing is written either.
    compile_good = [*tools.compiler("operators.cpp"), "-c", tools.plugin, "operators.cpp", "-o", "never.o"]
    for what, options, environment, word in (
            ("unknown plugin argument", ["-fplugin-arg-memshape-speed=9"], {}, "speed"),
            ("misspelt variable for the plugin", [], unknown, "MEMSHAPE_CACH"),
            ("MEMSHAPE_DISABLE that is neither 0 nor 1", [], {"MEMSHAPE_DISABLE": "perhaps"}, "MEMSHAPE_DISABLE")):
        done = tools.run(*compile_good, *options, environment=environment)
        told = [line for line in done.stderr.splitlines() if "error:" in line]
        if done.returncode == 0 or len(told) != 1 or word not in told[0] or (tools.scratch / "never.o").exists():
            complaints.append(f"{what}: status {done.returncode}: {done.stderr[:300]!r}")

    # A module that belongs to another clang.
    for module in sorted(tools.lib.glob("memshape-[0-9][0-9].so")):
        version = module.stem.split("-")[1]
        if f"llvm-{version}/" in str(tools.clang) + "/":
            continue
        done = tools.run(*tools.compiler("operators.cpp"), "-c", f"-fplugin={module}", "operators.cpp", "-o", "never.o")
        told = [line for line in done.stderr.splitlines() if "memshape" in line and "clang" in line]
        if done.returncode == 0 or not told or "PLEASE submit a bug report" in done.stderr or (tools.scratch / "never.o").exists():
            complaints.append(f"module of clang {version} in another clang: status {done.returncode}: {done.stderr[:300]!r}")
    return [line for line in complaints if line]


if __name__ == "__main__":
    main(check)
