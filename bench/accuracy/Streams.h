//===- Streams.h - Tables about jobs in a stream --------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_BENCH_ACCURACY_STREAMS_H
#define MEMSHAPE_BENCH_ACCURACY_STREAMS_H

#include "bench/accuracy/Corpus.h"

#include <array>

namespace memshape {

/// Policies that choose chunks, in the order of the tables.
enum Policy { FixedShare, NothingLearned, Learning, Policies };

/// What the policies came to, round by round, summed over all streams: one stream for each operator.
struct StreamOutcome {
  std::size_t Streams = 0;
  /// By policy, then by round: a policy's regret is the share of the throughput of the best choice in hindsight that
  /// it did not reach in that round: 0 for the best chunk that fits, 1 for one that was killed and for none.
  std::array<std::vector<double>, Policies> Regret;
  std::array<std::vector<std::size_t>, Policies> Killed, Jobs;
};

/// Simulated: jobs of operators that were left out of the training, cut into chunks under a limit of memory that
/// changes. Peaks are measured ones with the noise of a run; time is a fixed part and one that grows with the peak.
StreamOutcome runStreams(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors);

/// The table of the README: regret after so many jobs, and kills.
void printChoices(const StreamOutcome &Outcome);

/// Every round as a line of CSV: jobs, then for each policy the cumulative regret in jobs, and the share of kills.
void printRegret(const StreamOutcome &Outcome);

} // namespace memshape

#endif // MEMSHAPE_BENCH_ACCURACY_STREAMS_H
