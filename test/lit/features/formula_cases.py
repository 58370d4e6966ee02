# What the plugin prints, against the table of cases.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# formula_cases.py CASES.json              prints a C source with an operator for each case that has a size in C
# formula_cases.py CASES.json FILE.o       checks that the features of FILE.o spell the cases' texts
#
# That the texts mean what the C says is checked at the cases' values, which the model's and the page's tests use too.

import json
import sys

import read_features

cases = [case for case in json.load(open(sys.argv[1]))["cases"] if "c" in case]
assert len(cases) > 8, "the table has no sizes in C"

if len(sys.argv) == 2:
    print("#include <stdlib.h>\n#include <assert.h>")
    for number, case in enumerate(cases):
        parameters = ", ".join(f"long {name}" for name in case["at"])
        print(f'__attribute__((annotate("memshape.operator"))) void *case{number}({parameters}) {{\n'
              f"  return malloc({case['c']});\n}}")
    print("int main(void) {")
    for case in cases:
        values = "".join(f"const long {name} = {value}; " for name, value in case["at"].items())
        print(f"  {{ {values}assert(({case['c']}) == {case['value']}); }}")
    print("}")
    sys.exit(0)

found = {}
for document in read_features.features(sys.argv[2]):
    for operator in document["operators"]:
        found[operator["operator"]] = [allocation["bytes"] for allocation in operator["allocations"]]
wrong = [f"{case['c']}: {found.get(f'case{number}')}, not {case['text']}"
         for number, case in enumerate(cases) if found.get(f"case{number}") != [case["text"]]]
print("\n".join(wrong) or f"{len(cases)} cases")
sys.exit(bool(wrong))
