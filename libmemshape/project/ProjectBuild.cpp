// The skeletons of a project, in one archive.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/project/ProjectBuild.h"
#include "libmemshape/files/OutputFile.h"
#include "libmemshape/measurement/process/Launch.h"
#include "libmemshape/processes/Workers.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace memshape {

namespace {

namespace fs = std::filesystem;

constexpr std::pair<UnitState, const char *> StateNames[] = {{UnitState::Compiled, "compiled"},
                                                             {UnitState::UpToDate, "up to date"},
                                                             {UnitState::Refused, "refused"},
                                                             {UnitState::LeftOut, "left out"}};

/// The newest clang that has a module in Libraries, or the one of Version.
Result<std::string> findClang(const std::string &Version, const fs::path &Libraries) {
  std::set<unsigned, std::greater<>> Versions;
  std::error_code Ignored;
  for (const fs::directory_entry &Each : fs::directory_iterator(Libraries, Ignored))
    if (const std::string Name = Each.path().stem().string();
        Each.path().extension() == ".so" && Name.starts_with("memshape-"))
      if (const std::optional<unsigned> Number = numberIn<unsigned>(std::string_view(Name).substr(9)))
        if (Version.empty() || Version == std::to_string(*Number))
          Versions.insert(*Number);
  for (const unsigned Number : Versions)
    if (Result<std::string> Found = findProgram("clang-" + std::to_string(Number)))
      return Found;
  if (Versions.empty())
    return Failure{"this installation has no module for clang " + Version};
  return Failure{"none of the clangs that have a module here is in a folder of PATH: clang-" +
                 joined(Versions, ", clang-", [](unsigned Each) { return std::to_string(Each); })};
}

/// One command for each source: the first.
std::vector<CompileCommand> withoutRepeats(std::vector<CompileCommand> Units) {
  std::set<fs::path> Seen;
  std::erase_if(Units, [&](const CompileCommand &Unit) {
    return !Seen.insert((fs::path(Unit.Folder) / Unit.Source).lexically_normal()).second;
  });
  return Units;
}

/// Objects that no unit has any more, or that were not finished.
void dropOthers(const fs::path &Folder, const std::vector<BuiltUnit> &Units) {
  std::set<std::string> Wanted;
  for (const BuiltUnit &Unit : Units)
    if (!Unit.Object.empty())
      Wanted.insert({Unit.Object, fs::path(Unit.Object).replace_extension(".d").string()});
  std::error_code Ignored;
  for (const fs::directory_entry &Each : fs::directory_iterator(Folder, Ignored))
    if (!Wanted.contains(Each.path().filename().string()))
      fs::remove(Each.path(), Ignored);
}

std::optional<Failure> writeArchive(const fs::path &Archive, const fs::path &Folder,
                                    const std::vector<BuiltUnit> &Units) {
  const Result<std::string> Archiver = findProgram("ar");
  if (!Archiver)
    return Failure{"there is no ar, which puts objects into an archive: install binutils"};
  const fs::path Draft = Folder / "new.a", Names = Folder / "names";
  std::string Text;
  for (const BuiltUnit &Unit : Units)
    if (!Unit.Object.empty())
      Text += Unit.Object + "\n";
  MEMSHAPE_CHECK(writeOutput(Names.string(), Text));
  std::error_code Wrong;
  fs::remove(Draft, Wrong);
  if (const ProgramEnd End = runProgram({*Archiver, "qcs", "new.a", "@names"}, Folder.string()); End.Status)
    return Failure{"ar does not make '" + Archive.string() + "': " + split(End.Said, '\n').front()};
  fs::rename(Draft, Archive, Wrong);
  if (Wrong)
    return Failure{"cannot write '" + Archive.string() + "': " + Wrong.message()};
  return std::nullopt;
}

/// Which options were taken out, and of how many units.
std::map<std::string, std::size_t> takenOut(const ProjectBuild &Of) {
  std::map<std::string, std::size_t> Counts;
  for (const BuiltUnit &Unit : Of.Units)
    for (const std::string &Option : std::set(Unit.TakenOut.begin(), Unit.TakenOut.end()))
      ++Counts[Option];
  return Counts;
}

} // namespace

std::size_t ProjectBuild::count(UnitState State) const {
  return static_cast<std::size_t>(
      std::count_if(Units.begin(), Units.end(), [&](const BuiltUnit &Each) { return Each.State == State; }));
}

Result<ProjectBuild> buildProject(const ProjectQuestion &Asked, const Installation &Installed,
                                  const BuildProgress &Tell) {
  MEMSHAPE_TRY(const std::vector<CompileCommand> Read, readCompileCommands(Asked.Commands));
  const Result<fs::path> Libraries = Installed.libraries(), Headers = Installed.headers();
  if (!Libraries || !Headers)
    return Libraries ? Headers.failure() : Libraries.failure();
  MEMSHAPE_TRY(const std::string Clang, findClang(Asked.Clang, *Libraries));
  const fs::path Archive = fs::absolute(Asked.Archive), Folder = Archive.string() + ".objects";
  std::error_code Wrong;
  fs::create_directories(Folder, Wrong);
  if (Wrong)
    return Failure{"cannot make the folder '" + Folder.string() + "': " + Wrong.message()};

  const BuildSettings With = {fs::absolute(Clang).string(), *Libraries / "memshape", *Headers, Folder,
                              Asked.Operators.empty() ? std::vector<std::string>{"*"} : Asked.Operators};
  const std::vector<CompileCommand> Units = withoutRepeats(Read);
  ProjectBuild Built{Asked.Archive, With.Clang, std::vector<BuiltUnit>(Units.size())};
  std::vector<std::size_t> Order(Units.size());
  std::iota(Order.begin(), Order.end(), std::size_t(0));
  std::mutex Telling;
  std::size_t Done = 0;
  forEachAtOnce(Order, Asked.Jobs ? Asked.Jobs : availableWorkers(), [&](std::size_t I) {
    {
      const std::lock_guard Alone(Telling);
      Tell(Units[I].Source, Done, Units.size());
    }
    Built.Units[I] = buildUnit(Units[I], With);
    const std::lock_guard Alone(Telling);
    ++Done;
  });
  if (Built.count(UnitState::Compiled) + Built.count(UnitState::UpToDate) == 0) {
    const auto First = Built.Units.begin();
    return Failure{"'" + Asked.Commands + "' has no unit that clang compiles" +
                   (Built.Units.empty() ? "" : ": " + First->Source + ": " + First->Why)};
  }
  dropOthers(Folder, Built.Units);
  MEMSHAPE_CHECK(writeArchive(Archive, Folder, Built.Units));
  const Result<InstrumentedFile> File = readInstrumentedFile(Asked.Archive);
  const Result<std::vector<Skeleton>> Skeletons = File ? skeletonsOf(*File) : File.failure();
  if (Skeletons) { // none of the units may have an operator
    Built.Operators = Skeletons->size();
    Built.Skeletons = static_cast<std::size_t>(
        std::count_if(Skeletons->begin(), Skeletons->end(), [](const Skeleton &Each) { return Each.Available; }));
  }
  return Built;
}

std::string buildPage(const ProjectBuild &Of) {
  std::string Page = several(Of.Units.size(), "unit") + " with " + fs::path(Of.Clang).filename().string() + "\n\n";
  std::vector<std::vector<std::string>> Counts;
  for (const auto &[State, Name] : StateNames)
    if (const std::size_t Count = Of.count(State))
      Counts.push_back({Name, grouped(Count)});
  Page += aligned(Counts, {1}, 2);
  for (const auto &[State, Head] : {std::pair(UnitState::Refused, "Units that were refused"),
                                    std::pair(UnitState::LeftOut, "Units that were left out")}) {
    if (Of.count(State))
      Page += std::string("\n  ") + Head + "\n";
    for (const BuiltUnit &Unit : Of.Units)
      if (Unit.State == State)
        Page += "    " + Unit.Source + ": " + oneLine(Unit.Why) + "\n";
  }
  std::vector<std::vector<std::string>> Options;
  for (const auto &[Option, Count] : takenOut(Of))
    Options.push_back({oneLine(Option), "in " + several(Count, "unit")});
  if (!Options.empty())
    Page += "\n  Options that were taken out\n" + aligned(Options, {}, 4);
  return Page + "\n  " + oneLine(Of.Archive) + ": " + several(Of.Operators, "operator") + ", " +
         several(Of.Skeletons, "skeleton") + "\n";
}

std::string buildJson(const ProjectBuild &Of) {
  nlohmann::ordered_json Document = {{"schema", "memshape.build/1"},
                                     {"archive", Of.Archive},
                                     {"clang", Of.Clang},
                                     {"operators", Of.Operators},
                                     {"skeletons", Of.Skeletons}};
  for (const BuiltUnit &Unit : Of.Units) {
    const auto *State = std::find_if(std::begin(StateNames), std::end(StateNames),
                                     [&](const auto &Each) { return Each.first == Unit.State; });
    nlohmann::ordered_json Entry = {{"source", Unit.Source}, {"state", State->second}};
    if (!Unit.Why.empty())
      Entry["reason"] = Unit.Why;
    if (!Unit.TakenOut.empty())
      Entry["taken_out"] = Unit.TakenOut;
    Document["units"].push_back(std::move(Entry));
  }
  return Document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace memshape
