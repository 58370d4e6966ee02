// Bitcode of other front ends, and the object file of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bitcode.h"
#include "Compat.h"
#include "memshape/Passes.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace memshape {

/// Bitcode of these releases is read: that of older ones has intrinsics and debug information of other forms, of which
/// nothing here was tried.
static constexpr unsigned OldestRelease = 19, NewestRelease = compat::Release;

Error problem(const Twine &Text) { return createStringError(inconvertibleErrorCode(), Text); }

/// Reasons of LLVM may have several lines.
static std::string oneLine(Error Problem) {
  std::string Text = toString(std::move(Problem));
  for (char &C : Text)
    C = C == '\n' ? ' ' : C;
  return Text;
}

/// What File is, if it is no bitcode.
static StringRef kindOf(StringRef Bytes) {
  if (Bytes.empty())
    return "empty";
  switch (identify_magic(Bytes)) {
  case file_magic::archive: return "an archive: give the bitcode in it";
  case file_magic::elf:
  case file_magic::elf_relocatable:
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
    return "machine code: give what the front end writes for --emit=llvm-bc, -emit-llvm or the like";
  default: return "no LLVM bitcode";
  }
}

/// Of "LLVM22.1.2-rust-1.95.0-stable" 22; 0 where it says none.
static unsigned releaseOf(StringRef Producer) {
  unsigned Release = 0;
  Producer.consume_front("LLVM");
  (void)Producer.consumeInteger(10, Release);
  return Release;
}

static Expected<std::unique_ptr<Module>> readOne(LLVMContext &Context, const std::string &File) {
  const auto Refuse = [&](const Twine &Why) { return problem("'" + Twine(File) + "' " + Why); };
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return problem("cannot read '" + Twine(File) + "': " + Buffer.getError().message());
  const MemoryBufferRef Bytes = **Buffer;
  if (identify_magic(Bytes.getBuffer()) != file_magic::bitcode)
    return Refuse("is " + kindOf(Bytes.getBuffer()));
  Expected<std::string> Producer = getBitcodeProducerString(Bytes);
  if (!Producer)
    return Refuse("is damaged bitcode: " + oneLine(Producer.takeError()));
  if (const unsigned Release = releaseOf(*Producer); Release < OldestRelease || Release > NewestRelease)
    return Refuse("is bitcode of " + (Producer->empty() ? "an unknown producer" : *Producer) +
                  "; memshape reads that of LLVM " + Twine(OldestRelease) + " to " + Twine(NewestRelease));
  Expected<std::unique_ptr<Module>> Read = parseBitcodeFile(Bytes, Context);
  if (!Read)
    return Refuse("is damaged bitcode: " + oneLine(Read.takeError()));
  std::string Why;
  raw_string_ostream Stream(Why);
  if (verifyModule(**Read, &Stream))
    return Refuse("is damaged bitcode: " + StringRef(Why).split('\n').first);
  const Triple Target((*Read)->getTargetTriple());
  if (!worksOn(Target))
    return Refuse("was compiled for " + (Target.str().empty() ? "no machine in particular" : Target.str()) +
                  ", whose code does not run here");
  return Read;
}

Expected<std::unique_ptr<Module>> readBitcode(LLVMContext &Context, const std::vector<std::string> &Files) {
  std::unique_ptr<Module> Whole;
  for (const std::string &File : Files) {
    Expected<std::unique_ptr<Module>> Read = readOne(Context, File);
    if (!Read)
      return Read.takeError();
    if (!Whole)
      Whole = std::move(*Read);
    else if (Linker::linkModules(*Whole, std::move(*Read)))
      return problem("'" + Twine(File) + "' does not go with '" + Files.front() + "': both define a name");
  }
  return Whole;
}

Expected<SmallVector<char, 0>> objectFile(Module &M) {
  const Triple Target(M.getTargetTriple());
  const std::unique_ptr<TargetMachine> Machine = compat::targetMachine(Target);
  SmallVector<char, 0> Object;
  raw_svector_ostream Stream(Object);
  legacy::PassManager Emission;
  if (Machine) {
    Machine->setOptLevel(CodeGenOptLevel::Default);
    Machine->Options.FunctionSections = Machine->Options.DataSections = true; // a linker drops what nobody calls
  }
  if (!Machine || Machine->addPassesToEmitFile(Emission, Stream, nullptr, CodeGenFileType::ObjectFile))
    return problem("no object file can be written for " + Target.str());
  Emission.run(M);
  return Object;
}

} // namespace memshape
