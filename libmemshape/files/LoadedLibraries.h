// How many libraries a process loads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace memshape {

/// Counts Libraries (names or paths) and all that they need in turn, including the loader, as the loader would find
/// them on this system. One that is not found counts alone. 0 if Libraries is empty.
std::size_t countLoadedLibraries(const std::vector<std::string> &Libraries);

} // namespace memshape
