// Work in a copy of the compiler's process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memshape's work during a compilation may meet a bug of its own or of the compiler: a second code generation that the
// syntax tree does not support, an instruction that cannot be selected, an endless loop. LLVM reacts by ending the
// process, and then the user's program would not be compiled. So this work is done in a child of the compiler, which
// inherits all that the compiler has and sends back what it made. Nothing that happens in the child can affect its
// parent, and what it takes of the machine is limited by what the compiler takes.

#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace memshape {

/// What a child has sent back.
struct Apart {
  std::vector<std::string> Parts; ///< complete parts, in the order in which they were made
  std::string Problem;            ///< why the child did not finish, in one line; "" where it did
};

/// Sends one part to the parent.
using HandOver = llvm::function_ref<void(llvm::StringRef)>;

/// What a child may take.
struct ApartLimits {
  unsigned Seconds; ///< of processor time; ten times as many may pass on the clock
  uint64_t Bytes;   ///< of memory, beside all that the compiler has
};

/// For a compiler that has used so many seconds of processor time and so many bytes of memory of its own. Correct work
/// stays far below: a limit that decided an answer would make answers differ between machines.
///
/// Slicing is limited to about a fifth of the work of compiling, so ten times the compiler's own time is a loop without
/// an end. What is made apart - the unit's code once more, builders, the module, one skeleton at a time - is of the
/// size of what the compiler holds, which code generation is still to add to. Twice as much leaves it room, and a build
/// that runs as many compilers as fit into a third of its memory is safe from it. The least is for small units, whose
/// compilers hold little.
ApartLimits limitsApart(uint64_t CompilersSeconds, uint64_t CompilersBytes);

/// For this process as it is now.
ApartLimits limitsApart();

/// Runs Work in a child process and waits for it.
Apart runApart(llvm::function_ref<void(HandOver)> Work, ApartLimits Limits);

/// What to do with a part that could not be made.
enum class Retry { Yes, No };

/// Makes the parts 0 to Count - 1, by one child if all goes well. When a part ends its child, Failed gets the reason
/// and says whether to try again; the remaining parts are made in any case, each next child in half the time, so that all
/// together end soon. Take gets each part in order.
void makeApart(size_t Count, llvm::function_ref<std::string(size_t)> Make,
               llvm::function_ref<void(size_t, std::string)> Take,
               llvm::function_ref<Retry(size_t, const std::string &)> Failed);

} // namespace memshape
