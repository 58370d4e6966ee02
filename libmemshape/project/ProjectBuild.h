// The skeletons of a project, in one archive.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace memshape {

/// How a build compiles one unit.
struct CompileCommand {
  std::string Folder; ///< where it runs
  std::string Source; ///< as the command has it
  std::vector<std::string> Words;
};

/// All units of a compile_commands.json.
Result<std::vector<CompileCommand>> readCompileCommands(const std::string &Path);

/// The words of a command, as a shell reads them that expands nothing.
std::vector<std::string> wordsOf(const std::string &Command);

/// A unit's command without its compiler, and without what belongs to the build that it was written for: output,
/// dependencies, profiles, plugins of that compiler.
struct ClangCommand {
  bool IsCxx = false;
  std::vector<std::string> Arguments;
  std::vector<std::string> TakenOut; ///< what may have changed code
};

/// Or why clang is not asked to compile the unit.
Result<ClangCommand> clangCommandOf(const CompileCommand &Unit);

/// Takes what Said, clang's errors, names as unknown out of Arguments, and returns it.
std::vector<std::string> takeOutUnknown(std::vector<std::string> &Arguments, const std::string &Said);

/// What is the same for all units.
struct BuildSettings {
  std::string Clang;                  ///< its path
  std::filesystem::path Loader;       ///< the plugin
  std::filesystem::path Headers;      ///< of memshape
  std::filesystem::path Objects;      ///< the folder for the objects
  std::vector<std::string> Operators; ///< as the plugin takes them
};

enum class UnitState { Compiled, UpToDate, Refused, LeftOut };

struct BuiltUnit {
  std::string Source; ///< an absolute path
  UnitState State = UnitState::LeftOut;
  std::string Why;                   ///< of Refused and LeftOut, one line
  std::string Object;                ///< the name of its file; empty where there is none
  std::vector<std::string> TakenOut; ///< options that clang was not given
};

/// Compiles a unit unless neither its command nor a file that it reads has changed since that was done.
BuiltUnit buildUnit(const CompileCommand &Unit, const BuildSettings &With);

/// What a program says on standard error, and how it ends.
struct ProgramEnd {
  int Status = -1; ///< 128 and more: a signal
  std::string Said;
};
/// Runs the program at the path Words[0] in Folder and waits for it.
ProgramEnd runProgram(const std::vector<std::string> &Words, const std::string &Folder);

struct ProjectQuestion {
  std::string Commands;               ///< a compile_commands.json
  std::string Archive;                ///< to be written; its objects lie beside it, in a folder ARCHIVE.objects
  std::size_t Jobs = 0;               ///< units at a time; 0: one for each processor
  std::vector<std::string> Operators; ///< as -fplugin-arg-memshape-operator= takes them; none: all
  std::string Clang;                  ///< "22"; empty: the newest that has a module here
};

struct ProjectBuild {
  std::string Archive, Clang;
  std::vector<BuiltUnit> Units;
  std::size_t Operators = 0, Skeletons = 0; ///< of the archive
  std::size_t count(UnitState State) const;
};

/// Told before each unit: what is compiled, how many are done, and of how many.
using BuildProgress = std::function<void(const std::string &Source, std::size_t Done, std::size_t All)>;

/// Fails where there is nothing to put into the archive.
Result<ProjectBuild> buildProject(const ProjectQuestion &Asked, const Installation &Installed,
                                  const BuildProgress &Tell);

std::string buildPage(const ProjectBuild &Of);
std::string buildJson(const ProjectBuild &Of);

} // namespace memshape
