// What has changed since a baseline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator is compared by what it requests, holds and leaves live, at every shape. Names, lines and files are not
// compared; they show where a change comes from.

#pragma once

#include "libmemshape/check/SiteChanges.h"

namespace memshape {

enum class Severity {
  Error,       ///< the check fails
  Improvement, ///< less than the baseline says
  Note
};

/// One figure of an operator, before and now, at the reference shape that shows the change best.
struct FigureChange {
  std::string Figure;                       ///< "peak"
  std::optional<std::string> Before, After; ///< formulas
  std::string At;                           ///< "ni=960,nx=640"
  std::optional<std::uint64_t> Then, Now;   ///< bytes at that shape, or a count; nothing: no bound
  bool IsCount = false;
};

struct Finding {
  std::string Rule; ///< one of CheckRules
  Severity How = Severity::Error;
  std::string Operator;
  std::string Message; ///< one line
  std::vector<FigureChange> Figures;
  std::vector<SiteChange> Sites;                                ///< those that explain it, most important first
  std::optional<CodePlace> Place;                               ///< the place to show
  std::vector<std::pair<std::string, std::int64_t>> Shape = {}; ///< at which it is so first
};

/// The kinds of findings, with what each means.
struct CheckRule {
  const char *Id, *Text;
};
extern const std::vector<CheckRule> CheckRules;

struct Tolerances {
  std::optional<double> Everywhere; ///< of the command line
  std::map<std::string, double> Of; ///< by operator, of the command line
  double of(const BaselineFile &Baseline, const BaselineOperator &Op) const;
};

/// How the baseline was made otherwise than this build; member "code" of memshape.check/1.
enum class CheckNoteCode { other_compiler, other_machine };

struct CheckNote {
  CheckNoteCode Code;
  std::string Text; ///< one sentence
};

struct Comparison {
  std::vector<Finding> Findings; ///< errors first
  std::vector<CheckNote> Notes;
  std::size_t Operators = 0;                 ///< of the build
  std::optional<std::size_t> Contracts = {}; ///< of the source, where they were held against the code

  bool failed() const;
  /// Findings and counts of Other, of the same build, beside these; errors first.
  void add(const Comparison &Other);
};

Comparison compareBaselines(const BaselineFile &Before, const BaselineFile &Now, const Tolerances &Allowed);

} // namespace memshape
