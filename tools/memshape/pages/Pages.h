// Manual pages and completions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace memshape {

struct CommandOption {
  std::vector<std::string> Names; ///< "-o", "--output"; one word without dashes for a positional one
  std::string Value;              ///< word for its value, as in "FILE"; empty for a flag
  std::string Help;
  std::string Default;
  bool Positional = false, Required = false, Repeats = false;

  bool isFile() const { return Value == "FILE"; }
  /// "text|json": the words to choose from; empty where any value will do.
  std::vector<std::string> choices() const;
};

/// What --help prints, as values: manual pages and completions are made from the same descriptions, so that none of them
/// can know an option that the others do not.
struct CommandTree {
  std::string Name; ///< "predict"; of the outermost one the program's
  std::string Help;
  std::string Footer;
  std::vector<CommandOption> Options;
  std::vector<CommandTree> Below;
};

CommandTree commandTree(const CLI::App &App);

/// A page per command, by its file's name: "memshape-predict.1" and so on.
std::map<std::string, std::string> manPages(const CommandTree &Program);

std::string bashCompletion(const CommandTree &Program);
std::string zshCompletion(const CommandTree &Program);
std::string fishCompletion(const CommandTree &Program);

/// Writes all of them below Folder, where systems look for them below share.
std::optional<Failure> writePages(const std::vector<CommandTree> &Programs, const std::string &Folder);

} // namespace memshape
