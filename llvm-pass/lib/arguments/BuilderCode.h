// Functions that build arguments and read them back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arguments/PassedArguments.h"
#include "llvm/IR/Module.h"
#include <string>

namespace memshape {

/// Bitcode of the functions that build and read arguments, beside what is known of the operators themselves. Fact is
/// given parameters: what F itself takes, and what its builder does.
class BuilderCode {
  std::unique_ptr<llvm::Module> Made;

public:
  explicit BuilderCode(const llvm::Module &For);

  void describe(const llvm::Function &F, const PassedArguments &Found, OperatorFact &Fact);
  /// "" where no operator needs any.
  std::string bitcode() const;
};

} // namespace memshape
