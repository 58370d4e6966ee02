// The plugin's environment variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace clang {
class DiagnosticsEngine;
}

namespace memshape::ast {

enum class Switch { On, Off, Invalid };

/// Reads MEMSHAPE_DISABLE. Invalid: its value is none of 0 and 1, or its name or that of another variable of ours is
/// misspelt, and an error was reported. Others that begin with MEMSHAPE_ may be the user's own.
Switch readEnvironment(clang::DiagnosticsEngine &Diags);

} // namespace memshape::ast
