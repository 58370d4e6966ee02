// Source lines of code addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a library allocates a large block, the runtime records where it was called as an address. Its source line is in
// the program's debug information, if there is any, which llvm-symbolizer reads.

#pragma once

#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

/// Sets the Caller members of the sites of R whose lines are known; none without a symbolizer.
void nameCallSites(Run &R);

} // namespace memshape
