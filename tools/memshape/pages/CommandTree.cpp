// Commands and options, for pages and shells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/pages/CommandTree.h"

#include <CLI/CLI.hpp>

namespace memshape {

std::vector<std::string> CommandOption::choices() const {
  std::vector<std::string> Words;
  if (Value.find('|') == std::string::npos)
    return Words;
  for (std::size_t Start = 0; Start <= Value.size();) {
    std::size_t End = std::min(Value.find('|', Start), Value.size());
    Words.push_back(Value.substr(Start, End - Start));
    Start = End + 1;
  }
  return Words;
}

CommandTree commandTree(const CLI::App &App) {
  CommandTree Tree{App.get_name(), App.get_description(), App.get_footer(), {}, {}};
  for (const CLI::Option *Each : App.get_options()) {
    CommandOption Option;
    Option.Positional = Each->get_positional();
    if (Option.Positional)
      Option.Names.push_back(Each->get_name(true));
    for (const std::string &Name : Each->get_snames())
      Option.Names.push_back("-" + Name);
    for (const std::string &Name : Each->get_lnames())
      Option.Names.push_back("--" + Name);
    if (Each->get_expected_max() > 0)
      Option.Value = Each->get_type_name();
    Option.Help = Each->get_description();
    Option.Default = Each->get_default_str();
    Option.Required = Each->get_required();
    Option.Repeats = Each->get_expected_max() > 1;
    Tree.Options.push_back(std::move(Option));
  }
  // A program's name stands before its description in --help.
  if (std::string Start = Tree.Name + ": "; Tree.Help.starts_with(Start))
    Tree.Help = Tree.Help.substr(Start.size());
  for (const CLI::App *Command : App.get_subcommands([](const CLI::App *) { return true; }))
    Tree.Below.push_back(commandTree(*Command));
  return Tree;
}

} // namespace memshape
