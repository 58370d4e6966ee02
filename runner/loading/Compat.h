// Differences between the LLVM releases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runner is built with LLVM 19 or 22.

#pragma once

// Since LLVM 21 this class has its own header.
#if __has_include("llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h")
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#else
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#endif
