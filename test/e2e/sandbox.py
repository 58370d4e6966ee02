#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects whose section holds code that tries every system call (sandbox/every_call.c), as a skeleton and as the constructor of a
library that a skeleton calls, as this user and, where this is root, as another one. `memshape predict` executes them; the
answer tells what became of each call. Nothing but what is on the list of the box succeeds, and nothing outside has
changed. Prints a table of the calls; the list is written here once more, by names, so that it does not grow unseen."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import sections
from toolchain import HERE, main

NATIVE, X32, OLD = 1024, 1024, 512
NOT_TRIED, SUCCEEDED, TRAPPED, FAULTED, LET_THROUGH, ERRORS = 1, 2, 3, 4, 5, 10
EACCES, ENOSYS = 13, 38

# What code in each box may call, whatever the arguments are.
COMPUTING = """mmap munmap mprotect mremap brk madvise mincore futex set_robust_list set_tid_address rseq sched_yield
sched_getaffinity getcpu clock_gettime clock_getres gettimeofday time times getrusage getrlimit nanosleep clock_nanosleep
getitimer setitimer rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall read readv pread64
preadv write writev lseek close close_range dup dup2 dup3 fstat fstatfs getpid gettid getppid getpgrp getuid geteuid getgid
getegid getresuid getresgid getgroups capget uname sysinfo getrandom arch_prctl exit exit_group""".split()
IN_LIBRARIES = """sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min get_mempolicy mbind
set_mempolicy membarrier poll ppoll select pselect6 pipe pipe2 eventfd2 stat lstat newfstatat statx statfs access faccessat
faccessat2 readlink readlinkat getcwd getdents getdents64 fadvise64""".split()
WHILE_LOADING = """wait4 waitid capset landlock_create_ruleset landlock_add_rule landlock_restrict_self""".split()
# Whose arguments decide: those that reach out are refused. To place another thread seems to succeed.
BY_ARGUMENTS = "open openat fcntl ioctl prctl prlimit64 clone seccomp sched_setaffinity".split()
SIGNALS = "kill tkill tgkill".split()
# uretprobe and uprobe: Linux asks no filter about them, and ends who makes them without having been probed.
PROBES = {335, 336}


def names_of_calls():
    """Numbers by name, from the kernel's own header."""
    text = subprocess.run(["cc", "-E", "-dM", "-include", "asm/unistd.h", "-x", "c", "/dev/null"], capture_output=True,
                          text=True, check=True).stdout
    return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", text)}


class Victims:
    """A folder with files, and a process, of the user whose privileges the hostile code has."""

    def __init__(self, scratch, name, user):
        self.folder = scratch / name
        self.folder.mkdir()
        self.file, self.other = self.folder / "victim", self.folder / "made"
        self.file.write_text("as it was\n")
        self.signals = scratch / (name + ".signals")
        self.signals.write_text("")
        for path in (self.folder, self.file, self.signals):
            os.chown(path, user, user)
        note = ("import signal, sys, time\n"
                f"def on(number, frame): open({str(self.signals)!r}, 'a').write(f'{{number}}\\n')\n"
                "for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(number, on)\n"
                "print('ready', flush=True)\n"
                "while True: time.sleep(1)\n")
        self.process = subprocess.Popen([sys.executable, "-c", note], stdout=subprocess.PIPE, text=True,
                                        **as_user(user))
        self.process.stdout.readline()
        self.before = self.state()

    def state(self):
        pid = self.process.pid
        inside = {path.name: (path.read_text(), tuple(getattr(path.stat(), "st_" + what) for what in (
            "mode", "uid", "gid", "size", "nlink", "mtime_ns", "ctime_ns"))) for path in sorted(self.folder.iterdir())}
        return {"files": inside, "folder": self.folder.stat().st_mode, "signals": self.signals.read_text(),
                "lives": self.process.poll() is None, "priority": os.getpriority(os.PRIO_PROCESS, pid),
                "processors": os.sched_getaffinity(pid), "scheduler": os.sched_getscheduler(pid),
                "limits": Path(f"/proc/{pid}/limits").read_text(), "name": platform.node(),
                "left behind": self.left_behind()}

    def left_behind(self):
        """Processes of this copy of the product: they may take a moment to end."""
        for _ in range(100):
            found = [link for link in map(program, Path("/proc").iterdir()) if link.startswith(str(self.folder.parent))]
            if not found:
                break
            time.sleep(0.1)
        return found

    def end(self):
        self.process.kill()
        self.process.wait()


def program(entry):
    try:
        return os.readlink(entry / "exe")
    except OSError:
        return ""


def as_user(user):
    return {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}


def document_of(place, libraries=()):
    """The document of the skeleton: a site for each call, with the number as its line."""
    def kind_of(at):
        return ("native", at) if at < NATIVE else ("x32", at - NATIVE) if at < NATIVE + X32 else \
            ("old", at - NATIVE - X32)
    return sections.skeleton_of(place, [sections.site(at, *kind_of(at)) for at in range(NATIVE + X32 + OLD)],
                                libraries=list(libraries))


def compiled(tools, folder, name, defines, *flags):
    return sections.compiled(tools, HERE / "sandbox" / "every_call.c", folder / name, defines, *flags)


def object_of(tools, folder, place, defines, with_code=True, libraries=()):
    bitcode = compiled(tools, folder, place + ".bc", defines, "-c", "-emit-llvm").read_bytes()
    code = compiled(tools, folder, place + ".code.o", defines, "-c").read_bytes() if with_code else b""
    return sections.object_with(tools, folder, place + ".o",
                                sections.record(document_of(place, libraries), bitcode, code))


def installed(tools):
    """A copy of the product that every user may read."""
    root = tools.scratch / "product"
    shutil.copytree(tools.bin, root / "bin", ignore=lambda _, names: [n for n in names if not n.startswith("memshape")])
    shutil.copytree(tools.bin.parent / "libexec", root / "libexec")
    for path in (tools.scratch, root, *root.rglob("*")):
        path.chmod(0o755)
    return root / "bin" / "memshape"


def outcome_text(outcome):
    return {NOT_TRIED: "not tried", SUCCEEDED: "SUCCEEDED", TRAPPED: "trapped", FAULTED: "ends the caller",
            LET_THROUGH: "on the list"}.get(outcome) or f"refused, {os.strerror(outcome - ERRORS)}"


def table(place, outcomes, names):
    """One line for each named call, one for each run of others."""
    known = {number: name for name, number in names.items()}
    print(f"calls tried by {place}:")
    for kind, count in (("native", NATIVE), ("x32", X32), ("old", OLD)):
        run = None
        for number in range(count + 1):
            what = None if number == count else (outcome_text(outcomes.get((kind, number), NOT_TRIED)),
                                                 known.get(number, "") if kind == "native" else "")
            if run and (what is None or what != run[1] or what[1]):
                first, (text, name) = run
                span = f"{first}" if first == number - 1 else f"{first}-{number - 1}"
                print(f"  {kind:7}{span:10}{name:26}{text}")
                run = None
            if what and not run:
                run = (number, what)


def check_outcomes(place, outcomes, names, boxed):
    wrong = []
    allowed = {names[name] for name in boxed if name in names}
    decided = {names[name] for name in BY_ARGUMENTS if name in names}
    pretended = {names["sched_setaffinity"]}
    traps = {names[name] for name in SIGNALS}
    for kind, count in (("native", NATIVE), ("x32", X32), ("old", OLD)):
        for number in range(count):
            got = outcomes.get((kind, number), NOT_TRIED)
            if kind != "native":
                fits = got == TRAPPED or (kind == "old" and got == FAULTED)
            elif number in allowed:
                # A kernel may be older than a call, and futex knows nothing of the operation -1.
                fits = got == LET_THROUGH or got == ERRORS + ENOSYS
            elif number in pretended:
                fits = got == SUCCEEDED
            elif number in traps:
                fits = got == TRAPPED
            elif number in PROBES:
                fits = got == FAULTED or got > ERRORS
            elif number in decided:
                fits = got not in (NOT_TRIED, SUCCEEDED, LET_THROUGH)
            else:
                fits = got == ERRORS + ENOSYS
            if not fits:
                wrong.append(f"{place}: {kind} call {number}: {outcome_text(got)}")
    return wrong


def hostile(tools, product, user, names):
    wrong = []
    folder = tools.scratch / f"of-{user}"
    folder.mkdir()
    folder.chmod(0o755)
    cases = [("skeleton", {"AS_SKELETON": 1}, COMPUTING + IN_LIBRARIES, True, False),
             ("bitcode", {"AS_SKELETON": 1}, COMPUTING + IN_LIBRARIES, False, False),
             ("constructor", {"ASKS_LIBRARY": 1}, COMPUTING + IN_LIBRARIES + WHILE_LOADING, True, True)]
    for place, defines, boxed, with_code, in_library in cases:
        victims = Victims(tools.scratch, f"{place}-{user}", user)
        defines = dict(defines, VICTIM=json.dumps(str(victims.file)), OTHER=json.dumps(str(victims.other)),
                       FOLDER=json.dumps(str(victims.folder)),
                       VICTIM_PROCESS=victims.process.pid,
                       OWN=",".join(str(names[name]) for name in boxed if name in names))
        libraries = []
        if in_library:
            own = {key: value for key, value in defines.items() if key != "ASKS_LIBRARY"}
            library = compiled(tools, folder, "libevery_call.so", dict(own, AS_LIBRARY=1), "-shared", "-nostdlib")
            libraries.append(str(library))
        file = object_of(tools, folder, place, defines, with_code, libraries)
        answer = tools.run(product, "predict", file, "--shape", "n=1", "--json", cwd=folder,
                           environment={"MEMSHAPE_CACHE": str(victims.folder.parent / "no-cache"), "HOME": "/nonexistent"},
                           **as_user(user))
        if answer.returncode:
            wrong.append(f"{place} as {user}: status {answer.returncode}: {answer.stderr.strip()}")
        else:
            sites = json.loads(answer.stdout)["sites"]
            outcomes = {(site["file"], site["line"]): site["bytes_at_peak"] for site in sites}
            table(f"{place} as user {user}", outcomes, names)
            wrong += check_outcomes(f"{place} as {user}", outcomes, names, boxed)
        after = victims.state()
        wrong += [f"{place} as {user}: {what} was {victims.before[what]}, is {after[what]}" for what in after
                  if after[what] != victims.before[what]]
        victims.end()
    return wrong


def check(tools):
    names = names_of_calls()
    product = installed(tools)
    wrong = []
    for user in [0, 65534] if os.getuid() == 0 else [os.getuid()]:
        wrong += hostile(tools, product, user, names)
    return wrong


if platform.machine() != "x86_64":
    print("numbers and instructions are those of x86-64: nothing to try on " + platform.machine())
    raise SystemExit(0)
main(check)
