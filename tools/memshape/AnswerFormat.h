//===- AnswerFormat.h - How an answer is to be written --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_ANSWERFORMAT_H
#define MEMSHAPE_TOOLS_MEMSHAPE_ANSWERFORMAT_H

#include "libmemshape/text/Result.h"

#include <string>
#include <vector>

namespace memshape {

/// The format of --format and --json, which is a word for --format json. Fails where it is none of Known.
Result<std::string> answerFormat(const std::string &Format, bool Json, const std::vector<std::string> &Known);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_ANSWERFORMAT_H
