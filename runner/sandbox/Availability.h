//===- Availability.h - Whether the kernel gives a sandbox ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_AVAILABILITY_H
#define MEMSHAPE_SANDBOX_AVAILABILITY_H

#include <optional>
#include <string>

namespace memshape {

/// Nothing if system calls of all threads of a process can be filtered; otherwise the kernel's error.
std::optional<std::string> whyNoSandbox();

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_AVAILABILITY_H
