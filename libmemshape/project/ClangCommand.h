// A unit's command of compile_commands.json, as clang takes it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

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

} // namespace memshape
