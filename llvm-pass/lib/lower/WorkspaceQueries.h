// Calls that ask how much memory they need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A routine of LAPACK that is called with a workspace of size -1 computes nothing. It writes the size that it wants,
// which depends on the extents alone, and the caller allocates that size. So one name stands for two functions, which
// are told apart here.
//
//     dgeqrf_(..., work, &lwork, info)
//
// becomes
//
//     if (lwork == -1) memshape.query.dgeqrf_(..., own work, &lwork, own info), then copy the results
//     else             dgeqrf_(..., work, &lwork, info)

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Splits the calls of M whose summaries have a query. True when there are any.
bool splitQueries(llvm::Module &M);

/// Gives queries the name of the function that answers them.
void nameQueries(llvm::Module &M);

} // namespace memshape
