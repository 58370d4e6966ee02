// Bits of numbers that may be none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace llvm {
class Instruction;
} // namespace llvm

namespace memshape {

/// I shows the sign or other bits of a floating-point number that its function computes and that may be NaN. Processors
/// and compilers give NaN different bits: 0.0 / 0.0 is negative on x86, and positive where LLVM computes it.
bool showsBitsOfNan(const llvm::Instruction &I);

} // namespace memshape
