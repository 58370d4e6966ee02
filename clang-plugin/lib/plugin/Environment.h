//===- Environment.h - The plugin's environment variables -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_ENVIRONMENT_H
#define MEMSHAPE_ENVIRONMENT_H

namespace clang {
class DiagnosticsEngine;
}

namespace memshape::ast {

enum class Switch { On, Off, Invalid };

/// Reads MEMSHAPE_DISABLE. Invalid: its value is none of 0 and 1, or its name or that of another variable of ours is
/// misspelt, and an error was reported. Others that begin with MEMSHAPE_ may be the user's own.
Switch readEnvironment(clang::DiagnosticsEngine &Diags);

} // namespace memshape::ast

#endif // MEMSHAPE_ENVIRONMENT_H
