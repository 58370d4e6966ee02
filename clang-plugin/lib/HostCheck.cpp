//===- HostCheck.cpp - Refuses a clang of another release -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module in the wrong clang crashes in static initialisers, or compiles and does nothing. This check runs before
// every other initialiser of the module (the priority, not the order of linking, sees to that) and says what is wrong.
//
//===----------------------------------------------------------------------===//

#include "Compat.h"
#include "HostVersion.h"

#include "clang/Basic/Version.h"

#include <cstdio>
#include <unistd.h>

namespace {

__attribute__((constructor(101))) void checkHost() {
  std::string Host = clang::getClangFullCPPVersion();
  if (memshape::majorVersion(Host) == memshape::compat::ClangMajor)
    return;
  std::fprintf(stderr,
               "memshape: error: this module is for clang %d, the compiler is %s; use -fplugin=<path>/memshape\n",
               memshape::compat::ClangMajor, Host.c_str());
  std::fflush(stderr);
  _exit(1);
}

} // namespace
