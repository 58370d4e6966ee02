//===- Compat.h - Differences between the LLVM releases ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runner is built with LLVM 19 or 22.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_COMPAT_H
#define MEMSHAPE_SKELETON_COMPAT_H

// Since LLVM 21 this class has its own header.
#if __has_include("llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h")
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#else
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#endif

#endif // MEMSHAPE_SKELETON_COMPAT_H
