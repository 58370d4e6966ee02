#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every program under programs/ is built plain and with the plugin, at -O0 and -O2, without the runtime; what it prints and its exit
status must be equal. With the plugin every visible function with an integer parameter is an operator, so that all kinds of hooks are at work."""

from toolchain import HERE, main


def observe(tools, program):
    ran = tools.run(program)
    return ran.returncode, ran.stdout, ran.stderr


def check(tools):
    complaints = []
    programs = sorted((HERE / "programs").iterdir())
    assert len(programs) >= 10
    with_operators = 0
    for source in programs:
        for level in ("-O0", "-O2"):
            plain, instrumented = tools.scratch / f"{source.stem}.plain", tools.scratch / f"{source.stem}.instrumented"
            command = [*tools.compiler(source), level, "-pthread", source]
            try:
                tools.build(*command, "-o", plain)
                tools.build(*command, tools.plugin, "-fplugin-arg-memshape-operator=*", "-o", instrumented)
            except AssertionError as failed:
                complaints.append(f"{source.name} {level}: {failed}")
                continue
            before, after = observe(tools, plain), observe(tools, instrumented)
            if before != after:
                complaints.append(f"{source.name} {level}: plain {before}\n  instrumented {after}")
            binary = instrumented.read_bytes()
            if b"memshape_attach" not in binary:
                complaints.append(f"{source.name} {level}: has no hooks")
            with_operators += b"MEMSHAPE" in binary
    if with_operators < 10:
        complaints.append(f"only {with_operators} builds hold an operator")
    return complaints


if __name__ == "__main__":
    main(check)
