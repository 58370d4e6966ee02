// What makers of handles have left, and others may have changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that build arguments carry two marks, which other units have a part in:
//
//   # memshape.handed transform:0 fold:1 %0   what %0 leads to is data, unless these functions leave it as it is
//   # memshape.made plan_new                  plan_new may keep what it makes in a variable, by which others reach it

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace memshape {

/// Replaces the marks in the copy of Of that Copies leads to by memshape_data, or by nothing.
void resolveMadeMarks(llvm::Module &Copy, llvm::Module &Of, const llvm::ValueToValueMapTy &Copies);

} // namespace memshape
