// Differences between LLVM 19 and 22.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file of this room that knows release numbers. Each entry names what changed.

#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

// 22 moved the plugin interface to its own library.
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace memshape::compat {

/// The release that this is compiled for.
inline constexpr int Release = LLVM_VERSION_MAJOR;

/// Inserts I before Where; 20 deprecates insertion points given as instructions.
inline void insertBefore(llvm::Instruction *I, llvm::Instruction *Where) {
#if LLVM_VERSION_MAJOR >= 20
  I->insertBefore(Where->getIterator());
#else
  I->insertBefore(Where);
#endif
}

/// The variable parts of an address, as GEPOperator::collectOffset gives them; 20 made the map a small one.
#if LLVM_VERSION_MAJOR >= 20
using OffsetMap = llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>;
#else
using OffsetMap = llvm::MapVector<llvm::Value *, llvm::APInt>;
#endif

/// 20 renamed Intrinsic::getDeclaration.
template <typename... Args> llvm::Function *intrinsic(llvm::Module *M, llvm::Intrinsic::ID ID, Args &&...A) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(M, ID, std::forward<Args>(A)...);
#else
  return llvm::Intrinsic::getDeclaration(M, ID, std::forward<Args>(A)...);
#endif
}

/// Says of a parameter that the function keeps no copy of it; 21 tells apart what is kept.
inline llvm::Attribute captureNothing(llvm::LLVMContext &C) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(C, llvm::CaptureInfo::none());
#else
  return llvm::Attribute::get(C, llvm::Attribute::NoCapture);
#endif
}

/// 22 takes the data layout from the analysis.
struct Expander : llvm::SCEVExpander {
#if LLVM_VERSION_MAJOR >= 22
  Expander(llvm::ScalarEvolution &SE, const llvm::DataLayout &) : SCEVExpander(SE, "iterations") {}
#else
  Expander(llvm::ScalarEvolution &SE, const llvm::DataLayout &Layout) : SCEVExpander(SE, Layout, "iterations") {}
#endif
};

/// 21 takes triples as triples.
#if LLVM_VERSION_MAJOR >= 21
inline const llvm::Triple &nameOf(const llvm::Triple &Target) { return Target; }
#else
inline const std::string &nameOf(const llvm::Triple &Target) { return Target.str(); }
#endif

/// What the host knows of a target; null where it has none.
inline const llvm::Target *target(const llvm::Triple &Wanted) {
  std::string Problem;
  return llvm::TargetRegistry::lookupTarget(nameOf(Wanted), Problem);
}

/// A machine for code that is ready soon rather than fast; nothing where the host has no such target.
inline std::unique_ptr<llvm::TargetMachine> targetMachine(const llvm::Triple &Wanted) {
  const llvm::Target *Found = target(Wanted);
  if (!Found)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(Found->createTargetMachine(nameOf(Wanted), "", "", llvm::TargetOptions(),
                                                                         llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                         llvm::CodeGenOptLevel::None));
}

} // namespace memshape::compat
