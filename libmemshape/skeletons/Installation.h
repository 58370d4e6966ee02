// Where the parts of this installation lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <filesystem>

namespace memshape {

/// Everything is found from where this code lies, in the build tree as after installation to any prefix.
class Installation {
public:
  /// The installation that this code belongs to: that of the command, or that of libmemshape.so in another program.
  static Result<Installation> ofThisCode();
  explicit Installation(std::filesystem::path BinDirectory) : Bin(std::move(BinDirectory)) {}

  std::filesystem::path runner() const;    ///< memshape-skeleton
  std::filesystem::path slicer() const;    ///< memshape-slicer
  std::filesystem::path extractor() const; ///< memshape-extractor
  /// The folder with the plugin's loader, its modules and the runtime.
  Result<std::filesystem::path> libraries() const;
  /// The folder with memshape/operator.h.
  Result<std::filesystem::path> headers() const;

private:
  std::filesystem::path Bin;
};

} // namespace memshape
