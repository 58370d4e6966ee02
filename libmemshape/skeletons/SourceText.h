// The source that an answer speaks of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Skeleton.h"

#include <filesystem>

namespace memshape {

/// The folders whose sources an answer may show. Whoever made an instrumented file chose the names in it, and an answer
/// may be published; so the folders follow from where the file lies and where memshape runs.
class SourceFolders {
public:
  SourceFolders();
  /// For sources of File, which says that it was compiled in the folder Compiled; "" where that is not known.
  void add(const std::string &File, const std::string &Compiled);
  /// Whether the file at Path, which has no links, is a source in one of them.
  bool hold(const std::filesystem::path &Path) const;

private:
  std::vector<std::filesystem::path> Folders;
};

struct SourceText {
  std::vector<std::string> Lines; ///< without tabs and control characters; long ones are cut
  std::string Missing;            ///< why it could not be read
};

/// The file at Path, where all links lead to a source in Shown.
SourceText readSource(const std::string &Path, const SourceFolders &Shown);

/// Gives decisions without a condition, and sizes that wrap without an expression, those of the source, as far as it is
/// there: a slicer that works for a prediction reads no sources. File: that which brings the skeleton.
void readConditions(Skeleton &S, const std::string &File);

} // namespace memshape
