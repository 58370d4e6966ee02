//===- ModelFile.h - The generic prior that a command uses ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_MODELFILE_H
#define MEMSHAPE_TOOLS_MEMSHAPE_MODELFILE_H

#include "libmemshape/text/Result.h"
#include "model/residency/Prior.h"

namespace memshape {

/// The model file at Path, or the one that this build brings where Path is empty.
Result<Prior> loadPrior(const std::string &Path);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_MODELFILE_H
