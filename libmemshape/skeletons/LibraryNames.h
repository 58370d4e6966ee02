// Libraries that the user names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// A Failure for the first of Names that the dynamic linker would not find: a path to nothing, or a name that is in
/// none of the folders it looks into. A prediction opens libraries only when it needs them, and would not say so.
std::optional<Failure> checkLibraries(const std::vector<std::string> &Names);

} // namespace memshape
