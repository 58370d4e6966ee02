// Statics that everybody initialises alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static of an inline function is initialised by whoever comes first, and another function of the unit may be that:
//
//     if (__cxa_guard_acquire(&guard)) { cpuid(...); cache_sizes = ...; __cxa_guard_release(&guard); }
//
// Where the initialiser looks at nothing but constants and the machine, it leaves the same whoever runs it.

#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"

namespace memshape {

/// I, which uses G, a static or its guard, is part of such an initialiser, or reads what nothing else writes.
bool initialisesAlike(const llvm::Instruction &I, const llvm::GlobalVariable &G);

} // namespace memshape
