// Whether the kernel gives a sandbox.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>

namespace memshape {

/// Nothing if system calls of all threads of a process can be filtered; otherwise the kernel's error.
std::optional<std::string> whyNoSandbox();

} // namespace memshape
