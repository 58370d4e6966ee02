# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""resident.py MEMSHAPE PROGRAM --shape n=100 -- ARGS...

PROGRAM prints by how many bytes its resident peak grew in the operator's call, all of whose tensors are fresh. That is
held against touched_with_tensors_bytes: no more than it, but for a megabyte that the process itself may take, and no
less than it less 2 % and that megabyte."""

import argparse
import json
import subprocess
import sys

MARGIN = 1 << 20


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("memshape")
    parser.add_argument("program")
    parser.add_argument("--shape", required=True)
    parser.add_argument("--at-most", action="store_true", help="some blocks count whole: less may become resident")
    parser.add_argument("arguments", nargs="+")
    use = parser.parse_args()
    run = lambda command: subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    grown = int(run([use.program, *use.arguments]))
    heap = json.loads(run([use.memshape, "predict", use.program, "--shape", use.shape, "--json"]))["heap"]
    written = heap["touched_with_tensors_bytes"]
    print(f"written {written}, grown {grown}, requested {heap['peak_bytes']}, exact {heap['exact']}")
    if written is None:
        sys.exit("nothing is said of what is written")
    least = 0 if use.at_most else 0.98 * written - MARGIN
    if not least <= grown <= written + MARGIN:
        sys.exit("what became resident is not what was said to be written")


if __name__ == "__main__":
    main()
