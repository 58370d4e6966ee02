// The arguments of memshape and memshape-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace memshape {

/// main() of `memshape`. Returns the exit status: 0 well, 1 the answer is no, 2 the request was wrong.
int memshapeMain(int Count, char **Arguments);

/// main() of `memshape-report`, equal to `memshape report`.
int memshapeReportMain(int Count, char **Arguments);

} // namespace memshape
