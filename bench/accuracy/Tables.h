// The tables of bench/accuracy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "bench/accuracy/Corpus.h"

namespace memshape {

/// Each prints one table. Priors[O] was trained without Corpus[O].
void printZeroRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);
void printFewRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);
void printBounds(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);
void printOperators(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);

} // namespace memshape
