// The arguments of memshape and memshape-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <optional>

namespace memshape {

/// main() of `memshape`. Returns the exit status: 0 well, 1 the answer is no, 2 the request was wrong.
int memshapeMain(int Count, char **Arguments);

/// main() of `memshape-report`, equal to `memshape report`.
int memshapeReportMain(int Count, char **Arguments);

/// A Failure for the first variable whose name is nearly one of memshape's: a typing error would otherwise change nothing
/// and say nothing. What else begins with MEMSHAPE_ is the user's own. Variables is a null-terminated list as in environ.
std::optional<Failure> checkEnvironment(const char *const *Variables);

} // namespace memshape
