//===- Environment.cpp - Variables that memshape knows --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/memshape/Environment.h"

#include <string_view>

namespace memshape {

std::optional<Failure> checkEnvironment(const char *const *Variables) {
  constexpr std::string_view Prefix = "MEMSHAPE_", Runtime = "MEMSHAPE_RUNTIME_", Disable = "MEMSHAPE_DISABLE";
  for (; *Variables; ++Variables) {
    std::string_view Variable = *Variables;
    std::string_view Name = Variable.substr(0, Variable.find('='));
    if (!Name.starts_with(Prefix) || Name == Disable || Name == "MEMSHAPE_CACHE" || Name.starts_with(Runtime))
      continue;
    return Failure{"unknown environment variable '" + std::string(Name) +
                   "'; known: MEMSHAPE_CACHE, MEMSHAPE_DISABLE and those that begin with MEMSHAPE_RUNTIME_"};
  }
  return std::nullopt;
}

} // namespace memshape
