#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape build: a project whose build uses gcc gets skeletons. What clang does not know is taken out and named, a unit that it refuses
is named with its first error, nothing is compiled again that has not changed, and the build's own files stay as they are."""

import json
import os
import resource
import shutil

from bad_input import complaint
from toolchain import main

UNITS = {
    "energy.c": '#include "sizes.h"\n#include <stdlib.h>\n'
                "double energy(const float *x, int n) { double *s = malloc(sizeof *s * WIDTH * n), e = 0;\n"
                "  for (int i = 0; i < n; ++i) s[i] = x[i];\n  for (int i = 0; i < n; ++i) e += s[n - 1 - i]; free(s); return e; }\n",
    "sum of rows.cpp": '#include <string>\n#include <vector>\nvoid rows(const float *x, int n, float *y) { std::vector<float> s(x, x + n);\n'
                       "  for (int i = 0; i < n; ++i) y[i] = s[n - 1 - i] * std::string(NAME).size(); }\n",
    "nested.c": "int twice(int n) { int f(int m) { return 2 * m + n; } return f(n); }\n",
    "start.s": ".globl start\nstart: ret\n",
}
COMMANDS = {
    "energy.c": "ccache gcc -O2 -fipa-pta -march=x86-64 -MD -MT energy.o -MF energy.d -o energy.o -c energy.c",
    "sum of rows.cpp": r"""/usr/bin/x86_64-linux-gnu-g++-12 -O2 -flto=auto -Werror -Wunknown-to-both -DNAME=\"ab\ c\" -o rows.o -c 'sum of rows.cpp'""",
    "nested.c": "gcc -O2 -c nested.c",
    "start.s": "gcc -c start.s",
    "gone.c": "gcc -c gone.c",
}
BAD = {
    "no.json": ("{", "not a list of compile commands"),
    "object.json": ("{}", "not a list of compile commands"),
    "numbers.json": ("[1]", "not an object"),
    "wordless.json": ('[{"directory": "/", "file": "a.c"}]', "neither 'command' nor 'arguments'"),
    "typed.json": ('[{"directory": "/", "file": 7, "command": "gcc -c a.c"}]', "file"),
    "deleted.json": ('[{"directory": "/nowhere", "file": "a.c", "arguments": ["gcc", "-c", "a.c"]}]', "there is no such file"),
    "empty.json": ("[]", "no unit"),
}


def check(tools):
    project, complaints = tools.scratch / "project", []
    project.mkdir()
    (project / "sizes.h").write_text("#define WIDTH 1\n")
    for name, text in UNITS.items():
        (project / name).write_text(text)
    entries = [{"directory": str(project), "file": name, "command": command} for name, command in COMMANDS.items()]
    (tools.scratch / "commands.json").write_text(json.dumps(entries))
    version = tools.clang.parent.name.removeprefix("llvm-")
    before = sorted(project.iterdir())

    def built(jobs="2"):
        done = tools.run(tools.bin / "memshape", "build", "commands.json", "--output", "all.a", "--jobs", jobs, "--clang", version, "--json",
                         environment={"PATH": f"{named.parent}:{os.environ['PATH']}"})
        answer = json.loads(done.stdout or "{}")
        return done, answer, {unit["source"].rsplit("/", 1)[-1]: unit for unit in answer.get("units", [])}

    # What memshape may take for itself is no limit of a compiler.
    (tools.scratch / "bin").mkdir()
    named = tools.scratch / "bin" / f"clang-{version}"
    named.write_text(f'#!/bin/sh\nulimit -d >> {tools.scratch}/limits\nexec {tools.clang}/clang "$@"\n')
    named.chmod(0o755)

    def expect(what, seen, wanted):
        if seen != wanted:
            complaints.append(f"{what}: {seen}, not {wanted}")

    def peak(operator):
        done = tools.run(tools.bin / "memshape", "predict", "all.a", "--operator", operator, "--shape", "n=100", "--json")
        return json.loads(done.stdout)["heap"]["peak_bytes"] if done.returncode == 0 else done.stderr

    done, answer, units = built()
    if not answer:
        return [f"no answer: {done.stderr}"]
    states = {"energy.c": "compiled", "sum of rows.cpp": "compiled", "nested.c": "refused", "start.s": "left out", "gone.c": "left out"}
    expect("status", (done.returncode, done.stderr), (1, "memshape: 1 of 5 units have no skeletons: clang refuses them\n"))
    limit, _ = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = "unlimited" if limit == resource.RLIM_INFINITY else str(limit // 1024)
    expect("limits of compilers", set((tools.scratch / "limits").read_text().split()), {wanted})
    expect("states", {name: unit["state"] for name, unit in units.items()}, states)
    expect("what was taken out", {name: unit["taken_out"] for name, unit in units.items() if "taken_out" in unit},
           {"energy.c": ["-fipa-pta"], "sum of rows.cpp": ["-flto=auto"]})
    expect("the first error", "nested.c:1:33: error: function definition is not allowed here" in units["nested.c"]["reason"], True)
    expect("peaks", (peak("energy"), peak("rows")), (800, 400))
    expect("files of the build", sorted(project.iterdir()), before)

    states.update({"energy.c": "up to date", "sum of rows.cpp": "up to date"})
    expect("states again", {name: unit["state"] for name, unit in built()[2].items()}, states)
    (project / "sizes.h").write_text("#define WIDTH 3\n")
    states["energy.c"] = "compiled"
    expect("states after a change", {name: unit["state"] for name, unit in built("1")[2].items()}, states)
    expect("the peak after it", peak("energy"), 2400)

    for name, (text, words) in BAD.items():
        (tools.scratch / name).write_text(text)
        done = tools.run(tools.bin / "memshape", "build", name, "-o", "bad.a", "--clang", version)
        complaints += filter(None, [complaint(name, done, [words])])
        shutil.rmtree(tools.scratch / "bad.a.objects", ignore_errors=True)
    return complaints


if __name__ == "__main__":
    main(check)
