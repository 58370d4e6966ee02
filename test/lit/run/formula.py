# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""formula.py MEMSHAPE FILE OPERATOR SYMBOL AT FIRST LAST

Asks for the formula of the peak at SYMBOL=AT, and holds it against the prediction at every value from FIRST to LAST that
lies in the formula's domain. A few values between those that the tool drew are where a wrong formula hides."""

import json
import math
import re
import subprocess
import sys
from fractions import Fraction


def predict(memshape, file, operator, symbol, value):
    command = [memshape, "predict", file, "--operator", operator, "--shape", f"{symbol}={value}", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def halved(value, end):
    while value > end and value % 2 == 0:
        value /= 2
    return value


def evaluate(formula, symbol, value):
    """Exact value of a printed formula: whole numbers become fractions, except behind a power."""
    text = re.sub(r"(?<![\w.^])(\d+)", r"Fraction(\1)", formula).replace("^", "**")
    names = {
        "Fraction": Fraction,
        "max": max,
        "floor": lambda x: Fraction(math.floor(x)),
        "ceil": lambda x: Fraction(math.ceil(x)),
        "halved": halved,
        "pow2ceil": lambda x: Fraction(1 << max(0, math.ceil(x) - 1).bit_length()),
        symbol: Fraction(value),
    }
    return eval(text, {"__builtins__": {}}, names)


def main():
    memshape, file, operator, symbol = sys.argv[1:5]
    at, first, last = map(int, sys.argv[5:8])
    found = predict(memshape, file, operator, symbol, at)["formula"]
    formula, (low, high) = found["peak"], found["domain"][symbol] if found["peak"] else (1, 0)
    print(f"peak {formula} for {low} <= {symbol} <= {high}")
    wrong = []
    for value in range(max(first, low), min(last, high) + 1):
        heap = predict(memshape, file, operator, symbol, value)["heap"]
        says = evaluate(formula, symbol, value)
        if not heap["exact"] or says != heap["peak_bytes"]:
            wrong.append(f"{symbol}={value}: formula {says}, skeleton {heap['peak_bytes']}")
    if wrong:
        sys.exit("\n".join(wrong))


main()
