#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a post-stack cube with segyio, reads it back, and prints what it holds.

    make_segy.py cube.segy 24 31 57

gives 24 inlines, 31 crosslines and 57 samples of 4 ms: two dipping reflectors. Needs Debian's python3-segyio."""

import sys

import numpy
import segyio


def write(path, inlines, crosslines, samples):
    spec = segyio.spec()
    spec.sorting = segyio.TraceSortingFormat.INLINE_SORTING
    spec.format = segyio.SegySampleFormat.IEEE_FLOAT_4_BYTE
    spec.ilines = range(1, inlines + 1)
    spec.xlines = range(101, crosslines + 101)
    spec.samples = numpy.arange(samples) * 4.0
    time = numpy.arange(samples)
    with segyio.create(path, spec) as file:
        file.bin.update({segyio.BinField.Interval: 4000, segyio.BinField.Samples: samples})
        trace = 0
        for inline in spec.ilines:
            for crossline in spec.xlines:
                file.header[trace] = {
                    segyio.su.iline: inline,
                    segyio.su.xline: crossline,
                    segyio.su.ns: samples,
                    segyio.su.dt: 4000,
                }
                depths = (samples / 3 + inline / 4, 2 * samples / 3 - (crossline - 100) / 5)
                # Two wavelets of Ricker's shape.
                phases = [((time - depth) / 3) ** 2 for depth in depths]
                file.trace[trace] = sum((1 - 2 * phase) * numpy.exp(-phase) for phase in phases).astype(numpy.float32)
                trace += 1


def main():
    if len(sys.argv) != 5:
        sys.exit("usage: make_segy.py FILE INLINES CROSSLINES SAMPLES")
    path, extents = sys.argv[1], [int(word) for word in sys.argv[2:]]
    if min(extents) < 1:
        sys.exit("make_segy.py: every extent must be at least 1")
    write(path, *extents)
    cube = segyio.tools.cube(path)
    if list(cube.shape) != extents:
        sys.exit(f"make_segy.py: {path} holds {cube.shape} and not {extents}")
    print("{} inlines x {} crosslines x {} samples, {:.3f} at most".format(*cube.shape, float(numpy.abs(cube).max())))


if __name__ == "__main__":
    main()
