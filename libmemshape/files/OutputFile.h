//===- OutputFile.h - Output that is there as a whole or not at all -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_OUTPUTFILE_H
#define MEMSHAPE_TOOLS_MEMSHAPE_OUTPUTFILE_H

#include "libmemshape/text/Result.h"

#include <optional>

namespace memshape {

/// Writes Text to a file beside Path and renames it, so that nobody sees half of it and nothing is left after a
/// failure. What is there and not a regular file (a pipe, /dev/stdout) is written directly.
std::optional<Failure> writeOutput(const std::string &Path, const std::string &Text);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_OUTPUTFILE_H
