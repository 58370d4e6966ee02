//===- CallSites.h - Source lines of code addresses -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a library was called that allocated large blocks is known to the runtime as an address. Its source line is in
// the program's debug information, if there is any, which llvm-symbolizer reads.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_RUN_CALLSITES_H
#define MEMSHAPE_RUN_CALLSITES_H

#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

/// Sets the Caller members of the sites of R whose lines can be found out; without a symbolizer there are none.
void nameCallSites(Run &R);

} // namespace memshape

#endif // MEMSHAPE_RUN_CALLSITES_H
