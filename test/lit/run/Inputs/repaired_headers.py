# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""repaired_headers.py FOLDER

Writes FOLDER/overlay.yaml for `-ivfsoverlay`: packaged headers with what a newer clang asks for. Nothing of them is kept
in the repository, and those that are not installed are left out."""

import json
import sys
from pathlib import Path

REPAIRS = (
    # A decrement of `this` itself, which clang 19 and newer refuse though nobody calls it.
    ("/usr/include/vigra/multi_iterator_coupled.hxx", None, "--this;", "--*this;"),
    # Debian builds Blitz++ with one compiler, and installs the description of that one alone.
    ("/usr/include/blitz/llvm/bzconfig.h", "/usr/include/blitz/gnu/bzconfig.h", "", ""),
    # It looks for a feature list that clang no longer has.
    (
        "/usr/include/ITK-5.2/itk_compiler_detection.h",
        None,
        "#  if ITK_COMPILER_IS_GNU\n",
        "#  if ITK_COMPILER_IS_GNU || ITK_COMPILER_IS_Clang\n",
    ),
)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, (name, source, old, new) in enumerate(REPAIRS):
        original = Path(source or name)
        if not original.exists():
            continue
        repaired = folder / f"{number}.h"
        repaired.write_text(original.read_text().replace(old, new) if old else original.read_text())
        files.append({"type": "file", "name": name, "external-contents": str(repaired)})
    overlay = {"version": 0, "use-external-names": False, "roots": files}
    (folder / "overlay.yaml").write_text(json.dumps(overlay))


main()
