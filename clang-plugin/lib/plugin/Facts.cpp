// The facts that the pass gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/Facts.h"
#include "features/Features.h"
#include "plugin/ConstantObjects.h"
#include "typed/BuilderModule.h"
#include "typed/UserLines.h"

#include "memshape/Apart.h"

#include "clang/Frontend/CompilerInstance.h"

#include <cstring>

using namespace clang;

namespace memshape::ast {

namespace {

/// The facts that a child gathers, by number, and how notes call them.
enum Gathered : size_t { Features, Constants, Locations, Arguments, GatheredCount };
constexpr const char *Names[] = {"what the source says of its memory", "which objects are constant",
                                 "the lines of its allocations"};

/// Serialises numbers and texts between a process and its child.
class Writer {
public:
  std::string Bytes;

  void number(uint32_t N) { Bytes.append(reinterpret_cast<const char *>(&N), sizeof N); }
  void text(const std::string &Text) {
    number(static_cast<uint32_t>(Text.size()));
    Bytes += Text;
  }
};

class Reader {
public:
  explicit Reader(const std::string &B) : Bytes(B) {}

  uint32_t number() {
    uint32_t N = 0;
    if (Bytes.size() - At >= sizeof N)
      std::memcpy(&N, Bytes.data() + At, sizeof N);
    At = std::min(At + sizeof N, Bytes.size());
    return N;
  }
  std::string text() {
    const size_t Size = number();
    std::string Text = Bytes.substr(At, Size);
    At = std::min(At + Size, Bytes.size());
    return Text;
  }
  bool atEnd() const { return At == Bytes.size(); }

private:
  const std::string &Bytes;
  size_t At = 0;
};

std::string written(const std::vector<std::string> &Texts) {
  Writer To;
  for (const std::string &Text : Texts)
    To.text(Text);
  return std::move(To.Bytes);
}

std::vector<std::string> readTexts(const std::string &Bytes) {
  std::vector<std::string> Texts;
  for (Reader From(Bytes); !From.atEnd();)
    Texts.push_back(From.text());
  return Texts;
}

std::string writtenLocations(const TranslationUnitFacts &Facts) {
  Writer To;
  To.text(written(Facts.Files));
  for (const FunctionLocations &Function : Facts.Locations) {
    To.text(Function.Symbol);
    To.text(Function.Name);
    To.number(Function.File);
    To.number(Function.Line);
    To.number(static_cast<uint32_t>(Function.Instructions.size()));
    for (const InstructionLocation &I : Function.Instructions)
      for (unsigned N : {I.Opcode, I.File, I.Line, I.Column})
        To.number(N);
  }
  return std::move(To.Bytes);
}

void readLocations(const std::string &Bytes, TranslationUnitFacts &Facts) {
  Reader From(Bytes);
  Facts.Files = readTexts(From.text());
  while (!From.atEnd()) {
    FunctionLocations Function;
    Function.Symbol = From.text();
    Function.Name = From.text();
    Function.File = From.number();
    Function.Line = From.number();
    for (uint32_t Left = From.number(); Left && !From.atEnd(); --Left) {
      InstructionLocation I;
      for (unsigned *N : {&I.Opcode, &I.File, &I.Line, &I.Column})
        *N = From.number();
      Function.Instructions.push_back(I);
    }
    Facts.Locations.push_back(std::move(Function));
  }
}

std::string writtenBuilders(const std::vector<Builder> &Made, const std::vector<size_t> &Operators,
                            const std::string &Bitcode) {
  Writer To;
  To.text(Bitcode);
  for (size_t I = 0; I != Made.size(); ++I) {
    if (Made[I].BuildsNothing && !Made[I].Problem.empty())
      continue;
    To.number(static_cast<uint32_t>(Operators[I]));
    To.text(Made[I].Problem);
    To.text(Made[I].Function);
    To.text(Made[I].Reader);
    To.number(static_cast<uint32_t>(Made[I].Tensors.size()));
    for (const BuiltArgument &Each : Made[I].Tensors) {
      To.text(Each.Name);
      To.text(Each.Type);
    }
    To.text(written(Made[I].Results));
    To.number(static_cast<uint32_t>(Made[I].Parameters.size()));
    for (const ParameterFact &P : Made[I].Parameters) {
      To.text(P.Name);
      To.text(P.Default);
      for (unsigned N : {static_cast<unsigned>(P.Role), P.Bits, static_cast<unsigned>(P.Signed)})
        To.number(N);
    }
  }
  return std::move(To.Bytes);
}

void readBuilders(const std::string &Bytes, TranslationUnitFacts &Facts) {
  Reader From(Bytes);
  Facts.BuilderBitcode = From.text();
  while (!From.atEnd()) {
    OperatorFact &Fact = Facts.Operators.at(From.number());
    Fact.Unbuilt = From.text();
    Fact.Builder = From.text();
    Fact.Reader = From.text();
    for (uint32_t Left = From.number(); Left; --Left) {
      std::string Name = From.text();
      Fact.Built.push_back({std::move(Name), From.text()});
    }
    Fact.Results = readTexts(From.text());
    for (uint32_t Left = From.number(); Left; --Left) {
      ParameterFact P;
      P.Name = From.text();
      P.Default = From.text();
      P.Role = static_cast<ParameterRole>(From.number());
      P.Bits = From.number();
      P.Signed = From.number() != 0;
      Fact.BuilderParameters.push_back(std::move(P));
    }
  }
}

/// Runs in a process of its own.
std::string buildArguments(CompilerInstance &CI, const std::vector<Operator> &Operators,
                           const std::vector<DeclarationEvent> &Events) {
  const UserLines Lines(CI.getASTContext());
  TypeNames Types;
  std::vector<Builder> Made;
  std::vector<size_t> Numbers;
  for (size_t I = 0; I != Operators.size(); ++I)
    if (needsBuilder(Operators[I]) || returnsObject(Operators[I])) {
      Builder One = makeBuilder(CI.getASTContext(), Lines, Operators[I], Made.size(), Types);
      if (One.BuildsNothing && One.Results.empty())
        continue;
      Made.push_back(std::move(One));
      Numbers.push_back(I);
    }
  std::string Bitcode;
  if (llvm::any_of(Made, [](const Builder &B) { return B.Problem.empty(); }))
    Bitcode = builderModule(CI, Made, Types, Events);
  return writtenBuilders(Made, Numbers, Bitcode);
}

} // namespace

void gatherFacts(CompilerInstance &CI, const std::vector<Operator> &Operators,
                 const std::vector<DeclarationEvent> &Events, TranslationUnitFacts &Facts) {
  Facts.SyntaxBytes = CI.getASTContext().getASTAllocatedMemory();
  for (const Operator &Each : Operators)
    Facts.Operators.push_back(Each.Fact);
  auto Gather = [&](size_t What) -> std::string {
    if (What == Features)
      return describeFeatures(CI.getASTContext(), Operators);
    if (What == Constants)
      return written(constantObjects(CI.getASTContext()));
    if (What == Arguments)
      return buildArguments(CI, Operators, Events);
    TranslationUnitFacts Own;
    recordLocations(CI, Events, Own);
    return writtenLocations(Own);
  };
  auto Take = [&](size_t What, std::string Bytes) {
    if (What == Features)
      Facts.FeaturesJson = std::move(Bytes);
    else if (What == Constants)
      Facts.Constants = readTexts(Bytes);
    else if (What == Arguments)
      readBuilders(Bytes, Facts);
    else
      readLocations(Bytes, Facts);
  };
  const bool AnyObject = llvm::any_of(Operators, needsBuilder) || llvm::any_of(Operators, returnsObject);
  const size_t Wanted = AnyObject ? GatheredCount : size_t(Arguments);
  readLibraries(); // once for all that is made apart
  makeApart(Wanted, Gather, Take, [&](size_t What, const std::string &Problem) {
    if (What == Arguments) {
      for (size_t I = 0; I != Operators.size(); ++I)
        if (needsBuilder(Operators[I]))
          Facts.Operators[I].Unbuilt = "its arguments cannot be built: " + Problem;
    } else {
      Facts.Notes.push_back(std::string(Names[What]) + " could not be read from the source: " + Problem);
    }
    return Retry::No;
  });
}

} // namespace memshape::ast
