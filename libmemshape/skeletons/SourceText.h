//===- SourceText.h - The source that an answer speaks of -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_PREDICTION_SOURCETEXT_H
#define MEMSHAPE_TOOLS_PREDICTION_SOURCETEXT_H

#include "libmemshape/skeletons/Skeleton.h"

namespace memshape {

struct SourceText {
  std::vector<std::string> Lines; ///< without tabs and control characters; long ones are cut
  std::string Missing;            ///< why it could not be read
};

/// The file at Path, if its name is that of a source file: whoever made an instrumented file chose the names in it.
SourceText readSource(const std::string &Path);

/// Gives decisions without a condition that of the source, as far as it is there: a slicer that works for a prediction
/// reads no sources.
void readConditions(Skeleton &S);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_PREDICTION_SOURCETEXT_H
