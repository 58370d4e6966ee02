// What makers of handles have left, and others may have changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that build arguments carry marks, which other units have a part in:
//
//   # memshape.handed transform:0 fold:1 %0   what %0 leads to is data, unless these functions leave it as it is
//   # memshape.made plan_new                  plan_new may keep what it makes in a variable, by which others reach it
//   # memshape.left p.gain %0 %1              1 where the constructor has left the same number, %1, in all objects:
//                                            what the setting is if nobody gives it; 2 where nothing is left there

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>
#include <string>

namespace memshape {

/// Replaces the marks in the copy of Of that Copies leads to by memshape_data, or by nothing.
void resolveMadeMarks(llvm::Module &Copy, llvm::Module &Of, const llvm::ValueToValueMapTy &Copies);

/// There are marks that ask whether a number is constant.
bool hasLeftMarks(const llvm::Module &M);
/// Answers them, by what is known here; Defaults gets what settings are found to be. Or, without Defaults, that none is.
using SettingDefaults = std::map<std::string, int64_t, std::less<>>;
void answerLeftMarks(llvm::Module &M, SettingDefaults *Defaults = nullptr);

} // namespace memshape
