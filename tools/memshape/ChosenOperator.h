// The operator that a command line names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Assumptions.h"
#include "memshape/memshape.h"
#include "tools/memshape/Commands.h"

namespace memshape {

inline Failure failureOf(const v1::Error &Why) { return Failure{Why.message}; }

/// Opens the files of a command that predicts, and finds its operator. Given: PredictOptions or PlanOptions.
template <class Options> Result<v1::Operator> chosenOperator(const Options &Given) {
  v1::OpenOptions Opening;
  Opening.with.assign(Given.Files.begin() + 1, Given.Files.end());
  Opening.libraries = Given.Libraries;
  Opening.summaries = Given.Summaries;
  Opening.trust = Given.Trust;
  if (std::optional<Failure> Wrong = readMachine(Given.Machine, Opening.machine))
    return *Wrong;
  const v1::Expected<v1::Program> Opened = v1::open(Given.Files.front(), Opening);
  if (!Opened)
    return failureOf(Opened.error());
  const v1::Expected<v1::Operator> Chosen = Opened->find(Given.Operator);
  if (!Chosen)
    return failureOf(Chosen.error());
  return *Chosen;
}

} // namespace memshape
