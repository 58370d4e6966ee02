//===- CallSites.h - Source lines of code addresses -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a library allocates a large block, the runtime records where it was called as an address. Its source line is in
// the program's debug information, if there is any, which llvm-symbolizer reads.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RUN_CALLSITES_H
#define MEMSHAPE_RUN_CALLSITES_H

#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

/// Sets the Caller members of the sites of R whose lines are known; none without a symbolizer.
void nameCallSites(Run &R);

} // namespace memshape

#endif // MEMSHAPE_RUN_CALLSITES_H
