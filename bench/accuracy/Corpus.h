// Records of the operators, and figures about errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/history/RunLine.h"
#include "model/residency/Training.h"

#include <string>
#include <vector>

namespace memshape {

/// An operator with its runs, smallest first.
struct MeasuredOperator {
  std::string Name;
  std::vector<RunEntry> Runs;
  bool Exact = true; ///< the skeleton proves its heap peak at every shape
};

/// Reads a file of records; ends the program with a message if it cannot.
std::vector<MeasuredOperator> readCorpus(const std::string &Path);

/// All operators but one, as the trainer takes them. None is left out if LeftOut is the count.
std::vector<OperatorRuns> without(const std::vector<MeasuredOperator> &Corpus, std::size_t LeftOut);

/// Quantile of values, 0 to 1; 0 where there are none.
double quantileOf(std::vector<double> Values, double Level);
/// Rank correlation.
double spearman(const std::vector<double> &A, const std::vector<double> &B);

/// Predictions with the outcomes, bytes.
struct Outcomes {
  std::vector<double> Predicted, Measured;
  void add(double P, double M) {
    Predicted.push_back(P);
    Measured.push_back(M);
  }
  std::vector<double> relative() const; ///< signed, (predicted - measured)/measured
  /// "| name | MdAPE | p95 | median signed | under-predicted | Spearman |"
  std::string row(const std::string &Name) const;
};

} // namespace memshape
