// The program's modules, as its files carry them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Modules.h"
#include "libmemshape/files/ElfFile.h"
#include "libmemshape/files/MappedFile.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Spelling.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <dlfcn.h>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace memshape {

constexpr const char ModuleSchema[] = "memshape.module/1";
/// More than the names of any program.
constexpr std::uint64_t MaxHeadBytes = 64 << 20;

static Result<ModuleHead> headOf(const Record &R) {
  MEMSHAPE_TRY(std::string Length, unpackedStart(R, sizeof(std::uint64_t)));
  std::optional<std::uint64_t> JsonBytes = Bytes(Length).read<std::uint64_t>(0);
  if (!JsonBytes || *JsonBytes > MaxHeadBytes)
    return damagedRecord("module", "its description runs past its end");
  ModuleHead Head;
  Head.Stored = &R;
  Head.BitcodeAt = sizeof(std::uint64_t) + *JsonBytes;
  MEMSHAPE_TRY(std::string Start, unpackedStart(R, Head.BitcodeAt));
  if (Start.size() != Head.BitcodeAt)
    return damagedRecord("module", "its description runs past its end");
  Result<nlohmann::json> Document = parseJson(std::string_view(Start).substr(sizeof(std::uint64_t)));
  if (!Document)
    return damagedRecord("module", Document.failure().Message);
  JsonFields Fields(*Document);
  if (Fields.string("schema") != ModuleSchema)
    return Failure{"has a module record that is not a " + std::string(ModuleSchema)};
  Head.Source = Fields.string("source");
  Head.Llvm = static_cast<unsigned>(std::min<std::uint64_t>(Fields.natural("llvm"), 1 << 20));
  Head.Operators = Fields.strings("operators");
  Head.Defines = Fields.strings("defines");
  Head.Repeated = Fields.strings("repeated");
  Head.Needs = Fields.strings("needs");
  Head.Reason = Fields.string("reason");
  if (Fields.failed())
    return damagedRecord("module", *Fields.failed());
  return Head;
}

static bool contains(const std::vector<std::string> &List, const std::string &Name) {
  return std::find(List.begin(), List.end(), Name) != List.end();
}

/// A program and the library that went into it bring one unit twice.
static bool sameModule(const ModuleHead &A, const ModuleHead &B) {
  return A.Stored && B.Stored && A.Stored->Checksum == B.Stored->Checksum && A.Stored->Payload == B.Stored->Payload;
}

std::vector<ModuleHead> modulesOf(std::span<const InstrumentedFile> Files, std::vector<std::string> &Notes) {
  std::vector<ModuleHead> Heads;
  for (const InstrumentedFile &File : Files)
    for (const Record &R : File.Records) {
      if (R.Kind != RecordKind::Module)
        continue;
      Result<ModuleHead> Head = headOf(R);
      if (Head && !Head->Reason.empty()) {
        Notes.push_back("'" + File.Path + "' keeps no code of " + Head->Source + ": " + Head->Reason);
      } else if (Head) {
        Head->File = File.Path;
        Heads.push_back(std::move(*Head));
      } else {
        Notes.push_back("'" + File.Path + "' " + Head.failure().Message);
      }
    }
  return Heads;
}

std::string whyUnusable(std::span<const InstrumentedFile> Files) {
  std::vector<std::string> Notes;
  modulesOf(Files, Notes);
  std::string Text;
  for (const std::string &Note : Notes)
    Text += "; " + Note;
  return Text;
}

UnitChoice unitsOf(const std::vector<ModuleHead> &Heads, const std::string &Symbol,
                   const std::vector<std::string> &Undefined, bool WholeUnit) {
  auto Home = std::find_if(Heads.begin(), Heads.end(), [&](const ModuleHead &Head) {
    return std::find(Head.Operators.begin(), Head.Operators.end(), Symbol) != Head.Operators.end();
  });
  if (Home == Heads.end())
    return {};
  UnitChoice Choice;
  std::vector<std::size_t> &Units = Choice.Units;
  Units = {static_cast<std::size_t>(Home - Heads.begin())};
  std::unordered_map<std::string_view, std::size_t> Definer;
  std::unordered_set<std::string_view> Ambiguous;
  // A definition that may be repeated yields to one that may not, as for a linker.
  for (const bool MayRepeat : {false, true})
    for (std::size_t I = 0; I < Heads.size(); ++I)
      for (const std::string &Name : Heads[I].Defines)
        if (contains(Heads[I].Repeated, Name) == MayRepeat)
          if (auto [First, New] = Definer.emplace(Name, I);
              !New && !MayRepeat && !sameModule(Heads[First->second], Heads[I]))
            Ambiguous.insert(Name);
  for (const std::string &Name : Home->Defines)
    if (!contains(Home->Repeated, Name))
      Definer[Name] = Units.front();
  std::vector<bool> Taken(Heads.size());
  Taken[Units.front()] = true;
  auto Want = [&](const std::vector<std::string> &Names) {
    for (const std::string &Name : Names)
      if (auto Found = Definer.find(Name); Found != Definer.end()) {
        if (Ambiguous.contains(Name) && Choice.Ambiguous.empty())
          Choice.Ambiguous = Name;
        if (!Taken[Found->second]) {
          Taken[Found->second] = true;
          Units.push_back(Found->second);
        }
      }
  };
  Want(WholeUnit ? Home->Needs : Undefined);
  for (std::size_t At = 1; At < Units.size(); ++At)
    Want(Heads[Units[At]].Needs);
  return Choice;
}

/// Beginnings of names: the members "replaceable" of the documents of libraries/.
static constexpr std::string_view Replaceable[] = {
#include "ReplaceableNames.inc"
};

static bool isReplaceable(const std::string &Name) {
  return std::any_of(std::begin(Replaceable), std::end(Replaceable),
                     [&](std::string_view Beginning) { return Name.starts_with(Beginning); });
}

/// The first file that has one.
static std::optional<OwnFunction> ownFunctionOf(const std::vector<InstrumentedFile> &Files,
                                                const std::function<bool(const std::string &)> &Meant) {
  for (const InstrumentedFile &File : Files)
    if (Result<MappedFile> Program = MappedFile::open(File.Path))
      if (const std::optional<std::string> Own = ownDefinition(Program->bytes(), Meant))
        return OwnFunction{File.Path, demangled(*Own)};
  return std::nullopt;
}

std::optional<OwnFunction> ownFunction(const std::vector<InstrumentedFile> &Files, const std::vector<ModuleHead> &Heads,
                                       const std::vector<std::string> &Names) {
  std::set<std::string> OfLibraries;
  for (const std::string &Name : Names)
    if ((isReplaceable(Name) || dlsym(RTLD_DEFAULT, Name.c_str())) &&
        std::none_of(Heads.begin(), Heads.end(), [&](const ModuleHead &Head) { return contains(Head.Defines, Name); }))
      OfLibraries.insert(Name);
  if (OfLibraries.empty())
    return std::nullopt;
  return ownFunctionOf(Files, [&](const std::string &Name) { return OfLibraries.contains(Name); });
}

std::optional<OwnFunction> replacedFunction(const std::vector<InstrumentedFile> &Files) {
  return ownFunctionOf(Files, isReplaceable);
}

Result<std::string> bitcodeOf(const ModuleHead &Head) {
  MEMSHAPE_TRY(std::string Payload, inContext("'" + Head.File + "' ", unpacked(*Head.Stored)));
  if (Payload.size() < Head.BitcodeAt)
    return Failure{"'" + Head.File + "' has a damaged module record"};
  return Payload.substr(Head.BitcodeAt);
}

} // namespace memshape
