//===- Embedding.cpp - What a module leaves for the tools -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Embedding.h"
#include "Compat.h"
#include "ModuleRecord.h"
#include "Operators.h"
#include "SectionWriter.h"
#include "memshape/Apart.h"
#include "memshape/Handover.h"
#include "skeleton/Flatten.h"
#include "skeleton/MachineCode.h"
#include "skeleton/Skeleton.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memshape {

/// A unit's operators may have so many instructions in all when each is one function with everything it calls, for each
/// instruction of the unit, and so many in any case. Slicing one takes about a third of the time that compiling one
/// does. What is more is sliced when somebody asks.
static constexpr uint64_t AllowancePerInstruction = 1, LeastAllowance = 25'000;

namespace {

/// The records of one module that are made apart, by number: its code, then its operators in their order.
class Records {
public:
  Records(Module &Code, Module &Sliced, StringRef Level)
      : Code(Code), Level(Level), Operators(operatorsOf(Sliced)), Notes(handover().Notes),
        Allowance(std::max(LeastAllowance, AllowancePerInstruction * instructionCount(Sliced))) {}

  size_t size() const { return 1 + Operators.size(); }
  std::string make(size_t Number);
  /// A record could not be made. Adds to Text what stands for it, where it is given up.
  Retry failed(size_t Number, const std::string &Problem, std::string &Text);

private:
  std::string codeText();
  std::string skeletonText(const Operator &Op, const SkeletonFacts &Facts, Module *Skeleton, bool Compile);

  Module &Code;
  const StringRef Level;
  const SmallVector<Operator, 4> Operators;
  std::vector<std::string> Notes; ///< for all skeletons
  size_t Uncompiled = 0;          ///< the record whose skeleton gets no machine code
  std::string WhyUncompiled;
  uint64_t Allowance; ///< instructions that the operators which are left may have, flattened
};

} // namespace

/// As on the command line: "-O2", "-Os".
static StringRef levelText(OptimizationLevel Level) {
  static constexpr StringLiteral Speed[] = {"-O0", "-O1", "-O2", "-O3"}, Size[] = {"-Os", "-Oz"};
  if (unsigned S = Level.getSizeLevel())
    return Size[S == 1 ? 0 : 1];
  return Speed[std::min(Level.getSpeedupLevel(), 3u)];
}

std::string Records::codeText() {
  const SmallString<0> Payload = handover().Bodies ? moduleRecord(Code) : SmallString<0>();
  return Payload.empty() ? "" : recordText(RecordKind::Module, Payload);
}

std::string Records::skeletonText(const Operator &Op, const SkeletonFacts &Facts, Module *Skeleton, bool Compile) {
  json::Object Description = skeletonDocument(Op, Facts);
  // What the optimiser elides is gone from the footprint: who compares two of them asks which one it was.
  Description["compiler"] = "clang " + std::to_string(compat::Release);
  Description["level"] = Level;
  for (const std::string &Note : Notes)
    Description.getArray("notes")->push_back(Note);
  SmallString<0> Bitcode; // the writer patches offsets from the start of its buffer
  SmallVector<char, 0> Object;
  if (Skeleton) {
    raw_svector_ostream Stream(Bitcode);
    WriteBitcodeToFile(*Skeleton, Stream);
    if (Compile)
      Object = machineCode(*Skeleton);
    Description["object_bytes"] = int64_t(Object.size());
  }
  std::string Document;
  raw_string_ostream(Document) << json::Value(std::move(Description));
  char Length[8];
  support::endian::write64le(Length, Document.size());
  SmallString<0> Payload(StringRef(Length, sizeof Length));
  Payload.append(Document);
  Payload.append(Bitcode);
  Payload.append(Object.begin(), Object.end());
  return recordText(RecordKind::Skeleton, Payload);
}

std::string Records::make(size_t Number) {
  if (Number == 0)
    return codeText();
  SkeletonFacts Facts;
  const Operator &Op = Operators[Number - 1];
  SlicingLimits Limits;
  if (handover().Bodies) // from which a prediction can slice what is given up here
    Limits.Allowance = Allowance;
  std::unique_ptr<Module> Skeleton = buildSkeleton(Op, Facts, Limits);
  Allowance -= std::min<uint64_t>(Allowance, Facts.Flattened);
  if (Number == Uncompiled)
    Facts.Notes.push_back("made into machine code when it is asked, not in the compilation: " + WhyUncompiled);
  return skeletonText(Op, Facts, Skeleton.get(), /*Compile=*/Number != Uncompiled);
}

Retry Records::failed(size_t Number, const std::string &Problem, std::string &Text) {
  if (Number == 0) {
    Notes.push_back("the unit's code could not be kept for predictions: " + Problem);
    return Retry::No;
  }
  // It may have been the code generator.
  if (Number != Uncompiled) {
    Uncompiled = Number;
    WhyUncompiled = json::fixUTF8(Problem);
    return Retry::Yes;
  }
  SkeletonFacts Facts;
  Facts.Reason = "the slicer came to no end in the compilation: " + json::fixUTF8(Problem);
  Text += skeletonText(Operators[Number - 1], Facts, nullptr, /*Compile=*/false);
  return Retry::No;
}

void embedRecords(Module &M, Module *Copy, bool CopyKeptAll, OptimizationLevel Level) {
  std::string Text;
  if (const std::string &Features = handover().FeaturesJson; !Features.empty())
    Text = recordText(RecordKind::Features, ArrayRef(Features.data(), Features.size()));
  Records All(Copy && CopyKeptAll ? *Copy : M, Copy ? *Copy : M, levelText(Level));
  makeApart(
      All.size(), [&](size_t Number) { return All.make(Number); },
      [&](size_t, const std::string &Record) { Text += Record; },
      [&](size_t Number, const std::string &Problem) { return All.failed(Number, Problem, Text); });
  if (!Text.empty())
    M.appendModuleInlineAsm(Text);
}

} // namespace memshape
