// A formula as an expression of a language.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/formula/Formula.h"

#include <functional>
#include <string>
#include <vector>

namespace memshape {

/// As calls of functions that check each step: "memshape_add(memshape_multiply(8, n), 4)".
struct CallNotation {
  std::string Prefix;                                     ///< of these functions
  std::function<std::string(const std::string &)> Number; ///< a number as their argument
  std::vector<std::string> Symbols;                       ///< each symbol as their argument

  std::string of(const Formula &Value) const;
};

/// As people write it in Python, whose numbers do not wrap: "8*n + 4".
std::string inPython(const Formula &Value, const std::vector<std::string> &Symbols);

/// Something in it may have no value at some shape.
bool mayFail(const Formula &Value);
/// It has an atom beside symbols.
bool rounds(const Formula &Value);

} // namespace memshape
