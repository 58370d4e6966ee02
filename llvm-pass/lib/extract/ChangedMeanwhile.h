// What a call of another thread may change at any time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     static atomic_int users;
//     const int others = atomic_fetch_add(&users, 1);  ...  atomic_fetch_sub(&users, 1);
//
// Each call leaves users as it has found it. A call that another thread is in has not come so far: this one finds what
// that one has made of it. The same holds for a plain variable that is looked at under a lock.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Makes reads of such variables of M reads of data: those that are atomic, and all where M takes locks. A variable to
/// which every call gives one constant, or what follows from others, is as each call leaves it.
void markChangedMeanwhile(llvm::Module &M);

} // namespace memshape
