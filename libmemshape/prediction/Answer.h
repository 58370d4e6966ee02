// A prediction by the best means there are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In this order: the skeleton in the file; one cut anew, where other units of the program hold functions that the
// operator calls; the operator itself on zeros, where no skeleton leads to an answer. What was done is in the answer.

#pragma once

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/skeletons/Modules.h"
#include "libmemshape/skeletons/SlicerProcess.h"

#include <chrono>

namespace memshape {

/// What an operator comes with, and who works on it.
struct Surroundings {
  std::vector<InstrumentedFile> Files;
  std::vector<std::string> Libraries; ///< beside those that the files name
  std::vector<SummaryDocument> Summaries;
  std::map<std::string, std::int64_t> Machine; ///< facts of another machine than this one
  std::string Runner, Slicer;                  ///< memshape-skeleton, memshape-slicer
  bool Trust = false;                          ///< they work even where this system gives no sandbox
  bool Formulas = true;                        ///< are looked for
  /// The last resort: what an answer may take is counted in work, and slicing in processor time.
  std::chrono::steady_clock::time_point Deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
};

/// For a skeleton that is executed there.
RunnerOptions runnerOptions(const Skeleton &S, const Surroundings &Around);

/// An operator as it can be asked.
struct WholeOperator {
  Skeleton Source;
  bool Complete = true;           ///< what other units define is there, in one way
  std::vector<ModuleHead> Heads;  ///< units of the files
  std::vector<std::size_t> Units; ///< those it consists of, its own first; empty where no file has them
};

/// S with the functions that it calls in other units, and with the summaries of Around. Files of Around outlive the
/// result. Fails where there are summaries and the operator cannot be sliced with them.
Result<WholeOperator> wholeOperator(const Skeleton &S, const Surroundings &Around);

struct Answer {
  std::unique_ptr<Skeleton> Source; ///< that Predicted speaks of
  Prediction Predicted;
};

Result<Answer> answer(const WholeOperator &Op, const Question &Asked, const Surroundings &Around);

} // namespace memshape
