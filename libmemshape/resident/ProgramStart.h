//===- ProgramStart.h - What a program brings before main -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RESIDENT_PROGRAMSTART_H
#define MEMSHAPE_RESIDENT_PROGRAMSTART_H

#include "libmemshape/files/InstrumentedFile.h"

#include <vector>

namespace memshape {

/// Bytes of files that a process of these files has in memory before main, beyond a small program and its libraries:
/// the program itself, and parts of libraries that symbols it imports set up (libraries/*/start).
double startBytes(const std::vector<InstrumentedFile> &Files);

} // namespace memshape

#endif // MEMSHAPE_RESIDENT_PROGRAMSTART_H
