// Manual pages and completions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/pages/Pages.h"
#include "libmemshape/files/OutputFile.h"

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

} // namespace memshape
