#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colours, width and bars of the report on a terminal and in a pipe; progress of what takes long; the
comparison of two builds and its exit status."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time

from toolchain import ROOT, main

PROGRAM = """
#include <memshape/operator.h>
#include <vector>
MEMSHAPE_OPERATOR void smooth(const float *in, int traces, int samples, float *out) {
  std::vector<float> copy(in, in + (long)traces * samples);
  for (long i = 0; i < (long)traces * samples; ++i) out[i] = float(copy[(long)traces * samples - 1 - i]);
}
"""

SLOW = """
#include <memshape/operator.h>
#include <cstdlib>
static void split(int n) {
  char *volatile block = static_cast<char *>(malloc(size_t(n) + 1));
  if (n > 0) { split(n - 1); split(n - 1); }
  free(block);
}
MEMSHAPE_OPERATOR void deep(int n) { split(n); }
"""


def on_terminal(command, columns, cwd, **environment):
    """What a command writes to a terminal of so many columns, and its status."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR" and not name.startswith("MEMSHAPE_")}
    variables |= {"TERM": "xterm", "LC_ALL": "C.UTF-8"} | environment
    process = subprocess.Popen([str(part) for part in command], stdout=slave, stderr=slave, stdin=slave, env=variables, cwd=cwd)
    os.close(slave)
    written = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the terminal is closed
            break
        if not part:
            break
        written += part
    os.close(master)
    return written.decode(errors="replace").replace("\r\n", "\n"), process.wait()


def check(tools):
    complaints = []

    def expect(what, good):
        if not good:
            complaints.append(what)

    report = tools.bin / "memshape-report"
    source, floats = tools.scratch / "smooth.cpp", tools.scratch / "smooth.o"
    source.write_text(PROGRAM)
    tools.build(*tools.compiler(source), "-O2", f"-I{ROOT}/runtime/include", tools.plugin, "-c", source, "-o", floats)
    piped = tools.run(report, floats)
    expect(f"a pipe gets colours: {piped.stdout!r}", "\033" not in piped.stdout and piped.returncode == 0)
    expect("a pipe's lines are broken", "shares at traces=100, samples=100)\n" in piped.stdout)
    expect("the pipe has no bars", "Live over one call at traces=100, samples=100" in piped.stdout)
    expect("how sure is not said", "exact, derived from the source" in piped.stdout)
    expect("bars outside of UTF-8", not re.search("[▁-█]", tools.run(report, floats, environment={"LC_ALL": "C"}).stdout))
    expect("no bars in UTF-8", "█" in tools.run(report, floats, environment={"LC_ALL": "C.UTF-8"}).stdout)
    expect("--shape is not used", "at traces=7, samples=100" in tools.run(report, "--shape", "traces=7", floats).stdout)

    screen, status = on_terminal([report, floats], 50, tools.scratch)
    expect(f"no colours on a terminal: {screen!r}", "\033[1msmooth\033[0m" in screen and status == 0)
    widest = max(len(re.sub("\033\\[[0-9;]*m", "", line)) for line in screen.split("\n"))
    expect(f"{widest} columns on a terminal of 50", widest <= 50)
    expect("NO_COLOR", "\033[" not in on_terminal([report, floats], 80, tools.scratch, NO_COLOR="1")[0])
    expect("TERM=dumb", "\033[" not in on_terminal([report, floats], 80, tools.scratch, TERM="dumb")[0])

    # A recursion that takes seconds: the line comes and goes on a terminal, and a pipe never sees it.
    (tools.scratch / "slow.cpp").write_text(SLOW)
    slow = tools.scratch / "slow.o"
    tools.build(*tools.compiler("slow.cpp"), "-O2", f"-I{ROOT}/runtime/include", tools.plugin, "-c", tools.scratch / "slow.cpp", "-o", slow)
    command = [tools.bin / "memshape", "predict", slow, "--shape", "n=26", "--json"]
    began = time.monotonic()
    screen, status = on_terminal(command, 80, tools.scratch, MEMSHAPE_CACHE="off")
    if time.monotonic() - began > 1.5:
        lines = screen.split("\r\033[K")
        expect(f"no progress: {screen[:300]!r}", len(lines) > 2 and re.fullmatch(r"predict: deep, \d+ s", lines[1]))
        expect("the line of progress stays", lines[-1].startswith("{") and status == 0)
    piped = tools.run(*command, environment={"TERM": "xterm"})
    expect(f"progress in a pipe: {piped.stderr!r}", not piped.stderr and "\r" not in piped.stdout)
    return complaints


if __name__ == "__main__":
    main(check)
