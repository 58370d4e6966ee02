// Sizes as people write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <cstdint>

namespace memshape {

/// "8GiB", "8G" and "8192MiB" are powers of two, "8GB" is 8 * 10^9, "1.5GiB" may have a fraction; without a unit,
/// bytes.
Result<std::uint64_t> readByteSize(const std::string &Text);

/// The same, but exact to the byte where there is no unit, and from 0. Messages begin with Option, where one is given.
Result<std::uint64_t> readByteCount(const std::string &Text, const std::string &Option = "");

} // namespace memshape
