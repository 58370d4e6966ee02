//===- LibraryPages.h - What libraries that are called make resident -----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calling a library brings its code and tables into memory, which no allocation tells: a planner of Fourier transforms
// walks through all the code it has. Where a library is called for real it can be looked at.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_LIBRARYPAGES_H
#define MEMSHAPE_SKELETON_LIBRARYPAGES_H

#include <cstdint>
#include <optional>

namespace memshape {

/// What is loaded now is the runner's own. Called once, before libraries are opened.
void rememberOwnLibraries();

/// Bytes of other libraries' segments that this process has in memory; nothing where that cannot be read.
std::optional<std::int64_t> residentLibraryBytes();

} // namespace memshape

#endif // MEMSHAPE_SKELETON_LIBRARYPAGES_H
