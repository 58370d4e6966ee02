// What a program brings before main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/files/InstrumentedFile.h"

#include <vector>

namespace memshape {

/// Bytes of files that a process of these files has in memory before main, beyond a small program and its libraries:
/// the program itself, and parts of libraries that symbols it imports set up (libraries/*/start).
double startBytes(const std::vector<InstrumentedFile> &Files);

} // namespace memshape
