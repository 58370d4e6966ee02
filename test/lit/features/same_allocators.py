# The plugin's allocators and those of the pass.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# same_allocators.py --write LIBRARIES         prints a unit that calls each allocator of the documents once
# same_allocators.py LIBRARIES FILE.o FILE.ll  compares what the plugin found (FILE.o) with what the pass found (FILE.ll)

import json
import re
import sys
from pathlib import Path

from read_features import features


def expanded(name):
    """[ab] and {a,bc} written out, as libraries/reader does."""
    opened = re.search(r"[\[{]", name)
    if not opened:
        return [name]
    at, closing = opened.start(), "]" if opened.group() == "[" else "}"
    end = name.index(closing, at)
    choices = list(name[at + 1 : end]) if closing == "]" else name[at + 1 : end].split(",")
    return [name[:at] + choice + rest for choice in choices for rest in expanded(name[end + 1 :])]


def allocators(folder):
    """Name -> document's entry, of C functions: those of C++ are told by their operators, not by name."""
    found = {}
    for path in sorted(Path(folder).glob("*/*.json")):
        for library in json.loads(path.read_text())["libraries"]:
            for entry in library.get("allocators", []):
                for name in (n for pattern in entry["names"] for n in expanded(pattern)):
                    if not name.startswith(("_Z", "__builtin")):
                        found.setdefault(name, entry)
    return found


def written(name, entry):
    of_block, stores = "block" in entry, entry["kind"] == "store"
    types = ["void **" if stores and i == 0 else "void *" if of_block and i == entry["block"] else "unsigned long" for i in range(5)]
    given = ["&made" if stores and i == 0 else "block" if of_block and i == entry["block"] else "n" for i in range(5)]
    result = "int" if stores else "void" if entry["kind"] == "release" else "void *"
    taken = "" if stores or entry["kind"] == "release" else "made = "
    return (f"{result} {name}({', '.join(types)});\n"
            f"void call_{name}(void *block, unsigned long n) {{\n  void *made;\n  {taken}{name}({', '.join(given)});\n"
            f"  keep(made);\n}}\n")


def main():
    if sys.argv[1] == "--write":
        print("void keep(void *);\n" + "\n".join(written(*each) for each in allocators(sys.argv[2]).items()))
        return 0
    known = allocators(sys.argv[1])
    of_plugin, of_pass = set(), set()
    for document in features(sys.argv[2]):
        for operator in document["operators"]:
            if operator["allocations"]:
                of_plugin.add(operator["operator"].removeprefix("call_"))
    for name, body in re.findall(r"^define [^\n]*@call_(\w+)\([^\n]*\{\n(.*?)^\}", Path(sys.argv[3]).read_text(), re.M | re.S):
        if "memshape.hooks" in body:
            of_pass.add(name)
    allocate = {name for name, entry in known.items() if entry["kind"] != "release"}
    # What allocates through others, or on the stack, is a place in the source alone.
    alone = {name for name in allocate if known[name].get("inside") or known[name].get("space") == "stack"}
    released = {name for name, entry in known.items() if entry["kind"] == "release" and entry.get("predicted", True)}
    failures = [f"the plugin {word} {name}" for word, names in (("misses", allocate - of_plugin), ("takes", of_plugin - allocate))
                for name in sorted(names)]
    wanted = (allocate - alone) | released
    failures += [f"the pass {word} {name}" for word, names in (("misses", wanted - of_pass), ("takes", of_pass - wanted))
                 for name in sorted(names)]
    print("\n".join(failures) or f"{len(allocate)} allocators, {len(released)} that free")
    return bool(failures)


sys.exit(main())
