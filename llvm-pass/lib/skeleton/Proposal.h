//===- Proposal.h - Which way a decision goes by default ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_PROPOSAL_H
#define MEMSHAPE_PROPOSAL_H

#include "Slice.h"

namespace memshape {

/// The side that a branch decision takes when nobody says otherwise, and what hangs on it.
struct Proposal {
  bool Answer = false;
  bool InLoop = false;
  std::string Effect; ///< for people
};

/// Proposes for the truth value Verdict: to stay in a loop that has another way out, to leave one that has not, else
/// the side with more of the slice behind it.
Proposal propose(llvm::Instruction &Verdict, const Slice &S);

} // namespace memshape

#endif // MEMSHAPE_PROPOSAL_H
