//===- Apart.h - Work in a copy of the compiler's process -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What memshape does beside a compilation may meet a bug, its own or the compiler's: a second code generation that the
// syntax tree does not stand, an instruction that no processor of this kind can select, an endless loop. LLVM answers
// such things by ending the process, and the user's program would not be compiled because of us. So that work is done
// in a child of the compiler, which has everything the compiler has, and hands over what it made; nothing that happens
// to it can reach its parent.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_APART_H
#define MEMSHAPE_APART_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace memshape {

/// What a child handed over.
struct Apart {
  std::vector<std::string> Parts; ///< whole ones, in the order in which they were made
  std::string Problem;            ///< why the child did not come to its end, in one line; "" where it did
};

/// Gives one part to the parent.
using HandOver = llvm::function_ref<void(llvm::StringRef)>;

/// Of processor time, for one child. No sound work comes near it: a limit that decided about an answer would make
/// answers differ from machine to machine.
inline constexpr unsigned LongestWorkApart = 600;

/// Runs Work in a child process, which may use so many seconds of processor time, and waits for it.
Apart runApart(llvm::function_ref<void(HandOver)> Work, unsigned Seconds = LongestWorkApart);

/// What becomes of a part that could not be made.
enum class Retry { Yes, No };

/// Makes the parts 0 to Count - 1 apart, by one child where all goes well. Where a part ends its child, Failed hears
/// why and says whether it is tried again; the parts behind it are made all the same. Take gets each part in order.
void makeApart(size_t Count, llvm::function_ref<std::string(size_t)> Make,
               llvm::function_ref<void(size_t, std::string)> Take,
               llvm::function_ref<Retry(size_t, const std::string &)> Failed);

} // namespace memshape

#endif // MEMSHAPE_APART_H
