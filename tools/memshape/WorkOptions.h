// Options of commands that execute skeletons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <CLI/CLI.hpp>

namespace memshape {

/// For every command that executes skeletons: --trust, and those that set workLimits().
void addWorkOptions(CLI::App &To, bool &Trust);

} // namespace memshape
