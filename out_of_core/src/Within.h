//===- Within.h - The task that a thread runs -------------------*- C++ -*-===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_OUT_OF_CORE_WITHIN_H
#define MEMSHAPE_OUT_OF_CORE_WITHIN_H

namespace memshape::out_of_core::detail {

class Core;

/// The store of the task that this thread runs now; null outside of tasks.
extern thread_local const Core *Within;

} // namespace memshape::out_of_core::detail

#endif
