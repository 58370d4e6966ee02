//===- Capabilities.h - What root is left with ---------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_CAPABILITIES_H
#define MEMSHAPE_SANDBOX_CAPABILITIES_H

#include "runner/sandbox/Box.h"

namespace memshape {

/// Drops all, in every set. Who opens libraries keeps the right to read files of others where it has it: root predicts
/// for libraries in folders of users. False where some are left.
bool dropCapabilities(Box Which);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_CAPABILITIES_H
