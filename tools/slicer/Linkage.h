// One module of several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <string>
#include <vector>

namespace memshape {

/// A module as an instrumented file carries it.
struct StoredModule {
  std::string Name; ///< display name
  llvm::StringRef Bitcode;
};

/// The first module with all others linked in, as a linker would do it: of two definitions the first one counts. Null
/// with a Problem where the first cannot be read; others that cannot be used are left out with a note.
std::unique_ptr<llvm::Module> linkModules(llvm::LLVMContext &Context, const std::vector<StoredModule> &Modules,
                                          std::vector<std::string> &Notes, std::string &Problem);

} // namespace memshape
