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

/// Reads the MEMSHAPE_* variables. Invalid: one was unknown or had an invalid value, and an error was reported.
Switch readEnvironment(clang::DiagnosticsEngine &Diags);

} // namespace memshape::ast

#endif // MEMSHAPE_ENVIRONMENT_H
