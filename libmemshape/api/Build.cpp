// What the library is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/version/Version.h"
#include "memshape/memshape.h"

namespace memshape::v1 {

const Build &build() {
  static const Build Facts = {thisBuild().Version, thisBuild().Commit, thisBuild().Llvm, thisBuild().Formats};
  return Facts;
}

} // namespace memshape::v1
