// The optimised module, for use at predict time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This runs in every compilation with the flag, so nothing here visits instructions except the bitcode writer and, if
// -g gave the module more than line tables, the removal of these.

#include "Compat.h"
#include "extract/UndefinedNames.h"
#include "operators/Operators.h"
#include "plugin/Embedding.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memshape {

/// Whether another unit could refer to G without having it: inline functions come with their headers.
static bool isOffered(const GlobalValue &G) {
  return !G.isDeclaration() && !G.hasLocalLinkage() && !G.hasLinkOnceODRLinkage() &&
         !G.hasAvailableExternallyLinkage() && !G.getName().starts_with("llvm.") && G.getName() != "main";
}

static bool hasMoreThanLines(const Module &M) {
  return any_of(M.debug_compile_units(),
                [](const DICompileUnit *Unit) { return Unit->getEmissionKind() == DICompileUnit::FullDebug; });
}

static void writeBitcode(const Module &M, SmallVectorImpl<char> &Into) {
  SmallString<0> Bitcode; // the writer patches offsets from the start of its buffer
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  Into.append(Bitcode.begin(), Bitcode.end());
}

/// The length of Document, and Document.
static SmallString<0> head(json::Object Document) {
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Document));
  char Length[8];
  support::endian::write64le(Length, Text.size());
  SmallString<0> Payload(StringRef(Length, sizeof Length));
  Payload.append(Text);
  return Payload;
}

SmallString<0> withoutCode(const Module &M, StringRef Reason) {
  return head(json::Object{{"schema", "memshape.module/1"},
                           {"source", json::fixUTF8(M.getSourceFileName())},
                           {"llvm", compat::Release},
                           {"reason", json::fixUTF8(Reason)}});
}

SmallString<0> moduleRecord(Module &M) {
  json::Array Operators, Defines, Repeated;
  for (const Operator &Op : operatorsOf(M))
    Operators.push_back(Op.Fact.Symbol);
  for (const GlobalValue &G : M.global_values())
    if (isOffered(G)) {
      Defines.push_back(G.getName());
      if (G.hasWeakODRLinkage() || G.isInterposable())
        Repeated.push_back(G.getName());
    }
  if (Operators.empty() && Defines.empty())
    return withoutCode(M, "");
  SmallString<0> Payload = head(json::Object{{"schema", "memshape.module/1"},
                                             {"source", json::fixUTF8(M.getSourceFileName())},
                                             {"llvm", compat::Release},
                                             {"operators", std::move(Operators)},
                                             {"defines", std::move(Defines)},
                                             {"repeated", std::move(Repeated)},
                                             {"needs", json::Array(undefinedNames(M))}});
  // File-level assembly holds other records, or functions that cannot be analysed.
  const std::string Assembly = M.getModuleInlineAsm();
  M.setModuleInlineAsm("");
  if (hasMoreThanLines(M))
    stripNonLineTableDebugInfo(M);
  writeBitcode(M, Payload);
  M.setModuleInlineAsm(Assembly);
  return Payload;
}

} // namespace memshape
