// Variables that memshape knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <optional>

namespace memshape {

/// A Failure for the first variable whose name is nearly one of memshape's: a typing error would otherwise change nothing
/// and say nothing. What else begins with MEMSHAPE_ is the user's own. Variables is a null-terminated list as in environ.
std::optional<Failure> checkEnvironment(const char *const *Variables);

} // namespace memshape
