// What libraries that are called make resident.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calling a library makes its code and tables resident, which no allocation shows: a planner of Fourier transforms,
// say, executes most of its code. When a library is called for real, these pages can be counted.

#pragma once

#include <cstdint>
#include <optional>

namespace memshape {

/// Remembers the libraries that are loaded now as the runner's own. Called once, before other libraries are opened.
void rememberOwnLibraries();

/// Bytes of other libraries' segments that this process has in memory; nothing where that cannot be read.
std::optional<std::int64_t> residentLibraryBytes();

} // namespace memshape
