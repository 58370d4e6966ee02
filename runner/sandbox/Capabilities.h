//===- Capabilities.h - Drops privileges ----------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_CAPABILITIES_H
#define MEMSHAPE_SANDBOX_CAPABILITIES_H

#include "runner/sandbox/Box.h"

namespace memshape {

/// Drops all capabilities, in every set. One exception: a process that opens libraries keeps the right to read files of
/// others if it has it, because root predicts for libraries in users' folders. False if some capabilities are left.
bool dropCapabilities(Box Which);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_CAPABILITIES_H
