// How an answer is to be written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <string>
#include <vector>

namespace memshape {

/// The format of --format and --json, which is a word for --format json. Fails where it is none of Known.
Result<std::string> answerFormat(const std::string &Format, bool Json, const std::vector<std::string> &Known);

} // namespace memshape
