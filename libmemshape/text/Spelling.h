// Names as people write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// How many characters are to be changed, taken out or put in to make B of A.
std::size_t editDistance(std::string_view A, std::string_view B);

/// The candidate with the least edit distance to Name; "" when there are no candidates.
std::string nearestName(const std::string &Name, const std::vector<std::string> &Candidates);

/// A linker's name as the source has it: "operator new(unsigned long)".
std::string demangled(const std::string &Symbol);

} // namespace memshape
