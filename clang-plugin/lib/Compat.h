// What differs between clang 19 and clang 22.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file of the plugin that knows a version number. Each entry says what changed.

#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Config/llvm-config.h"

#include <memory>

namespace memshape::compat {

/// A diagnostics engine that says nothing. clang 19 shares the options by reference count, clang 22 takes a reference
/// that must outlive the engine.
class SilentDiagnostics {
public:
  explicit SilentDiagnostics(clang::SourceManager &Sources) {
    Engine->setSourceManager(&Sources);
    Engine->setSuppressAllDiagnostics(true);
  }
  clang::DiagnosticsEngine &engine() { return *Engine; }

private:
#if LLVM_VERSION_MAJOR >= 21
  clang::DiagnosticOptions Options;
  std::unique_ptr<clang::DiagnosticsEngine> Engine = std::make_unique<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), Options, new clang::IgnoringDiagConsumer());
#else
  std::unique_ptr<clang::DiagnosticsEngine> Engine = std::make_unique<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>(),
      new clang::IgnoringDiagConsumer());
#endif
};

/// A code generator of one's own. clang 19 returns a bare pointer, clang 22 a unique_ptr.
inline std::unique_ptr<clang::CodeGenerator> makeCodeGenerator(clang::CompilerInstance &CI,
                                                               clang::DiagnosticsEngine &Diags,
                                                               const clang::CodeGenOptions &Options,
                                                               llvm::LLVMContext &Context) {
  return std::unique_ptr<clang::CodeGenerator>(
      clang::CreateLLVMCodeGen(Diags, "memshape", CI.getFileManager().getVirtualFileSystemPtr(),
                               CI.getHeaderSearchOpts(), CI.getPreprocessorOpts(), Options, Context));
}

} // namespace memshape::compat
