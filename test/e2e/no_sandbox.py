#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command that executes code of a file refuses in one line, with status 2, before it has done anything; with --trust it
answers as it does in the sandbox. Commands that execute none need no sandbox."""

import json

from toolchain import HERE, main

OPERATORS = """
#include <cstdlib>
int weight(const float *of, int n);
extern "C" __attribute__((annotate("memshape.operator"))) float smooth(const float *in, int n) {
  float *copy = static_cast<float *>(std::malloc(n * sizeof(float)));
  for (int i = 0; i < n; ++i) copy[i] = in[i] * 2;
  const float last = copy[n - 1];
  float *wide = static_cast<float *>(std::malloc(8 * n * weight(copy, n)));
  wide[0] = last;
  const float result = wide[0] + copy[0];
  std::free(wide);
  std::free(copy);
  return result;
}
"""
OTHER = """
#include <cstdio>
int weight(const float *, int n) { return n > 4 ? 2 : 1; }
extern "C" float smooth(const float *, int);
int main() {
  static float in[64];
  if (std::FILE *made = std::fopen("started", "w")) std::fclose(made);
  return smooth(in, 64) > 1;
}
"""


def without_time(text):
    """Answers differ in how long they took."""
    if not text:
        return None  # refused: smooth.o alone lacks a function
    answer = json.loads(text)
    answer.pop("time_us", None)
    return answer


def check(tools):
    for name, text in (("smooth.cpp", OPERATORS), ("other.cpp", OTHER)):
        (tools.scratch / name).write_text(text)
        tools.build(*tools.compiler(name), "-O2", "-g", tools.plugin, "-c", name, "-o", name.replace(".cpp", ".o"))
    tools.build(tools.clang / "clang++", "smooth.o", "other.o", "-o", "program")
    tools.build(tools.clang / "clang", HERE / "sandbox" / "no_filter.c", "-o", "no_filter")
    memshape, own_report = tools.bin / "memshape", tools.bin / "memshape-report"
    files = ["smooth.o", "other.o"]
    made = tools.run(memshape, "check", "--baseline", "memshape.lock", "--update", *files)
    wrong = [] if made.returncode == 0 else [f"no baseline: {made.stderr}"]
    executing = [
        [memshape, "predict", "smooth.o", "--shape", "n=100", "--json"],  # the runner alone
        [memshape, "predict", *files, "--shape", "n=100", "--json"],  # and the slicer
        [memshape, "report", *files],
        [memshape, "report", "--format", "json", *files],
        [own_report, "smooth.o"],
        [memshape, "check", "--baseline", "memshape.lock", *files],
        [memshape, "check", "--baseline", "other.lock", "--update", *files],
        [memshape, "run", "--limit", "1GiB", "--", "./program"],
        [memshape, "watch", "--times", "1", "record"],
    ]
    inside = [tools.scratch / "no_filter"]
    for command in executing:
        name = " ".join(part if isinstance(part, str) else part.name for part in command)
        (tools.scratch / "started").unlink(missing_ok=True)
        before = sorted(path.name for path in tools.scratch.iterdir())
        refused = tools.run(*inside, *command)
        lines = refused.stderr.splitlines()
        if refused.returncode != 2 or refused.stdout or len(lines) != 1 or "no sandbox" not in lines[0] or \
                "--trust" not in lines[0]:
            wrong.append(f"{name}: status {refused.returncode}, '{refused.stdout}', '{refused.stderr}'")
        if sorted(path.name for path in tools.scratch.iterdir()) != before:
            wrong.append(f"{name}: has left something")
        at = command.index("--") if "--" in command else len(command)
        trusting = [*command[:at], "--trust", *command[at:]]
        usual, trusted = tools.run(*command), tools.run(*inside, *trusting)
        if trusted.returncode != usual.returncode or "sandbox" in trusted.stderr:
            wrong.append(f"{name} --trust: status {trusted.returncode}, not {usual.returncode}: {trusted.stderr}")
        if "predict" in command and without_time(trusted.stdout) != without_time(usual.stdout):
            wrong.append(f"{name} --trust: {trusted.stdout}\nnot {usual.stdout}")
        if "run" in command and not (tools.scratch / "started").exists():
            wrong.append(f"{name} --trust: the program was not started")
        # In the sandbox, where there is one, the user's word changes nothing.
        if tools.run(*trusting).returncode != usual.returncode:
            wrong.append(f"{name} --trust differs where there is a sandbox")
    for command in ([memshape, "run", "--", "./program"], [memshape, "config", "--cflags"],
                    [memshape, "history", "list", "--store", "none.sqlite"]):
        usual, now = tools.run(*command), tools.run(*inside, *command)
        if usual.returncode != now.returncode or "sandbox" in now.stderr:
            wrong.append(f"{command[1]}: status {now.returncode}, not {usual.returncode}: {now.stderr}")
    # The processes themselves refuse as well, whoever starts them.
    for name in ("memshape-skeleton", "memshape-slicer"):
        process = tools.bin.parent / "libexec" / "memshape" / name
        alone, trusted, boxed = (tools.run(*command, input="{}\n") for command in (
            [*inside, process], [*inside, process, "--trust"], [process]))
        if "no sandbox" not in alone.stdout or json.loads(alone.stdout)["status"] != "error":
            wrong.append(f"{name}: {alone.stdout}")
        if trusted.stdout != boxed.stdout or "no sandbox" in boxed.stdout:
            wrong.append(f"{name} --trust: {trusted.stdout}, not {boxed.stdout}")
    return wrong


main(check)
