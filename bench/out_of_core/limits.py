# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program within a limit of memory, with swap behind it. Used by km_swap.py and product.py. For root on Linux; what
cannot be had is an Unavailable, which says why."""

import contextlib
import mmap
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

V1, V2 = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")
POPULATE_WRITE = 23  # Linux 5.14


class Unavailable(Exception):
    pass


@contextlib.contextmanager
def ended_by_signals():
    """SIGTERM and SIGHUP end the program as SIGINT does: through what it has to clean up."""

    def end(number, _):
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Group:
    """A control group of version 1 or 2 with a limit in bytes, or None. Removed at the end."""

    def __init__(self, limit):
        self.version = 1 if (V1 / "memory.limit_in_bytes").exists() else 2
        try:
            if self.version == 2:
                if "memory" not in (V2 / "cgroup.controllers").read_text().split():
                    raise Unavailable("no control groups of memory")
                (V2 / "cgroup.subtree_control").write_text("+memory")
            self.folder = Path(tempfile.mkdtemp(prefix="memshape-km-swap-", dir=V1 if self.version == 1 else V2))
        except OSError as refused:
            raise Unavailable(f"no control group of memory: {refused}") from None
        try:
            if limit is not None:
                self.write("memory.limit_in_bytes" if self.version == 1 else "memory.max", limit)
        except OSError as refused:
            self.remove()
            raise Unavailable(f"no limit of memory: {refused}") from None

    def write(self, name, value):
        (self.folder / name).write_text(str(value))

    def numbers(self, name):
        """{word: number} of a file of lines, {} where the kernel has none; {"": number} of a single number."""
        try:
            lines = [line.split() for line in (self.folder / name).read_text().splitlines()]
        except OSError:
            return {}
        return {words[0] if len(words) > 1 else "": int(words[-1]) for words in lines if words[-1].isdigit()}

    def enter(self):
        """In the child, before its program."""
        self.write("cgroup.procs", os.getpid())

    def peaks(self):
        """Bytes: resident and page cache; what was in swap at most (v1: with what was resident). Kills; times at the
        limit."""
        if self.version == 1:
            peak, swap = "memory.max_usage_in_bytes", "memory.memsw.max_usage_in_bytes"
            at_limit, kills = self.numbers("memory.failcnt").get(""), self.numbers("memory.oom_control").get("oom_kill")
        else:
            peak, swap = "memory.peak", "memory.swap.peak"
            events = self.numbers("memory.events")
            at_limit, kills = events.get("max"), events.get("oom_kill")
        return {"group_peak_bytes": self.numbers(peak).get(""),
                ("with_swap" if self.version == 1 else "swap") + "_peak_bytes": self.numbers(swap).get(""),
                "at_limit": at_limit, "kills": kills, "major_faults": self.numbers("memory.stat").get("pgmajfault")}

    def remove(self):
        for _ in range(50):
            with contextlib.suppress(FileNotFoundError):
                try:
                    self.folder.rmdir()
                except OSError:  # the kernel has not let go of the last process yet
                    time.sleep(0.1)
                    continue
            return


def require_groups():
    Group(1 << 30).remove()


@contextlib.contextmanager
def swap_file(folder, size):
    """A swap file of its own, ahead of any other swap."""
    if not shutil.which("mkswap") or not shutil.which("swapon"):
        raise Unavailable("no swap: no mkswap and swapon")
    if shutil.disk_usage(folder).free < 2 * size:
        raise Unavailable(f"no swap: less than {2 * size} bytes are free in {folder}")
    descriptor, name = tempfile.mkstemp(prefix="memshape-km-swap-", dir=folder)
    try:
        try:
            os.posix_fallocate(descriptor, 0, size)
        except OSError as refused:
            raise Unavailable(f"no swap: {refused}") from None
        finally:
            os.close(descriptor)
        try:
            for words in (["mkswap", name], ["swapon", "--priority", "32767", name]):
                done = subprocess.run(words, capture_output=True, text=True)
                if done.returncode:
                    raise Unavailable(f"no swap: {done.stderr.strip()}")
            yield
        finally:
            subprocess.run(["swapoff", name], capture_output=True)
    finally:
        os.unlink(name)


def drop_page_cache():
    """Whether it could be done."""
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError:
        return False
    return True


def warm(size):
    """Touches memory and gives it back: what a virtual machine has lent to its host returns before it is measured."""
    with contextlib.suppress(OSError, ValueError):
        with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
            memory.madvise(POPULATE_WRITE)


def run(command, limit, timeout):
    """The program's output, how it ended, and the group's peaks."""
    group, begin = Group(limit), time.monotonic()
    try:
        with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, preexec_fn=group.enter) as started:
            try:
                out, err = started.communicate(timeout=timeout)
                end = "ok" if started.returncode == 0 else f"ended with {started.returncode}: {err.strip()}"
            except subprocess.TimeoutExpired:
                out, end = "", f"stopped after {timeout} s"
            finally:
                if started.poll() is None:
                    started.kill()
        return {"end": end, "wall_s": round(time.monotonic() - begin, 3), **group.peaks()}, out
    finally:
        group.remove()
