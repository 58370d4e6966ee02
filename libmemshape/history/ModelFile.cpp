//===- ModelFile.cpp - The generic prior that a command uses -------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/history/ModelFile.h"

#include <fstream>
#include <iterator>

namespace memshape {

/// A model has some kilobytes; a larger file is something else.
static constexpr std::size_t LargestModel = 1 << 20;

Result<Prior> loadPrior(const std::string &Path) {
  if (Path.empty())
    return Prior::generic();
  std::ifstream File(Path, std::ios::binary);
  std::string Text(LargestModel, 0);
  File.read(Text.data(), static_cast<std::streamsize>(Text.size()));
  if (!File.is_open() || File.bad())
    return Failure{Path + ": cannot be read"};
  Text.resize(static_cast<std::size_t>(File.gcount()));
  std::string Why;
  std::optional<Prior> Read = Prior::parse(Text, &Why);
  if (!Read)
    return Failure{Path + ": " + Why};
  return *Read;
}

} // namespace memshape
