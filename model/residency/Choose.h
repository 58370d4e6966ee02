//===- Choose.h - Which of several sizes to run next, safely -------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A safe contextual bandit for chunk sizes. Predicting is not a game of chance, choosing is: a larger chunk is faster
// per element until it is killed. Candidates whose bound stays below the limit are safe; among them the one with the
// highest optimistic throughput is played, and the time of each run is learned.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_CHOOSE_H
#define MEMSHAPE_MODEL_CHOOSE_H

#include "model/residency/Averaging.h"

#include <optional>
#include <vector>

namespace memshape {

/// One way to cut a job.
struct Candidate {
  double Elements = 1; ///< of work in one chunk
  double Upper = 0;    ///< bound of the chunk's peak, bytes, at the confidence whose rest is the budget of kills
};

class Choice {
public:
  /// Optimism: how many deviations of the time's prediction a candidate is given in advance (UCB; 0 is greedy).
  explicit Choice(double Optimism = 1);

  /// The index of the candidate to run under Limit bytes; nothing where none is safe. In the first round the smallest
  /// safe one, which is the baseline (stage-wise conservative bandits, arXiv 2010.00081; safe sets as in SAFE-BOCP,
  /// arXiv 2306.17815).
  std::optional<std::size_t> choose(const std::vector<Candidate> &From, double Limit) const;

  /// A chunk that ran, with its time.
  void ran(const Candidate &What, double Seconds);
  /// One that was killed: bounds are too low. From now on they are taken Caution times as large; the caller's model
  /// learns from the same run and lets it shrink again.
  void killed();

  double caution() const { return Caution; }

private:
  StudentT logSecondsPerElement(const Candidate &Of) const;

  double Optimism, Caution = 1;
  std::size_t Rounds = 0;
  Posterior Time; ///< log of seconds per element, over [1, log elements]
};

} // namespace memshape

#endif // MEMSHAPE_MODEL_CHOOSE_H
