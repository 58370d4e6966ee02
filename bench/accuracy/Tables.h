//===- Tables.h - The tables of bench/accuracy --------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_BENCH_ACCURACY_TABLES_H
#define MEMSHAPE_BENCH_ACCURACY_TABLES_H

#include "bench/accuracy/Corpus.h"

namespace memshape {

/// Each prints one table. Priors[O] was trained without Corpus[O].
void printZeroRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);
void printFewRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);
void printBounds(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);
void printOperators(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);

} // namespace memshape

#endif // MEMSHAPE_BENCH_ACCURACY_TABLES_H
