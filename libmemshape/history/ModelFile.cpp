// The generic prior that a command uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/ModelFile.h"

#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/Try.h"

namespace memshape {

/// A model has some kilobytes; a larger file is something else.
static constexpr std::size_t LargestModel = 1 << 20;

Result<Prior> loadPrior(const std::string &Path) {
  if (Path.empty())
    return Prior::generic();
  MEMSHAPE_TRY(std::string Text, readFile(Path, LargestModel));
  std::string Why;
  std::optional<Prior> Read = Prior::parse(Text, &Why);
  if (!Read)
    return Failure{Path + ": " + Why};
  return *Read;
}

} // namespace memshape
