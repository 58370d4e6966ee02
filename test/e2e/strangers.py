#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects that somebody made up, one for each way to do harm: show a file in the report, fill the memory, hold a command, leave
processes behind, tell a variable, answer with what is no answer. Each command ends in time, in one line, within its limits,
and nothing is left of it."""

import concurrent.futures
import json
import os
import platform
import resource
import signal
import subprocess
import time
from pathlib import Path

import sections
from toolchain import HERE, main

CANARY = "CANARY-7f3a"
MEMORY = 256 << 20


class Checks:
    def __init__(self, tools):
        self.tools, self.complaints = tools, []
        self.memshape, self.report = tools.bin / "memshape", tools.bin / "memshape-report"

    def expect(self, what, found, wanted):
        if found != wanted:
            self.complaints.append(f"{what}: {found!r} instead of {wanted!r}")

    def object(self, name, document, records=None, **defines):
        """One whose skeleton is stranger.c with these defines."""
        scratch, source = self.tools.scratch, HERE / "sandbox" / "stranger.c"
        if records is None:
            bitcode = sections.compiled(self.tools, source, scratch / "code.bc", defines, "-c", "-emit-llvm").read_bytes()
            code = sections.compiled(self.tools, source, scratch / "code.o", defines, "-c").read_bytes()
            records = sections.record(document, bitcode, code)
        return sections.object_with(self.tools, scratch, name, records)

    def hostile(self, name, **defines):
        return self.object(name + ".o", sections.skeleton_of(name, [sections.site(0, "a.c", 1)]), **defines)

    def library(self, name, **defines):
        """A skeleton that calls a library whose constructor does the harm."""
        library = sections.compiled(self.tools, HERE / "sandbox" / "stranger.c", self.tools.scratch / f"lib{name}.so",
                                    dict(defines, AS_LIBRARY=1), "-shared", "-nostdlib")
        document = sections.skeleton_of(name, [sections.site(0, "a.c", 1)], libraries=[str(library)])
        return self.object(name + ".o", document, **defines)

    def predict(self, file, *options, **more):
        return self.tools.run(self.memshape, "predict", file, "--shape", "n=1", *options, **more)

    def refused(self, what, done, *words):
        lines = done.stderr.splitlines()
        if done.returncode != 2 or len(lines) != 1 or done.stdout or not all(word in lines[0] for word in words):
            self.complaints.append(f"{what}: status {done.returncode}, '{done.stdout[:200]}', '{done.stderr[:400]}'")

    def nothing_left(self, what):
        """No process of this product's runner lives on."""
        runner = str(self.tools.bin.parent / "libexec" / "memshape")
        for _ in range(50):
            left = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit() and
                    started_here(entry, runner, self.tools.scratch)]
            if not left:
                return
            time.sleep(0.1)
        self.complaints.append(f"{what}: processes are left: {left}")
        for process in left:
            os.kill(int(process), signal.SIGKILL)

    # Files

    def files(self):
        """The report shows sources of the project, and nothing else that an object names."""
        scratch = self.tools.scratch
        home, project = scratch / "home", scratch / "home" / "project"
        project.mkdir(parents=True)
        for path, text in ((home / ".netrc", CANARY), (home / "key", CANARY), (home / "other.c", f"// {CANARY}\n"),
                           (project / ".secret.c", f"// {CANARY}\n"), (project / "own.c", "int shown_line;\n")):
            path.write_text(text)
        (project / "link.h").symlink_to(home / "key")
        (project / "away.c").symlink_to(home / "other.c")
        (project / "near.c").symlink_to(project / "own.c")
        places = [f"/usr/include/../..{home}/key", f"/usr/include/../..{home}/.netrc", "link.h", "away.c", "../other.c",
                  str(home / "other.c"), ".secret.c", f"/proc/self/root{home}/include/../other.c",
                  f"/proc/self/cwd/../other.c", str(home / ".netrc"), str(home / "key")]
        for folder in ("/", str(home), str(home / "project")):
            file = self.object("disc.o", sections.skeleton_of(
                "f", [sections.site(at, place, 1) for at, place in enumerate([*places, "own.c", "near.c"])],
                directory=folder), ASKS='"HOME"')
            file.rename(project / "disc.o")
            done = self.tools.run(self.report, "--format", "html", "disc.o", "-o", "page.html", cwd=project,
                                  environment={"HOME": str(home)})
            page = (project / "page.html").read_text() if done.returncode == 0 else done.stderr
            self.expect(f"secrets in the report of an object made in {folder}", CANARY in page, False)
            self.expect(f"sources in it", "shown_line" in page, True)

    # Memory

    def memory(self):
        limit = ["--work-memory", f"{MEMORY >> 20}MiB"]
        words = ["256 MiB of memory", "--work-memory"]
        for way in ("FILLS", "TAKES"):
            file = self.hostile(way.lower(), **{way: 1})
            began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            self.refused(way, self.predict(file, *limit), *words)
            self.expect(f"{way} in seconds", time.monotonic() - began < 60, True)
            most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
            if most > max(4 * MEMORY, before << 10):
                self.complaints.append(f"{way}: a process held {most} bytes")
        wide = b'{"schema": "memshape.skeleton/2", "sites": [' + b"0," * (100 << 20) + b"0]}"
        for name, records, word in (
                ("wide.o", sections.record(wide, b"BC", packed=True), "4 million values"),
                ("blank.o", sections.record(b" " * (400 << 20), b"BC", packed=True) * 3, "1024 MiB")):
            file = self.object(name, None, records)
            for command in (["predict", file, "--shape", "n=1"], ["report", file], ["check", "--baseline", "b.lock", "--update", file]):
                self.refused(f"{command[0]} {name}", self.tools.run(self.memshape, *command), word)
        file = self.object("small.o", None, sections.record(b" " * (400 << 20), b"BC", packed=True))
        self.refused("more than this process may take", self.predict(file, *limit), *words)
        tools_limit = self.predict(file, "--work-memory", "much")
        self.refused("a limit that is no size", tools_limit, "--work-memory", "much")

    # Time

    def time(self):
        """A command waits for a skeleton that sleeps once, however often it would ask it."""
        file, lock = self.hostile("sleeps", SLEEPS=1), self.tools.scratch / "sleeps.lock"

        def waits(words):
            began = time.monotonic()
            done = self.tools.run(self.memshape, *words, timeout=300)
            return words[0], done, time.monotonic() - began

        commands = [["predict", file, "--shape", "n=1"], ["report", file], ["emit", file], ["advise", file, "--shape", "n=1"],
                    ["solve", file, "--for", "n", "--memory", "1GiB"], ["check", "--baseline", lock, "--update", file],
                    ["plan", file, "--shape", "n=9", "--split", "n", "--memory", "1GiB"]]
        with concurrent.futures.ThreadPoolExecutor(len(commands)) as pool:
            for name, done, seconds in pool.map(waits, commands):
                if name in ("report", "check"):
                    self.expect(f"{name} of a skeleton that sleeps", done.returncode, 0)
                else:
                    self.refused(f"{name} of a skeleton that sleeps", done, "waits for something")
                self.expect(f"{name}: {seconds:.0f} s are at most a minute", seconds < 100, True)
        for name, most, more in (("libraries", 1024, [str(at) for at in range(1025)]),
                                 ("parameters", 1024, [{"name": f"n{at}", "role": "shape", "bits": 64} for at in range(1025)]),
                                 ("sites", 65536, [sections.site(at, "a.c", 1) for at in range(65537)]),
                                 ("decisions", 65536, [{"id": at, "effect": "none", "line": 1} for at in range(65537)])):
            document = sections.skeleton_of("f", [sections.site(0, "a.c", 1)])
            file = self.object("many.o", None, sections.record(dict(document, **{name: more}), b"BC"))
            self.refused(f"too many {name}", self.predict(file), f"{name}: more than {most}")

    # Processes

    def processes(self):
        stays = self.library("stays", STAYS=1)
        self.expect("a library that leaves a process", self.predict(stays).returncode, 0)
        self.nothing_left("a library that leaves a process")
        waits = self.library("waits", STAYS=1, SLEEPS=1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            process = subprocess.Popen([self.memshape, "predict", waits, "--shape", "n=1"], cwd=self.tools.scratch,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(2)
            process.send_signal(number)
            process.wait()
            self.nothing_left(f"memshape ended by {number.name}")
        self.refused("a fork bomb", self.predict(self.library("bomb", BOMB=1)), "starts more than 64 processes")
        self.nothing_left("a fork bomb")
        file = self.hostile("threads", THREADS=1)
        self.refused("threads without end", self.predict(file), "starts more than", "threads")
        self.expect("their report", self.tools.run(self.memshape, "report", file, timeout=300).returncode, 0)
        self.nothing_left("threads without end")

    # What is told

    def told(self):
        secret = {"GITHUB_TOKEN_OF_TEST": CANARY}
        file = self.hostile("asks", ASKS='"GITHUB_TOKEN_OF_TEST"')
        for options in ([], ["--json"]):
            done = self.predict(file, *options, environment=secret)
            self.expect("a variable that is withheld", (done.returncode, CANARY in done.stdout), (0, False))
            self.expect("what is said of it", "--variable GITHUB_TOKEN_OF_TEST" in done.stdout, True)
        done = self.predict(file, "--variable", "GITHUB_TOKEN_OF_TEST", environment=secret)
        self.expect("one that is handed on", f"GITHUB_TOKEN_OF_TEST={CANARY}" in done.stdout, True)
        done = self.predict(self.hostile("threads", ASKS='"OMP_PLACES"'), environment={"OMP_PLACES": "cores"})
        self.expect("one that libraries need", "OMP_PLACES=cores" in done.stdout, True)
        done = self.predict(self.hostile("reads", READS='"/proc/self/environ"'), "--json", environment=secret)
        self.expect("all variables", done.returncode, 0)

    # Answers

    def answers(self):
        for text in ('"varies": "x"', '"remembers": 1', '"threads": "x"'):
            answer = '{"status": "ok", "peak": 1, "total": 1, "allocations": 1, ' + text + "}"
            done = self.predict(self.hostile("says", SAYS=json.dumps(answer)))
            self.refused(f"an answer with {text}", done, "no proper answer", text.split('"')[1])


def started_here(entry, runner, scratch):
    try:
        if os.readlink(entry / "exe").startswith(runner):
            return str(scratch) in (entry / "maps").read_text() or f"{scratch}" in os.readlink(entry / "cwd")
    except OSError:
        pass
    return False


def check(tools):
    checks = Checks(tools)
    for part in (checks.files, checks.memory, checks.time, checks.processes, checks.told, checks.answers):
        began = time.monotonic()
        part()
        print(f"{part.__name__}: {time.monotonic() - began:.0f} s, {len(checks.complaints)} complaints")
    return checks.complaints


if platform.machine() != "x86_64":
    print("system calls are those of x86-64: nothing to try on " + platform.machine())
    raise SystemExit(0)
main(check)
