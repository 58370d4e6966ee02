//===- WorkOptions.h - Options of commands that execute skeletons ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_WORKOPTIONS_H
#define MEMSHAPE_TOOLS_MEMSHAPE_WORKOPTIONS_H

#include <CLI/CLI.hpp>

namespace memshape {

/// For every command that executes skeletons: --trust, and those that set workLimits().
void addWorkOptions(CLI::App &To, bool &Trust);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_WORKOPTIONS_H
