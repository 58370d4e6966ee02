// Predictions as profiles, for commands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Result.h"
#include "memshape/memshape.h"

namespace memshape {

/// What is asked of all operators of a program.
struct ProgramQuestion {
  std::vector<std::string> Files;            ///< that are taken for one program
  std::string Operator;                      ///< empty: all
  std::vector<std::string> Shapes, Settings; ///< "ni=400,nx=300"; symbols that are not given are 100, settings 1
  std::vector<std::string> Libraries;
  std::string Space = "host";
  bool Trust = false;
};

/// The calls of all operators that can be predicted; remarks say which cannot. A Failure where none can.
Result<Profile> profileOf(const ProgramQuestion &Asked);

} // namespace memshape
