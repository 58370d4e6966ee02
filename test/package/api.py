#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the project of docs/api.md against memshape, with the README's operator, and compares what it prints with the page.

    find_package      memshape is installed into an empty prefix
    add_subdirectory  the project holds memshape; it is configured, and of it the program is built
    debian            the packages of cpack are installed into an empty root; the README's commands are run there, too"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from building import arguments, expect, run

USE = arguments(__doc__, "find_package", "add_subdirectory", "debian")


def block(page, language, number=0):
    """The text of a page's code block."""
    return re.findall(rf"^```{language}\n(.*?)^```", (USE.source / page).read_text(encoding="utf-8"), re.M | re.S)[number]


def printed(page, command):
    """What stands below a command in a page's console blocks."""
    for number in range(len(re.findall(r"^```console\n", (USE.source / page).read_text(encoding="utf-8"), re.M))):
        for step in re.split(r"^\$ ", block(page, "console", number), flags=re.M)[1:]:
            line, _, output = step.partition("\n")
            if line.startswith(command):
                return line, output
    sys.exit(f"api.py: {page} has no command {command}")


def without_times(text):
    return [re.sub(r"[\d.]+ (?=us\b)", "# ", line.rstrip()) for line in text.rstrip().splitlines()]


def packages(folder):
    """The packages by name, made from the build tree."""
    run(USE.cmake.with_name("cpack"), "-G", "DEB", "--config", USE.build / "CPackConfig.cmake", "-B", folder)
    made = {run("dpkg-deb", "-f", file, "Package").strip(): file for file in sorted(folder.glob("memshape_*.deb"))}
    expect(made.keys() == {"memshape", "memshape-dev", "memshape-runtime"}, f"other packages: {sorted(made)}")
    for name, wanted in (("memshape", ("memshape-runtime (= ", "libc6 (", "libllvm", "libsqlite3-0 (")),
                         ("memshape-runtime", ("libc6 (",)),
                         ("memshape-dev", ("memshape (= ", "memshape-runtime (= "))):
        depends = run("dpkg-deb", "-f", made[name], "Depends")
        expect(not shutil.which("dpkg-shlibdeps") or all(part in depends for part in wanted),
               f"{name} depends on {depends.strip()}")
    expect(f"clang-{USE.version}" in run("dpkg-deb", "-f", made["memshape"], "Recommends"), "memshape recommends no clang")
    # Where apt has lists, it finds all that the packages depend on.
    if shutil.which("apt-get") and run("apt-cache", "pkgnames", "libsqlite3-0").strip():
        run("apt-get", "-s", "-qq", "--no-install-recommends", "-o", "Debug::NoLocking=1", "install", *made.values())
    return made


def install_packages(made, root):
    """As dpkg does it, into a root that holds nothing else: no shell that could run ldconfig afterwards."""
    for folder in ("info", "updates", "triggers"):
        (root / "var/lib/dpkg" / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    run("dpkg", f"--root={root}", "--force-not-root", "--log=/dev/null", "--unpack", *made.values())
    here = [str(path.resolve()).encode() for path in (USE.source, USE.build)]
    for file in (path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink()):
        expect(not any(path in file.read_bytes() for path in here), f"{file} names a folder of the build")


def build_by_hand(there):
    """The program alone, with CMake's own command, against the library of the build tree, which is the same: all of memshape
    once more would take longer than all other tests. Ninja says that it would build library and runner."""
    steps = run("ninja", "-t", "query", "forecast", cwd=there) + run("ninja", "-t", "commands", "forecast", cwd=there)
    expect("libmemshape.so" in steps and "memshape-skeleton" in steps, f"forecast is built without memshape:\n{steps[-2000:]}")
    commands = json.loads((there / "compile_commands.json").read_text())
    command = next(each for each in commands if each["file"].endswith("forecast.cpp"))
    made = there / "forecast.o"
    run(*re.sub(r" -o \S+", f" -o {made}", command["command"]).split(), cwd=command["directory"])
    run(f"{USE.clang}/clang++", made, f"-L{USE.build}/lib", "-lmemshape", f"-Wl,-rpath,{USE.build}/lib", "-o", there / "forecast")


def main(temporary):
    project, build, prefix = temporary / "forecast", temporary / "build", temporary / "prefix"
    project.mkdir()
    (project / "forecast.cpp").write_text(block("docs/api.md", "cpp"))
    (project / "smooth.cpp").write_text(block("README.md", "cpp"))
    lists = block("docs/api.md", "cmake")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"]
    if USE.way == "add_subdirectory":
        lists = lists.replace("find_package(memshape REQUIRED)", f'add_subdirectory("{USE.source}" memshape EXCLUDE_FROM_ALL)')
        options += [f"-DMEMSHAPE_LLVM_VERSIONS={USE.version}", f"-DCMAKE_C_COMPILER={USE.clang}/clang",
                    f"-DCMAKE_CXX_COMPILER={USE.clang}/clang++", "-DCMAKE_CXX_FLAGS="]
        options.append("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    elif USE.way == "find_package":
        run(USE.cmake, "--install", USE.build, "--prefix", prefix)
    else:
        root = temporary / "root"
        install_packages(packages(temporary / "packages"), root)
        prefix = root / "usr"
    if USE.way == "find_package":
        contract = USE.source / "test/package/contract.cpp"
        lists += f'find_package(Threads REQUIRED)\nadd_executable(contract "{contract}")\n'
        lists += "target_link_libraries(contract PRIVATE memshape::memshape Threads::Threads)\n"
    (project / "CMakeLists.txt").write_text(lists)

    # A program is built by any compiler: by the system's, and by the clang that operators are compiled with.
    compilers = [f"{USE.clang}/clang++"] + [shutil.which("g++")] * (USE.way != "add_subdirectory")
    for number, compiler in enumerate(filter(None, compilers)):
        there = build.with_name(f"build{number or ''}")
        run(USE.cmake, "-S", project, "-B", there, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
            f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_STANDARD={23 if number else 20}", *options)
        if USE.way == "add_subdirectory":
            build_by_hand(there)
        else:
            run(USE.cmake, "--build", there, "-j", "2")
    # The plugin of an installation of its own; a tree that holds memshape and asks for predictions builds none.
    plugin = next((prefix if USE.way != "add_subdirectory" else USE.build).glob("lib/**/memshape"))
    headers = USE.source / "runtime/include" if USE.way == "add_subdirectory" else prefix / "include"
    run(f"{USE.clang}/clang++", "-O2", f"-fplugin={plugin}", f"-I{headers}", "-c", "smooth.cpp", cwd=project)
    for there in sorted(temporary.glob("build*")):
        told = run(there / "forecast", "smooth.o", cwd=project)
        expect(told == printed("docs/api.md", "build/forecast")[1], f"{there.name}/forecast prints\n{told}")
        missing = subprocess.run([there / "forecast", "nothing.o"], capture_output=True, text=True)
        expect(missing.returncode == 2 and "nothing.o" in missing.stderr, f"a missing file: {missing}")
        if USE.way == "find_package":
            run(there / "contract", "smooth.o", "smooth.cpp", cwd=project)
    if USE.way == "add_subdirectory":
        return
    line, wanted = printed("README.md", "memshape predict")
    told = run(prefix / "bin" / "memshape", *line.split()[1:], cwd=project)
    expect(without_times(told) == without_times(wanted), f"{line} prints\n{told}")
    version = run(prefix / "bin" / "memshape", "--version")
    expect(re.match(r"memshape \d+\.\d+\.\d+\ncommit +([0-9a-f]{12}|unknown)", version), f"--version prints\n{version}")
    exported = run("nm", "-DC", "--defined-only", next(prefix.glob("lib/**/libmemshape.so.0")))
    strangers = [name for name in exported.splitlines() if "memshape::v1::" not in name]
    expect(not strangers, f"libmemshape exports {strangers[:3]}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="memshape-api-") as folder:
        main(Path(folder).resolve())
