// From bitcode to functions in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ORC's LLJIT with JITLink, in one thread, without a platform. The evaluation runs constructors; destructors are never
// run.

#include "runner/loading/Loading.h"

#include "emit/Trim.h"
#include "runner/loading/Compat.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace memshape;
using namespace llvm;

namespace {

std::string oneLine(Error Problem) {
  std::string Text = toString(std::move(Problem));
  for (char &C : Text)
    if (C == '\n' || C == '\r' || C == '\t')
      C = ' ';
  return Text;
}

/// Notes where the linker puts writable data.
class WritableData : public orc::ObjectLinkingLayer::Plugin {
public:
  explicit WritableData(std::vector<PlacedCode::Range> &Ranges) : Ranges(Ranges) {}

  void modifyPassConfig(orc::MaterializationResponsibility &, jitlink::LinkGraph &,
                        jitlink::PassConfiguration &Config) override {
    Config.PostFixupPasses.push_back([this](jitlink::LinkGraph &Graph) {
      for (jitlink::Section &Section : Graph.sections()) {
        if ((Section.getMemProt() & orc::MemProt::Write) == orc::MemProt::None)
          continue;
        const jitlink::SectionRange Where(Section);
        if (!Where.empty())
          Ranges.push_back({Where.getStart().toPtr<char *>(), Where.getSize()});
      }
      return Error::success();
    });
  }
  Error notifyFailed(orc::MaterializationResponsibility &) override { return Error::success(); }
  Error notifyRemovingResources(orc::JITDylib &, orc::ResourceKey) override { return Error::success(); }
  void notifyTransferringResources(orc::JITDylib &, orc::ResourceKey, orc::ResourceKey) override {}

private:
  std::vector<PlacedCode::Range> &Ranges;
};

extern "C" void __register_frame(void *);

/// Tells the C++ library how to unwind the code, which lives as long as the process.
class UnwindTables : public orc::ObjectLinkingLayer::Plugin {
public:
  void modifyPassConfig(orc::MaterializationResponsibility &, jitlink::LinkGraph &,
                        jitlink::PassConfiguration &Config) override {
    Config.PostFixupPasses.push_back([](jitlink::LinkGraph &Graph) {
      if (jitlink::Section *Frames = Graph.findSectionByName(".eh_frame"))
        if (const jitlink::SectionRange Where(*Frames); !Where.empty())
          __register_frame(Where.getStart().toPtr<void *>());
      return Error::success();
    });
  }
  Error notifyFailed(orc::MaterializationResponsibility &) override { return Error::success(); }
  Error notifyRemovingResources(orc::JITDylib &, orc::ResourceKey) override { return Error::success(); }
  void notifyTransferringResources(orc::JITDylib &, orc::ResourceKey, orc::ResourceKey) override {}
};

/// Resolves the linker's symbols.
class NameGenerator : public orc::DefinitionGenerator {
public:
  NameGenerator(const NameSearch &Names, std::string &Problem) : Names(Names), Problem(Problem) {}

  Error tryToGenerate(orc::LookupState &, orc::LookupKind, orc::JITDylib &Into, orc::JITDylibLookupFlags,
                      const orc::SymbolLookupSet &Wanted) override {
    orc::SymbolMap Found;
    for (const auto &[Name, Flags] : Wanted) {
      std::string Why;
      const Symbols::Found Symbol = Names((*Name).str(), Why);
      if (Symbol.Address)
        Found[Name] = {orc::ExecutorAddr::fromPtr(Symbol.Address), JITSymbolFlags::Exported};
      else if (Flags == orc::SymbolLookupFlags::RequiredSymbol && Problem.empty())
        Problem = Why;
    }
    return Into.define(orc::absoluteSymbols(std::move(Found)));
  }

private:
  const NameSearch &Names;
  std::string &Problem;
};

struct State {
  NameSearch Names;
  std::string NameProblem; ///< the first name that is not defined anywhere
  std::vector<PlacedCode::Range> Ranges;
  std::unique_ptr<orc::LLJIT> Engine;
};

bool load(std::string_view Bitcode, bool Unwinding, bool Optimised, State *Held, PlacedCode &Result,
          std::string &Problem) {
  auto Context = std::make_unique<LLVMContext>();
  auto Parsed = parseBitcodeFile(MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), "skeleton"), *Context);
  if (!Parsed) {
    Problem = "the skeleton's bitcode cannot be read: " + oneLine(Parsed.takeError());
    return false;
  }
  std::unique_ptr<Module> Code = std::move(*Parsed);
  const Triple Host(sys::getProcessTriple());
  std::vector<std::string> Constructors;
  if (!checkModule(*Code, Host, Problem) || !prepareModule(*Code, Unwinding, Constructors, Problem))
    return false;

  if (Unwinding)
    defineMissingVariables(*Code,
                           [&](const std::string &Name) { return Held->Names(Name, Problem).Address != nullptr; });
  Problem.clear();
  for (const std::string &Name : namesWanted(*Code)) {
    const Symbols::Found Symbol = Held->Names(Name, Problem);
    if (!Symbol.Address)
      return false;
    Result.NeedsChild |= Symbol.KeepsState;
  }

  orc::JITTargetMachineBuilder Machine(Host);
  // A replay computes; a skeleton mostly counts.
  Machine.setCodeGenOptLevel(Unwinding || Optimised ? CodeGenOptLevel::Default : CodeGenOptLevel::None);
  Machine.setRelocationModel(Reloc::PIC_);
  Machine.setCodeModel(CodeModel::Small);
  auto Control = orc::SelfExecutorProcessControl::Create(nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!Control) {
    Problem = oneLine(Control.takeError());
    return false;
  }
  auto Engine =
      orc::LLJITBuilder()
          .setExecutorProcessControl(std::move(*Control))
          .setJITTargetMachineBuilder(std::move(Machine))
          .setDataLayout(Code->getDataLayout())
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(orc::setUpInactivePlatform)
          .setObjectLinkingLayerCreator([Held, Unwinding](orc::ExecutionSession &Session,
                                                          auto &&...) -> Expected<std::unique_ptr<orc::ObjectLayer>> {
            auto Layer = std::make_unique<orc::ObjectLinkingLayer>(Session);
            Layer->addPlugin(std::make_shared<WritableData>(Held->Ranges));
            if (Unwinding)
              Layer->addPlugin(std::make_shared<UnwindTables>());
            return Layer;
          })
          .create();
  if (!Engine) {
    Problem = "the skeleton cannot be compiled: " + oneLine(Engine.takeError());
    return false;
  }
  Held->Engine = std::move(*Engine);
  Held->Engine->getExecutionSession().setErrorReporter([](Error Ignored) { consumeError(std::move(Ignored)); });
  orc::JITDylib &Main = Held->Engine->getMainJITDylib();
  Main.addGenerator(std::make_unique<NameGenerator>(Held->Names, Held->NameProblem));
  auto Failed = [&](Error Why) {
    std::string Text = oneLine(std::move(Why));
    Problem = Held->NameProblem.empty() ? "the skeleton cannot be compiled: " + Text : Held->NameProblem;
    return false;
  };
  if (Error Why = Held->Engine->addIRModule(orc::ThreadSafeModule(std::move(Code), std::move(Context))))
    return Failed(std::move(Why));
  auto Entry = Held->Engine->lookup(EntryName);
  if (!Entry)
    return Failed(Entry.takeError());
  Result.Run = Entry->toPtr<LoadedSkeleton::Function>();
  for (const std::string &Name : Constructors) {
    auto Constructor = Held->Engine->lookup(Name);
    if (!Constructor)
      return Failed(Constructor.takeError());
    Result.Constructors.push_back(Constructor->toPtr<void (*)()>());
  }

  Result.Writable = Held->Ranges;
  return true;
}

} // namespace

extern "C" __attribute__((visibility("default"))) bool memshape_jit(std::string_view Bitcode, const NameSearch &Names,
                                                                    bool Unwinding, bool Optimised, PlacedCode &Result,
                                                                    std::string &Problem) {
  static_assert(std::is_same_v<decltype(memshape_jit), JitFunction>);
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
  // Never destroyed: the code is in use until the process ends.
  auto *Held = new State{Names, {}, {}, nullptr};
  return load(Bitcode, Unwinding, Optimised, Held, Result, Problem);
}
