# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which programs of run/ a compiler runs: the newest one all, an older one, unless it is asked for all, one or more of each class."""

import lit.formats

ONE_OF_EACH_CLASS = set("""
    requests/refused-blocks.c requests/blocks.c requests/parameters.cpp
    control/merged-records.c control/ways.cpp control/ends.cpp control/turns.c control/objects.cpp
    containers/standard.cpp containers/strings.cpp
    state/state-across-calls.c state/led-to-by-statics.cpp state/block-given-away.c state/kept-tensor.c
    library-calls/eigen.cpp library-calls/fftw.c library-calls/closed-grids.cpp library-calls/formats-that-take-memory.c
    library-calls/c-library.c library-calls/memory-resource.cpp library-calls/text-stream.cpp
    threads/openmp.cpp threads/standard.cpp
    decisions/bounded.cpp decisions/bounded.c decisions/unbounded-size.c
    units/other-unit.cpp units/definitions-of-other-units.cpp units/units-of-two-languages.c
    units/too-large-to-build.cpp devices/data.cpp replay/replayed-input.cpp
    typed/class.cpp typed/containers.cpp typed/struct.c typed/views.cpp typed/refusals.cpp typed/results.cpp typed/vectors.cpp
""".split())


class Programs(lit.formats.ShTest):
    def __init__(self, whole):
        super().__init__(execute_external=False)
        self.whole = whole

    def getTestsInDirectory(self, suite, path, lit_config, local_config):
        for test in super().getTestsInDirectory(suite, path, lit_config, local_config):
            if self.whole or test.path_in_suite[0] != "run" or "/".join(test.path_in_suite[1:]) in ONE_OF_EACH_CLASS:
                yield test
