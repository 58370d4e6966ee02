// Instructions that write or ask for tainted bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Instruction.h"

namespace memshape {

/// Metadata kinds.
inline constexpr char TaintsMetadata[] = "memshape.taints", AsksMetadata[] = "memshape.asks",
                      ControlledByDataMetadata[] = "memshape.controlled";

/// I writes data to bytes that are tainted before.
inline bool taints(const llvm::Instruction &I) { return I.getMetadata(TaintsMetadata); }

/// Whether I is executed is for data to say.
inline bool isControlledByData(const llvm::Instruction &I) { return I.getMetadata(ControlledByDataMetadata); }

/// I reads a number of which the run asks whether its bytes are tainted.
inline bool asksForTaint(const llvm::Instruction &I) { return I.getMetadata(AsksMetadata); }

/// Sets or removes the mark of this kind on I.
inline void setMark(llvm::Instruction &I, llvm::StringRef Kind, bool On = true) {
  I.setMetadata(Kind, On ? llvm::MDNode::get(I.getContext(), {}) : nullptr);
}

} // namespace memshape
