#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random reads of a file past the page cache (O_DIRECT), one and four at a time: what a fault of one page costs, and
what a store gains that reads whole blocks."""

import argparse
import mmap
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

KIB, MIB = 1 << 10, 1 << 20


def fill(path, size):
    """Bytes that no disk can leave out or shrink."""
    with open(path, "wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))
        os.fsync(file.fileno())


def reads(path, size, piece, depth, seconds):
    """Seconds of each read, and from the first to the end of the last."""
    took, failed, begin = [], [], time.perf_counter()

    def one(number):
        places, mine = random.Random(f"{piece} {depth} {number}"), []
        buffer = mmap.mmap(-1, piece)  # begins at a page
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECT)
            try:
                while (now := time.perf_counter()) < begin + seconds:
                    if os.preadv(descriptor, [buffer], places.randrange(size // piece) * piece) != piece:
                        raise OSError("a short read")
                    mine.append(time.perf_counter() - now)
            finally:
                os.close(descriptor)
        except OSError as refused:
            failed.append(refused)
        took.extend(mine)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(depth)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        sys.exit(f"disk.py: {path}: {failed[0]}")
    return took, time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="on the disk (default: /var/tmp)")
    parser.add_argument("--mib", type=int, default=2048, help="size of the file (default: 2048)")
    parser.add_argument("--seconds", type=float, default=3, help="of each row (default: 3)")
    use = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memshape-disk-", dir=use.folder) as scratch:
        path = Path(scratch) / "file"
        fill(path, use.mib * MIB)
        print("| bytes of a read | at a time | MB/s | reads/s | us, median | us, 99 % |\n|---|---|---|---|---|---|")
        for piece in (4 * KIB, 32 * KIB, MIB):
            for depth in (1, 4):
                took, whole = reads(path, use.mib * MIB, piece, depth, use.seconds)
                late = sorted(took)[len(took) * 99 // 100]
                print(f"| {piece} | {depth} | {len(took) * piece / whole / 1e6:.0f} | {len(took) / whole:.0f} | "
                      f"{1e6 * statistics.median(took):.0f} | {1e6 * late:.0f} |", flush=True)


if __name__ == "__main__":
    main()
