// Variables that memshape knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/Environment.h"
#include "libmemshape/text/Spelling.h"

#include <string_view>

namespace memshape {

std::optional<Failure> checkEnvironment(const char *const *Variables) {
  constexpr std::size_t Mistakes = 2;
  for (; *Variables; ++Variables) {
    const std::string_view Variable = *Variables;
    const std::string_view Name = Variable.substr(0, Variable.find('='));
    for (const std::string_view Known : {"MEMSHAPE_CACHE", "MEMSHAPE_DISABLE", "MEMSHAPE_OPERATORS"})
      if (const std::size_t Distance = editDistance(Name, Known); Distance && Distance <= Mistakes)
        return Failure{"unknown environment variable '" + std::string(Name) + "'; did you mean " + std::string(Known) +
                       "?"};
  }
  return std::nullopt;
}

} // namespace memshape
