// A skeleton as machine code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emit/MachineCode.h"
#include "Compat.h"
#include "emit/Trim.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace memshape {

namespace {

/// Drops the code generator's diagnostics about a skeleton: they do not concern the user's program.
class Silence final : public DiagnosticHandler {
public:
  explicit Silence(bool &Complained) : Complained(Complained) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    Complained |= Info.getSeverity() == DS_Error;
    return true;
  }
  bool isAnyRemarkEnabled() const override { return false; }

private:
  bool &Complained;
};

} // namespace

SmallVector<char, 0> machineCode(Module &Skeleton) {
  SmallVector<char, 0> Object;
  const Triple Target(Skeleton.getTargetTriple());
  if (Target.getArch() != Triple::x86_64 || !Target.isOSBinFormatELF() || Target.isX32())
    return Object;
  std::string Problem;
  std::vector<std::string> Constructors;
  if (!prepareModule(Skeleton, /*Unwinding=*/false, Constructors, Problem))
    return Object;
  std::unique_ptr<TargetMachine> Machine = compat::targetMachine(Target);
  if (!Machine)
    return Object;
  bool Complained = false;
  LLVMContext &Context = Skeleton.getContext();
  std::unique_ptr<DiagnosticHandler> Ordinary = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<Silence>(Complained));
  raw_svector_ostream Stream(Object);
  legacy::PassManager Emission;
  bool Unable = Machine->addPassesToEmitFile(Emission, Stream, nullptr, CodeGenFileType::ObjectFile,
                                             /*DisableVerify=*/true);
  if (!Unable)
    Emission.run(Skeleton);
  Context.setDiagnosticHandler(std::move(Ordinary));
  if (Unable || Complained)
    Object.clear();
  return Object;
}

} // namespace memshape
