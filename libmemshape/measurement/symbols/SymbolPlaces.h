// Source lines of code addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace memshape {

struct SymbolPlace {
  std::string Function, File; ///< "" where unknown
  std::uint32_t Line = 0;
};

/// Path of a module and an address in it, with the functions there: the innermost first.
using SymbolPlaces = std::map<std::pair<std::string, std::uint64_t>, std::vector<SymbolPlace>>;

enum class Inlined { With, Without };

/// Asks LLVM's symbolizer for the places of all addresses, once; they stay empty where there is none. Without functions
/// that were inlined, there is one for each.
void findSymbolPlaces(SymbolPlaces &Places, Inlined Which);

} // namespace memshape
