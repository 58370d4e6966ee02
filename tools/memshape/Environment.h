//===- Environment.h - Variables that memshape knows ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_ENVIRONMENT_H
#define MEMSHAPE_TOOLS_MEMSHAPE_ENVIRONMENT_H

#include "libmemshape/text/Result.h"

#include <optional>

namespace memshape {

/// A Failure for the first variable MEMSHAPE_... that no part of memshape knows: a typing error would otherwise change
/// nothing and say nothing. Variables is a null-terminated list as in environ.
std::optional<Failure> checkEnvironment(const char *const *Variables);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_ENVIRONMENT_H
