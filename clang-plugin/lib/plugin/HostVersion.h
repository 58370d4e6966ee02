// Which clang a version string names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the loader and the modules; plain C++, nothing of LLVM.

#pragma once

#include <cstdlib>
#include <string>

namespace memshape {

/// The major version in what clang says of itself, such as "Debian Clang 22.1.8 (1~deb12u1)"; 0 when there is none.
inline int majorVersion(const std::string &FullVersion) {
  static constexpr char Word[] = "lang ";
  std::string::size_type At = FullVersion.find(Word);
  if (At == std::string::npos)
    return 0;
  return std::atoi(FullVersion.c_str() + At + sizeof(Word) - 1);
}

} // namespace memshape
