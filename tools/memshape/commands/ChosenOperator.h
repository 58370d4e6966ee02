// The operator and the call that a command line names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/memshape.h"
#include "tools/memshape/Commands.h"

namespace memshape {

/// What a call of an operator is predicted from, as written.
struct CallOptions {
  std::vector<std::string> Files; ///< the operator's, then others with functions that it calls
  std::string Operator, ShapeFrom;
  std::vector<std::string> Shapes, Settings, Assumed, Machine, Libraries, Summaries;
  bool Trust = false; ///< code of FILE is executed even without a sandbox
};

struct PredictOptions : CallOptions {
  std::uint32_t Threads = 0; ///< 0 where not given
  std::string Store, Model;  ///< empty: the default ones
  double Confidence = 0.99;
  std::optional<std::uint64_t> Held, Fresh; ///< bytes
  std::string Budget;                       ///< a size as written; empty where not given
  std::string Format = "text";
  v1::Sample Sample = v1::Sample::peak; ///< what a profile counts
  std::string Space = "host";           ///< that a profile is of
  std::string Output;                   ///< empty: standard output
  bool WithoutFormulas = false;
};

/// From the store of past runs alone, without FILE.
Result<std::string> predictFromStoreText(const PredictOptions &Given);

/// FILE, and --operator, of which What says what it is for.
void addOperator(Options &On, CallOptions &Into, const std::string &What);
/// The options of Into, FILE and --operator left out.
void addCall(Options &On, CallOptions &Into, const std::string &ShapeHelp);

/// Those that say nothing of a shape.
void addCircumstances(Options &On, CallOptions &Into);

/// Opens the files of a command that predicts, and finds its operator.
Result<v1::Operator> chosenOperator(const CallOptions &Given);

/// The call of Of.
Result<v1::Call> chosenCall(const v1::Operator &Of, const CallOptions &Given);

} // namespace memshape
