// What each piece of evidence is worth.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which features of source and input matter for what an operator will hold, and how errors grow where data decides.
// Every figure is of operators that were left out of the training.

#pragma once

#include "model/residency/Training.h"

#include <map>
#include <string>

namespace memshape {

/// An operator with its runs, and what its source looks like: counts and shares by name, empty where nobody said.
struct StudiedOperator {
  OperatorRuns Runs;
  std::map<std::string, double> Source;
};

/// The source features that errors are put in relation to: of all control statements that a person reads, the share
/// that depends on data; decisions of the data that the slicer met, those in the code of libraries among them.
inline constexpr char DataDependentControl[] = "data_dependent_control", Decisions[] = "decisions";

/// Absolute relative errors: median and 95th percentile over Count predictions.
struct ErrorFigures {
  double Median = 0, NinetyFifth = 0;
  std::size_t Count = 0;
};
ErrorFigures errorFigures(std::vector<double> Signed);

/// The resident peak with one term of the prior taken away.
struct TermWorth {
  int Term;
  ErrorFigures Without;
};

/// The resident peak from some of the evidence.
struct EvidenceWorth {
  std::string Evidence;
  ErrorFigures With;
};

/// How a source feature goes along with errors, over operators: Spearman's rank correlation, and how often chance alone
/// gives as much (permutations, fixed seed).
struct SourceWorth {
  std::string Feature;
  double WithHeap = 0, HeapByChance = 1;         ///< error of the heap peak before any run
  double WithResident = 0, ResidentByChance = 1; ///< error of the resident peak before any run
};

/// Operators with a source feature above Low, up to High (0 to 0: exactly none).
struct FeatureClass {
  double Low = 0, High = 0;
  std::size_t Operators = 0, Bounded = 0;      ///< those whose heap has an upper bound
  ErrorFigures Heap;                           ///< heap peak before any run
  double HeapWidth = 0;                        ///< of the bounded: median of (upper - lower)/truth
  ErrorFigures Resident, AfterOne, AfterThree; ///< resident peak before any run, after one, after three
  std::size_t Inside = 0, Bounds = 0;          ///< peaks inside the bound at 99 % before any run, of those with a bound
};

struct Importance {
  ErrorFigures Whole;                    ///< with all terms, before any run
  std::vector<TermWorth> Terms;          ///< most important first
  std::vector<EvidenceWorth> Evidence;   ///< from little to much
  std::vector<SourceWorth> Source;       ///< strongest first; empty where no source is described
  std::vector<FeatureClass> ByShare;     ///< the curve over DataDependentControl; empty where no source is described
  std::vector<FeatureClass> ByDecisions; ///< and over Decisions
};

/// Wants two operators at least. Takes a training for each operator.
Importance importanceOf(const std::vector<StudiedOperator> &Corpus);

} // namespace memshape
