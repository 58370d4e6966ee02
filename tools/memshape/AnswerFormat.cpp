// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/AnswerFormat.h"

#include <algorithm>

namespace memshape {

Result<std::string> answerFormat(const std::string &Format, bool Json, const std::vector<std::string> &Known) {
  if (std::find(Known.begin(), Known.end(), Format) == Known.end()) {
    std::string List;
    for (std::size_t I = 0; I < Known.size(); ++I)
      List += (I == 0 ? "" : I + 1 < Known.size() ? ", " : " and ") + Known[I];
    return Failure{"--format: '" + Format + "' is none of " + List};
  }
  if (Json && Format != "text" && Format != "json")
    return Failure{"--json and --format " + Format + " exclude each other"};
  return Json ? "json" : Format;
}

} // namespace memshape
