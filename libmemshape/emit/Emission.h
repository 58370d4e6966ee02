// What is to be written as code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "model/formula/Formula.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

enum class EmittedLanguage { C, Python };

struct EmittedSymbol {
  std::string Name;         ///< as the operator has it: "a.rows"
  std::int64_t Largest = 0; ///< that the parameter can hold
  bool IsParameter = true;  ///< of the functions
  Range Verified;           ///< values at which all formulas were verified
};

/// A function that gives bytes.
struct EmittedFigure {
  std::string Name;             ///< "peak"
  std::string What;             ///< one line
  std::optional<Formula> Value; ///< in all symbols; nothing where there is no value
  bool IsThere = true;          ///< the function is written
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
