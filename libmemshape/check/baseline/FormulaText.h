// Formulas as a baseline has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// Formula Text, with each symbol of Then replaced by the symbol of Now at the same position.
std::string renamed(const std::string &Text, const std::vector<std::string> &Then, const std::vector<std::string> &Now);

/// The value of a formula if it is a natural number; nothing otherwise.
std::optional<double> valueOf(const std::string &Text, const std::vector<std::string> &Symbols,
                              const std::vector<double> &Values);

} // namespace memshape
