// The plugin's environment variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/Environment.h"

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"

#include <unistd.h>

using namespace clang;

namespace memshape::ast {

/// The variable that was probably meant; empty where the name is somebody else's.
static llvm::StringRef meant(llvm::StringRef Name) {
  constexpr unsigned Mistakes = 2;
  for (llvm::StringRef Known : {"MEMSHAPE_CACHE", "MEMSHAPE_DISABLE", "MEMSHAPE_OPERATORS"})
    if (Name.edit_distance(Known, /*AllowReplacements=*/true, Mistakes) <= Mistakes)
      return Known;
  return {};
}

Switch readEnvironment(DiagnosticsEngine &Diags) {
  Switch Result = Switch::On;
  for (char **Variable = environ; Variable && *Variable; ++Variable) {
    auto [Name, Value] = llvm::StringRef(*Variable).split('=');
    const llvm::StringRef Known = meant(Name);
    if (Known.empty() || Name == "MEMSHAPE_CACHE" || Name == "MEMSHAPE_OPERATORS")
      continue;
    if (Name != Known) {
      unsigned ID = Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                          "memshape: unknown environment variable '%0'; did you mean %1?");
      Diags.Report(ID) << Name << Known;
      Result = Switch::Invalid;
    } else if (Value == "1") {
      if (Result == Switch::On)
        Result = Switch::Off;
    } else if (!Value.empty() && Value != "0") {
      unsigned ID =
          Diags.getCustomDiagID(DiagnosticsEngine::Error, "memshape: MEMSHAPE_DISABLE is '%0'; it takes 0 or 1");
      Diags.Report(ID) << Value;
      Result = Switch::Invalid;
    }
  }
  return Result;
}

} // namespace memshape::ast
