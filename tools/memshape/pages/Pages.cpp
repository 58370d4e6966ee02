// Manual pages and completions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/pages/Pages.h"
#include "libmemshape/files/OutputFile.h"

#include <CLI/CLI.hpp>
#include <filesystem>

namespace memshape {

std::optional<Failure> writePages(const std::vector<CommandTree> &Programs, const std::string &Folder) {
  std::map<std::string, std::string> Files;
  for (const CommandTree &Program : Programs) {
    Files["bash-completion/completions/" + Program.Name] = bashCompletion(Program);
    Files["zsh/site-functions/_" + Program.Name] = zshCompletion(Program);
    Files["fish/vendor_completions.d/" + Program.Name + ".fish"] = fishCompletion(Program);
    // memshape-report is `memshape report`: the page that comes first tells of both.
    for (auto &[Name, Text] : manPages(Program))
      Files.try_emplace("man/man1/" + Name, std::move(Text));
  }
  for (const auto &[Name, Text] : Files) {
    std::filesystem::path Path = std::filesystem::path(Folder) / Name;
    std::error_code Error;
    std::filesystem::create_directories(Path.parent_path(), Error);
    if (Error)
      return Failure{"cannot make the folder '" + Path.parent_path().string() + "': " + Error.message()};
    if (std::optional<Failure> Unwritten = writeOutput(Path.string(), Text))
      return Unwritten;
  }
  return std::nullopt;
}

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
