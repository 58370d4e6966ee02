// What is to be written as code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "model/formula/Formula.h"

#include <array>
#include <string>
#include <vector>

namespace memshape {

enum class EmittedLanguage { C, Python };

struct EmittedSymbol {
  std::string Name;         ///< as the operator has it: "a.rows"
  std::int64_t Largest = 0; ///< that the parameter can hold, and beyond which formulas are not used
  bool IsParameter = true;  ///< of the functions
};

/// A formula, in all symbols, and where it is used.
struct EmittedCase {
  Formula Value;
  Domain Where;    ///< it is used here
  Domain Verified; ///< within which it was verified
};

/// A function that gives bytes.
struct EmittedFigure {
  std::string Name;               ///< "peak"
  std::string What;               ///< one line
  std::vector<EmittedCase> Cases; ///< the first that is used counts; empty where there is no value
  bool Everywhere = true;         ///< the last one is used everywhere else; otherwise there is no value
  bool IsThere = true;            ///< the function is written

  /// What is in no case before it is in this one.
  bool isLast(std::size_t Case) const { return Everywhere && Case + 1 == Cases.size(); }
};

struct Emission {
  std::string Operator;      ///< as the source has it
  std::string LastComponent; ///< of its name, as its source has it
  std::vector<EmittedSymbol> Symbols;
  std::array<EmittedFigure, 4> Figures; ///< peak, upper, output, tensors
  std::vector<std::string> Head;        ///< what the formulas rest on, a line each

  const EmittedFigure &upper() const { return Figures[1]; }
};

/// A whole header, or a module.
std::string sourceOf(const Emission &Of, EmittedLanguage Language);

} // namespace memshape
