// What is written down about an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of memshape.features/1 (docs/formats.md, section 2) as plain data.

#pragma once

#include "naming/Operators.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace memshape::ast {

/// A call on the way from the operator to a place.
struct CallStep {
  std::string Function; ///< the caller
  Place Where;          ///< of the call
};

struct AllocationRecord {
  Place Where;
  std::string Function;
  std::optional<std::vector<CallStep>> Chain; ///< innermost caller first; none: several ways lead here
  const char *Kind = "array";
  std::string Name;    ///< of the variable that holds it; "" if none
  std::string Written; ///< the allocating expression
  std::string Size;    ///< the size in it, as written; "" if none is written
  std::string Element; ///< type of one element; "" if unknown
  std::optional<std::int64_t> ElementBytes;
  unsigned Depends = 0; ///< its size
  llvm::StringRef Space = "host";
  unsigned LoopDepth = 0;
  bool Growth = false;
  bool Conditional = false;
  std::string Library; ///< the library function that allocates inside; "" if written in user code
};

struct ControlRecord {
  const char *Kind = "branch";
  Place Where;
  std::string Function;
  std::string Condition;
  unsigned Depends = 0;
  bool GuardsAllocation = false;
};

struct IntermediateRecord {
  std::string Name;
  Place Where;
  std::string Function;
  std::string Element;
  unsigned Depends = 0; ///< its size
  unsigned FirstUse = 0;
  unsigned LastUse = 0;
  std::optional<bool> DiesBeforeReturn;
};

struct OutputRecord {
  std::string Name; ///< of the parameter; "" for the returned value
  bool AlsoRead = false;
};

struct UnknownRecord {
  std::string Function;
  Place Where;
  const char *Why = "";
};

struct OperatorRecord {
  const Operator *Of = nullptr;
  std::vector<AllocationRecord> Allocations;
  std::vector<ControlRecord> Controls;
  std::vector<IntermediateRecord> Intermediates;
  std::vector<OutputRecord> Outputs;
  std::vector<UnknownRecord> Unknown;
  std::string Pattern = "unknown";
  unsigned Statements = 0;
  unsigned Functions = 0;
  bool Truncated = false;
};

} // namespace memshape::ast
