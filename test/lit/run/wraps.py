#!/usr/bin/env python3
"""Sizes that wrap, as comments of a test expect them.

usage: wraps.py MEMSHAPE OBJECT SOURCE

    // WRAPS product 4*w*h*2 32 signed w=16384,h=16384
    // SILENT hashed w=100000,h=100000

WRAPS: the report says so of a site of the operator, the prediction at that shape has the reason with the line of the
operator's source and is not exact, and it has no such reason at a shape whose extents are all less by one.
SILENT: the report says of no site that it wraps, and the prediction at the shape, where one is given, has no such
reason.
"""

import json
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, capture_output=True, text=True)


def prediction(memshape, path, operator, shape):
    """The reasons, and whether the answer is exact; where there is none, what is said instead."""
    run = output(memshape, "predict", path, "--operator", operator, "--shape", shape, "--json")
    if run.returncode:
        return run.stderr, False
    answer = json.loads(run.stdout)
    return [r for r in answer["reasons"] if r["code"] == "size_wraps"], answer["heap"]["exact"]


def main(memshape, path, source):
    lines = open(source, encoding="utf-8").read().splitlines()
    documents = json.loads(output(memshape, "report", "--format", "json", path).stdout)
    sites = {}
    for document in documents:
        for operator in document["operators"]:
            sites[operator["operator"]] = [s["wraps"] for s in operator["skeleton"]["sites"]]
    wrong = []

    def expect(right, what):
        if not right:
            wrong.append(what)

    for line in lines:
        if words := re.match(r"// WRAPS (\S+) (.+) (\d+) (signed|unsigned) (\S+)$", line):
            name, expression, bits, sign, shape = words.groups()
            found = [w for w in sites[name] if w]
            first = dict((s, int(v)) for s, v in (pair.split("=") for pair in shape.split(",")))
            expect(any((w["expression"], w["bits"], w["signed"], w["first"]) ==
                       (expression, int(bits), sign == "signed", first) for w in found), f"{name}: report {found}")
            reasons, exact = prediction(memshape, path, name, shape)
            place = [i for i, text in enumerate(lines, 1) if re.search(rf"\b{name}\(", text)]
            if isinstance(reasons, str):
                expect(expression in reasons, f"{name}: {reasons}")
            else:
                expect(not exact and any(r["expression"] == expression for r in reasons), f"{name}: {reasons} {exact}")
                expect(all(place[0] <= r["line"] < place[0] + 8 for r in reasons), f"{name}: {reasons} at {place}")
            smaller = ",".join(f"{s}={v - 1}" for s, v in first.items())
            expect(prediction(memshape, path, name, smaller)[0] in ([], ) or int(bits) == 64,
                   f"{name}: wraps at {smaller}, too")
        elif words := re.match(r"// SILENT (\S+)(?: (\S+))?$", line):
            name, shape = words.groups()
            expect(not any(sites[name]), f"{name}: report {sites[name]}")
            if shape:
                reasons, _ = prediction(memshape, path, name, shape)
                expect("wraps" not in reasons and not (isinstance(reasons, list) and reasons), f"{name}: {reasons}")
    print("\n".join(wrong) or "as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
