// One unit of a project, compiled for its skeletons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/project/ClangCommand.h"

#include <filesystem>

namespace memshape {

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

} // namespace memshape
