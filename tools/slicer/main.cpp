// memshape-slicer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a request and modules from its standard input, answers with the payload of one skeleton record:
// docs/formats.md, section 6. Meant to be started by memshape, which puts a watchdog beside it.

#include "Linkage.h"
#include "Requests.h"
#include "emit/MachineCode.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "operators/Operators.h"
#include "runner/sandbox/Box.h"
#include "runner/sandbox/Guard.h"
#include "skeleton/Skeleton.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <unistd.h>

using namespace llvm;
using namespace memshape;

namespace {

/// Who waits for a prediction waits longer than for a compilation; a watchdog ends this process in time.
constexpr unsigned PointerBudget = 20;

DialogueDescriptors Streams;

void write(StringRef Text) {
  while (!Text.empty()) {
    const ssize_t Written = ::write(Streams.Out, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      _exit(1);
    Text = Text.drop_front(size_t(Written));
  }
}

[[noreturn]] void refuse(const std::string &Problem) {
  std::string Line;
  raw_string_ostream(Line) << json::Value(json::Object{{"status", "error"}, {"message", json::fixUTF8(Problem)}})
                           << '\n';
  write(Line);
  _exit(1);
}

/// All of the standard input.
SmallString<0> readAll() {
  SmallString<0> Text;
  consumeError(sys::fs::readNativeFileToEOF(Streams.In, Text)); // what is missing is told as a module cut short
  return Text;
}

/// LLVM would print what it has to say and end the process.
class QuietDiagnostics final : public DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

std::string payloadOf(const Operator &Op, const SkeletonFacts &Facts, const Module *Made) {
  std::string Document;
  raw_string_ostream(Document) << json::Value(skeletonDocument(Op, Facts));
  char Length[8];
  support::endian::write64le(Length, Document.size());
  std::string Payload(Length, sizeof Length);
  Payload += Document;
  if (Made) {
    SmallString<0> Bitcode; // the writer patches offsets from the start of its buffer
    raw_svector_ostream Stream(Bitcode);
    WriteBitcodeToFile(*Made, Stream);
    Payload += Bitcode;
  }
  return Payload;
}

/// What every prediction would make of the skeleton, said last: a code generator that fails takes nothing else with it.
void writeMachineCode(Module &Skeleton) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  const SmallVector<char, 0> Object = machineCode(Skeleton);
  std::string Line;
  raw_string_ostream(Line) << json::Value(json::Object{{"object_bytes", int64_t(Object.size())}}) << '\n';
  write(Line);
  write(StringRef(Object.data(), Object.size()));
}

} // namespace

int main(int Count, char **Arguments) {
  const Worker Own = beginWork(Count, Arguments, "the slicer", Sight::Nothing);
  Streams = Own.Streams;
  if (Streams.In < 0 || Streams.Out < 0)
    return 2;
  limitAllProcessorTime(SlicerSeconds);
  if (std::optional<std::string> Why = shutBox(Box::Slicing); Why && !Own.Trusted)
    refuse("this system gives no sandbox (" + *Why + "); --trust works without");
  const SmallString<0> Input = readAll();
  auto [Line, Rest] = StringRef(Input).split('\n');
  SlicerRequest Request;
  std::string Problem;
  if (!parseSlicerRequest(Line, Request, Problem))
    refuse(Problem);
  std::vector<StoredModule> Stored;
  for (const SlicerRequest::ModuleBytes &Each : Request.Modules) {
    if (Rest.size() < Each.Bytes)
      refuse("the input ends within a module");
    Stored.push_back({Each.Name, Rest.take_front(Each.Bytes)});
    Rest = Rest.drop_front(Each.Bytes);
  }

  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<QuietDiagnostics>());
  std::vector<std::string> Notes;
  std::unique_ptr<Module> Whole = linkModules(Context, Stored, Notes, Problem);
  if (!Whole)
    refuse(Problem);
  for (const SlicerRequest::SummaryDocument &Each : Request.Summaries)
    if (!addSummaries(Each.Text, Problem))
      refuse(Each.Name + ": " + Problem);
  if (!addAttachedSummaries(*Whole, Problem))
    refuse("the summaries that a module carries: " + Problem);
  for (const Operator &Op : operatorsOf(*Whole)) {
    if (Op.Fact.Symbol != Request.Symbol)
      continue;
    SkeletonFacts Facts;
    Facts.Notes = Notes;
    const std::unique_ptr<Module> Made = buildSkeleton(Op, Request.Wanted, Facts, {PointerBudget});
    const std::string Payload = payloadOf(Op, Facts, Made.get());
    std::string Answer;
    raw_string_ostream(Answer) << json::Value(
                                      json::Object{{"status", "ok"}, {"payload_bytes", int64_t(Payload.size())}})
                               << '\n';
    write(Answer);
    write(Payload);
    if (Made && Request.Wanted != SkeletonKind::Replay)
      writeMachineCode(*Made);
    _exit(0);
  }
  refuse("the module of " + Stored.front().Name + " has no operator with the symbol " + Request.Symbol);
}
