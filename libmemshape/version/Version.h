// What this build of memshape is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <vector>

namespace memshape {

struct BuildFacts {
  std::string Version;              ///< "0.1.0"
  std::string Commit;               ///< twelve digits; "unknown" where the sources were no repository
  bool Modified = false;            ///< and files differed from that commit
  std::vector<std::string> Llvm;    ///< releases of clang that there are modules for, newest first: "22.1.8"
  std::string ToolsLlvm;            ///< the one that slices and compiles for a prediction
  std::vector<std::string> Formats; ///< names and versions of all that is written or read, in alphabetical order
};

const BuildFacts &thisBuild();

/// What `memshape --version` prints, without a newline at the end.
std::string versionText();

} // namespace memshape
