//===- LoadedLibraries.h - How many libraries a process loads ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_SECTION_LOADEDLIBRARIES_H
#define MEMSHAPE_TOOLS_SECTION_LOADEDLIBRARIES_H

#include <cstddef>
#include <string>
#include <vector>

namespace memshape {

/// Counts Libraries, names or paths, with all that they need in turn, the loader among them, as it would find them in
/// this system's folders. One that cannot be found counts alone. 0 where Libraries is empty.
std::size_t countLoadedLibraries(const std::vector<std::string> &Libraries);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_SECTION_LOADEDLIBRARIES_H
