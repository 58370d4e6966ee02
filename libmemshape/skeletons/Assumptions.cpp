// What the user says about decisions and machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Split.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>
#include <sstream>

namespace memshape {

static std::optional<std::uint64_t> natural(const std::string &Text) {
  const std::optional<std::uint64_t> Value = numberIn<std::uint64_t>(Text);
  return Value && *Value <= INT64_MAX ? Value : std::nullopt;
}

static bool startsWord(char C) { return std::isalpha(static_cast<unsigned char>(C)) || C == '_'; }
static bool continuesWord(char C) { return startsWord(C) || std::isdigit(static_cast<unsigned char>(C)); }

/// The one variable that a line of source takes a size from: a word that is neither called, nor qualified, nor a type.
/// Empty where none or several could be meant, and where the line assigns: the size may be one step of the way there.
static std::string variableOf(const std::string &Line, const std::vector<std::string> &Symbols) {
  static constexpr std::array Keywords = {
      "alignof", "auto",  "bool",   "char",   "const",    "delete",   "do",       "double", "else",
      "float",   "for",   "if",     "int",    "int32_t",  "int64_t",  "long",     "new",    "ptrdiff_t",
      "return",  "short", "signed", "sizeof", "size_t",   "static",   "std",      "struct", "switch",
      "this",    "true",  "false",  "NULL",   "uint32_t", "uint64_t", "unsigned", "void",   "while"};
  std::vector<std::string> Words;
  for (std::size_t At = 0; At < Line.size();) {
    if (!startsWord(Line[At])) {
      // Numbers, with their suffixes.
      if (std::isdigit(static_cast<unsigned char>(Line[At])))
        while (At < Line.size() && continuesWord(Line[At]))
          ++At;
      else
        ++At;
      continue;
    }
    std::size_t End = At;
    while (End < Line.size() && continuesWord(Line[End]))
      ++End;
    std::string Word = Line.substr(At, End - At);
    std::size_t Next = Line.find_first_not_of(' ', End), Before = At ? Line.find_last_not_of(' ', At - 1) : Line.npos;
    std::string_view Rest = Next == Line.npos ? std::string_view() : std::string_view(Line).substr(Next);
    char After = Rest.empty() ? '\0' : Rest[0], Ahead = Before == Line.npos ? '\0' : Line[Before];
    At = End;
    bool Member = Ahead == '.' || (Ahead == '>' && Before && Line[Before - 1] == '-');
    if (After == '=' && !Rest.starts_with("=="))
      return "";
    bool Called = After == '(' || After == '<' || After == '{' || After == '.' || Rest.starts_with("::");
    bool Type = startsWord(After) || Ahead == '<';
    if (Member || Called || Type || After == '[' || Rest.starts_with("->") ||
        std::find(Keywords.begin(), Keywords.end(), Word) != Keywords.end() ||
        std::find(Symbols.begin(), Symbols.end(), Word) != Symbols.end() ||
        std::find(Words.begin(), Words.end(), Word) != Words.end())
      continue;
    Words.push_back(std::move(Word));
  }
  return Words.size() == 1 ? Words.front() : "";
}

/// All words that are known of the operator's source: of parameters, of lines that decide, of lines that lead to a
/// site.
static std::set<std::string> namesInSource(const Skeleton &S) {
  std::set<std::string> Names;
  auto AddWords = [&](const std::string &Line) {
    for (std::size_t At = 0; At < Line.size();) {
      std::size_t End = At;
      while (End < Line.size() && continuesWord(Line[End]))
        ++End;
      if (End > At && startsWord(Line[At]))
        Names.insert(Line.substr(At, End - At));
      At = std::max(End, At + 1);
    }
  };
  for (const Parameter &P : S.Parameters)
    Names.insert(P.Name);
  for (const SkeletonDecision &D : S.Decisions)
    AddWords(D.Condition);
  for (const SkeletonSite &Site : S.Sites)
    for (const SourcePlace &Call : Site.Chain)
      AddWords(Call.Text);
  Names.insert(S.Taken.begin(), S.Taken.end());
  return Names;
}

/// "LLT.h:323" is the place of a decision in .../src/Cholesky/LLT.h.
static bool isPlace(const SourcePlace &Place, const std::string &Text) {
  std::string Full = Place.File + ":" + std::to_string(Place.Line);
  return Place.Line && Full.ends_with(Text) && Text.find(':') != std::string::npos &&
         (Full.size() == Text.size() || Full[Full.size() - Text.size() - 1] == '/');
}

static std::string known(const Skeleton &S, const std::vector<std::string> &Names) {
  constexpr std::size_t Shown = 8;
  std::string Text = "it has " + std::to_string(S.Decisions.size()) + ", counted from 0: ";
  for (std::size_t Id = 0; Id < S.Decisions.size() && Id < Shown; ++Id) {
    const SourcePlace &Place = S.Decisions[Id].Place;
    std::string File = Place.File.substr(Place.File.rfind('/') + 1);
    std::string Where = Place.Line ? File + ":" + std::to_string(Place.Line) : std::to_string(Id);
    Text += (Id ? ", " : "") + (Names[Id].empty() ? Where : Names[Id]);
  }
  return S.Decisions.size() > Shown ? Text + ", ..." : Text;
}

std::vector<std::string> decisionNames(const Skeleton &S) {
  std::vector<std::string> Names, Symbols = S.shapeSymbols();
  for (const Parameter &P : S.parametersOf(Role::Setting))
    Symbols.push_back(P.Name);
  const std::set<std::string> OfSource = namesInSource(S);
  // A name that is made up is none that the source has for something else.
  auto Taken = [&](const std::string &Name, bool IsMadeUp) {
    return std::find(Names.begin(), Names.end(), Name) != Names.end() ||
           std::find(Symbols.begin(), Symbols.end(), Name) != Symbols.end() || (IsMadeUp && OfSource.contains(Name));
  };
  for (const SkeletonDecision &D : S.Decisions) {
    std::string Name = D.IsValue ? variableOf(D.Condition, Symbols) : "";
    if (D.IsValue) {
      bool IsMadeUp = Name.empty();
      if (IsMadeUp)
        Name = "k";
      std::string Plain = Name;
      for (unsigned Number = 2; Taken(Name, IsMadeUp); ++Number) {
        Name = Plain + std::to_string(Number);
        IsMadeUp = true;
      }
    }
    Names.push_back(std::move(Name));
  }
  return Names;
}

std::optional<Failure> readAssumptions(const Skeleton &S, const std::vector<std::string> &Texts, Question &Asked) {
  Result<GivenValues> Given = Texts.empty() ? GivenValues() : splitAssignments(Texts, "--assume");
  return Given ? checkAssumptions(S, *Given, Asked) : Given.failure();
}

std::optional<Failure> checkAssumptions(const Skeleton &S, const GivenValues &Given, Question &Asked) {
  if (Given.empty())
    return std::nullopt;
  std::vector<std::string> Names = decisionNames(S);
  for (const auto &[Name, Answer] : Given) {
    std::vector<std::uint32_t> Meant;
    std::optional<std::uint64_t> Number = natural(Name);
    for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
      if (Number ? *Number == Id
                 : Names[Id] == Name || isPlace(S.Decisions[Id].Place, Name) || isPlace(S.Decisions[Id].Inside, Name))
        Meant.push_back(Id);
    if (S.Decisions.empty())
      return Failure{"operator '" + S.Operator + "' has no decisions: nothing is to be assumed"};
    if (Meant.empty())
      return Failure{"operator '" + S.Operator + "' has no decision '" + Name + "'; " + known(S, Names)};
    std::optional<std::uint64_t> Value = natural(textOf(Answer));
    for (std::uint32_t Id : Meant) {
      bool IsValue = S.Decisions[Id].IsValue;
      if (!Value || (!IsValue && *Value > 1))
        return Failure{"--assume " + Name + "=" + textOf(Answer) + ": " +
                       (IsValue ? "a natural number was expected" : "0 or 1 was expected")};
      if (IsValue)
        Asked.Values[Id] = *Value;
      else
        Asked.Branches[Id] = static_cast<std::uint32_t>(*Value);
    }
  }
  return std::nullopt;
}

/// What --machine gpu=NAME stands for; facts that are there stay.
static std::optional<Failure> addDevice(const std::string &Name, std::map<std::string, std::int64_t> &Facts) {
  static constexpr const char *Documents[] = {
#include "DeviceDocuments.inc"
  };
  std::map<std::string, std::map<std::string, std::int64_t>> Devices;
  for (const char *Text : Documents)
    Devices.merge(nlohmann::json::parse(Text).at("devices").get<decltype(Devices)>());
  if (const auto Found = Devices.find(Name); Found != Devices.end()) {
    Facts.merge(Found->second);
    return std::nullopt;
  }
  return Failure{"--machine gpu=" + Name + ": known are " + joined(std::views::keys(Devices)) +
                 "; say sm=, cc= and pitch= of another one"};
}

std::optional<Failure> readMachine(const std::vector<std::string> &Texts, std::map<std::string, std::int64_t> &Facts) {
  Result<GivenValues> Given = Texts.empty() ? GivenValues() : splitAssignments(Texts, "--machine");
  return Given ? checkMachine(*Given, Facts) : Given.failure();
}

std::optional<Failure> checkMachine(const GivenValues &Given, std::map<std::string, std::int64_t> &Facts) {
  // What processors describe their caches in: KiB, and half MiB for the third level.
  static const std::map<std::string, std::uint64_t> Multiples = {
      {"l1d", 1024}, {"l2", 1024}, {"l3", 512 << 10}, {"processors", 1}, {"page", 4096},
      {"sm", 1},     {"cc", 1},    {"ptx", 1},        {"pitch", 1},      {"gpus", 1}};
  for (const auto &[Name, Fact] : Given) {
    const std::string Text = textOf(Fact);
    if (Name == "gpu") {
      if (std::optional<Failure> Wrong = addDevice(Text, Facts))
        return Wrong;
      continue;
    }
    auto Multiple = Multiples.find(Name);
    if (Multiple == Multiples.end())
      return Failure{"--machine knows l1d, l2, l3, processors, page, gpu, gpus, sm, cc, ptx and pitch, not '" + Name +
                     "'"};
    std::optional<std::uint64_t> Value = natural(Text);
    constexpr std::uint64_t Largest = std::uint64_t(1) << 36;
    if (!Value || *Value == 0 || *Value > Largest || *Value % Multiple->second != 0)
      return Failure{"--machine " + Name + "=" + Text + ": a multiple of " + std::to_string(Multiple->second) +
                     " was expected, up to 2^36"};
    Facts[Name] = static_cast<std::int64_t>(*Value);
  }
  return std::nullopt;
}

namespace fs = std::filesystem;

/// Folders that /etc/ld.so.conf and the files that it includes name; the cache of ldconfig is made of them.
static void addConfigured(std::vector<fs::path> &Folders) {
  std::vector<fs::path> Files = {"/etc/ld.so.conf"};
  std::error_code Ignored;
  for (const fs::directory_entry &Entry : fs::directory_iterator("/etc/ld.so.conf.d", Ignored))
    Files.push_back(Entry.path());
  for (const fs::path &File : Files) {
    std::ifstream Lines(File);
    for (std::string Line; std::getline(Lines, Line);)
      if (!Line.empty() && Line.front() == '/')
        Folders.emplace_back(Line);
  }
}

static std::vector<fs::path> searchedFolders() {
  std::vector<fs::path> Folders;
  if (const char *Given = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream Parts(Given);
    for (std::string Part; std::getline(Parts, Part, ':');)
      Folders.emplace_back(Part.empty() ? "." : Part);
  }
  addConfigured(Folders);
  for (const char *Standard : {"/lib", "/usr/lib", "/lib64", "/usr/lib64"})
    Folders.emplace_back(Standard);
  return Folders;
}

std::optional<Failure> checkLibraries(const std::vector<std::string> &Names) {
  std::error_code Ignored;
  for (const std::string &Name : Names) {
    if (Name.find('/') != std::string::npos) {
      if (!fs::exists(Name, Ignored))
        return Failure{"cannot find the library '" + Name + "'"};
      continue;
    }
    const std::vector<fs::path> Folders = searchedFolders();
    if (std::none_of(Folders.begin(), Folders.end(),
                     [&](const fs::path &Folder) { return fs::exists(Folder / Name, Ignored); }))
      return Failure{"cannot find the library '" + Name + "' where the dynamic linker looks; give its path"};
  }
  return std::nullopt;
}

} // namespace memshape
