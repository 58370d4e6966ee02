// Commands and options, for pages and shells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --help prints, as values: manual pages and completions are made from the same descriptions, so that none of them
// can know an option that the others do not.

#pragma once

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

struct CommandTree {
  std::string Name; ///< "predict"; of the outermost one the program's
  std::string Help;
  std::string Footer;
  std::vector<CommandOption> Options;
  std::vector<CommandTree> Below;
};

CommandTree commandTree(const CLI::App &App);

} // namespace memshape
