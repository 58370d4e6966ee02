// What a module leaves for the tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/Embedding.h"
#include "emit/MachineCode.h"
#include "extract/Extract.h"
#include "flatten/Flatten.h"
#include "memshape/Apart.h"
#include "memshape/Handover.h"
#include "operators/Compiler.h"
#include "operators/Operators.h"
#include "plugin/Builders.h"
#include "plugin/Readers.h"
#include "skeleton/Skeleton.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>
#include <utility>

using namespace llvm;

namespace memshape {

/// Limit of the work of slicing a unit's operators, in units of Effort: about a fifth of the work of compiling the
/// unit. That is estimated from its syntax tree, which was parsed and instantiated, and from its instructions, which
/// are optimised and translated. Operators beyond the limit are sliced when they are predicted.
static uint64_t allowanceOf(const Module &Unit, OptimizationLevel Level) {
  constexpr uint64_t PerKilobyte = 4, PerTranslated = 1, PerOptimised = 15, Least = 50'000;
  const uint64_t PerInstruction = Level == OptimizationLevel::O0 ? PerTranslated : PerOptimised;
  return std::max(Least, PerKilobyte * (handover().SyntaxBytes >> 10) + PerInstruction * instructionCount(Unit));
}

namespace {

/// What a child makes of one module, by number: the code of readers, the builders' place in the module, and records: the
/// module's code, then its operators, small ones first, so that a large one does not use up the limit for all others.
class Records {
public:
  Records(Module &Unit, Module *Copy, bool CopyKeptAll, OptimizationLevel Level);

  size_t size() const { return FirstOperator + Operators.size(); }
  std::string make(size_t Number);
  /// Takes over the text of a record.
  void take(size_t Number, std::string Text) { Texts[placeOf(Number)] = std::move(Text); }
  /// A record could not be made. If it is given up, a record with the reason replaces it.
  Retry failed(size_t Number, const std::string &Problem);
  /// All records, in the order of the source.
  std::string text() const { return join(ArrayRef(Texts).drop_front(UnitCode), ""); }
  const std::string &readers() const { return Texts[ReaderCode]; }

private:
  enum : size_t { ReaderCode, LinkedBuilders, UnitCode, FirstOperator };

  /// The position of a record in the order of the source.
  size_t placeOf(size_t Number) const {
    return Number < FirstOperator ? Number : FirstOperator + Order[Number - FirstOperator];
  }
  void lookAtOperators();
  void prepare();
  std::string codeText();
  std::string skeletonText(const Operator &Op, const SkeletonFacts &Facts, Module *Skeleton, bool Compile);

  Module &Unit, &Sliced, &Code;
  const OptimizationLevel Level;
  SmallVector<Operator, 4> Operators;
  bool Prepared = false;
  std::string Unbuilt;            ///< why no arguments are built
  std::vector<std::string> Notes; ///< notes for all skeletons
  size_t Uncompiled = 0;          ///< number of the record whose skeleton gets no machine code
  std::string WhyUncompiled;
  std::vector<unsigned> Reached; ///< instructions that each operator reaches
  std::vector<size_t> Order;     ///< of operators, small ones first
  std::vector<std::string> Texts;
  uint64_t Allowance = 0; ///< limit of work for the remaining operators
};

} // namespace

/// As on the command line: "-O2", "-Os".
static StringRef levelText(OptimizationLevel Level) {
  static constexpr StringLiteral Speed[] = {"-O0", "-O1", "-O2", "-O3"}, Size[] = {"-Os", "-Oz"};
  if (unsigned S = Level.getSizeLevel())
    return Size[S == 1 ? 0 : 1];
  return Speed[std::min(Level.getSpeedupLevel(), 3u)];
}

Records::Records(Module &M, Module *Copy, bool CopyKeptAll, OptimizationLevel Level)
    : Unit(M), Sliced(Copy ? *Copy : M), Code(Copy && CopyKeptAll ? *Copy : M), Level(Level), Notes(handover().Notes) {
  lookAtOperators();
  Texts.resize(size());
  Order.resize(Operators.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  sort(Order, [this](size_t A, size_t B) { return std::pair(Reached[A], A) < std::pair(Reached[B], B); });
}

void Records::lookAtOperators() {
  Operators = operatorsOf(Sliced);
  ReachedSizes Sizes;
  Reached.clear();
  for (Operator &Op : Operators) {
    Reached.push_back(Sizes.from(*Op.Function));
    if (!Unbuilt.empty() && isBuilt(Op.Fact))
      Op.Fact.Unbuilt = Unbuilt;
  }
}

/// Once in each child: builders stand before their operators, in the same order.
void Records::prepare() {
  if (std::exchange(Prepared, true))
    return;
  if (hasBuilders() && Unbuilt.empty() && !linkBuilders(Sliced))
    report_fatal_error("their code cannot be linked");
  lookAtOperators();
  Allowance = allowanceOf(Sliced, Level);
}

/// The record of a unit that keeps no others.
static std::string reasonText(const Module &M, StringRef Reason) {
  return recordText(RecordKind::Module, withoutCode(M, Reason));
}

void embedReason(Module &M, StringRef Reason) { M.appendModuleInlineAsm(reasonText(M, Reason)); }

std::string Records::codeText() {
  if (handover().Bodies)
    return recordText(RecordKind::Module, moduleRecord(Code));
  return Operators.empty() ? reasonText(Code, "it was compiled with bodies=no") : "";
}

std::string Records::skeletonText(const Operator &Op, const SkeletonFacts &Facts, Module *Skeleton, bool Compile) {
  json::Object Description = skeletonDocument(Op, Facts);
  Description["level"] = handover().LevelKnown ? levelText(Level) : levelOf(*Op.Function);
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
  if (Number == ReaderCode)
    return readerCode(Unit);
  prepare();
  if (Number == LinkedBuilders)
    return "";
  if (Number == UnitCode)
    return codeText();
  SkeletonFacts Facts;
  const size_t Index = Order[Number - FirstOperator];
  const Operator &Op = Operators[Index];
  SlicingLimits Limits;
  if (handover().Bodies) { // a prediction can then slice what is given up here
    Limits.Allowance = Allowance;
    Limits.Reached = Reached[Index];
  }
  std::unique_ptr<Module> Skeleton = buildSkeleton(Op, SkeletonKind::Slice, Facts, Limits);
  Allowance -= std::min(Allowance, Facts.Spent);
  if (Number == Uncompiled)
    Facts.Notes.push_back("compiled to machine code when it is predicted, not with its unit: " + WhyUncompiled);
  return skeletonText(Op, Facts, Skeleton.get(), /*Compile=*/Number != Uncompiled);
}

Retry Records::failed(size_t Number, const std::string &Problem) {
  const std::string Why = json::fixUTF8(Problem);
  if (Number == ReaderCode)
    Notes.push_back("runs do not tell the shapes of objects: " + Why);
  if (Number == LinkedBuilders) {
    Unbuilt = "its arguments cannot be built: " + Why;
    lookAtOperators();
  }
  if (Number == UnitCode) {
    Notes.push_back("the unit's code could not be kept for predictions: " + Why);
    if (Operators.empty())
      take(Number, reasonText(Code, Why));
  }
  if (Number < FirstOperator)
    return Retry::No;
  // The code generator may have failed.
  if (Number != Uncompiled) {
    Uncompiled = Number;
    WhyUncompiled = Why;
    return Retry::Yes;
  }
  SkeletonFacts Facts;
  Facts.Reason = "the slicer did not finish during the compilation: " + Why;
  take(Number, skeletonText(Operators[Order[Number - FirstOperator]], Facts, nullptr, /*Compile=*/false));
  return Retry::No;
}

std::string embedRecords(Module &M, Module *Copy, bool CopyKeptAll, OptimizationLevel Level) {
  std::string Text;
  if (const std::string &Features = handover().FeaturesJson; !Features.empty())
    Text = recordText(RecordKind::Features, ArrayRef(Features.data(), Features.size()));
  Records All(M, Copy, CopyKeptAll, Level);
  makeApart(
      All.size(), [&](size_t Number) { return All.make(Number); },
      [&](size_t Number, std::string Record) { All.take(Number, std::move(Record)); },
      [&](size_t Number, const std::string &Problem) { return All.failed(Number, Problem); });
  Text += All.text();
  if (!Text.empty())
    M.appendModuleInlineAsm(Text);
  return All.readers();
}

} // namespace memshape
