//===- Streams.h - A table about jobs in a stream --------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_BENCH_ACCURACY_STREAMS_H
#define MEMSHAPE_BENCH_ACCURACY_STREAMS_H

#include "bench/accuracy/Corpus.h"

namespace memshape {

/// Simulated: jobs of operators that were left out of the training, cut into chunks under a limit of memory, by
/// memshape::Choice and by a fixed share of the limit. The peaks are interpolated from the measured ones.
void printChoices(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);

} // namespace memshape

#endif // MEMSHAPE_BENCH_ACCURACY_STREAMS_H
