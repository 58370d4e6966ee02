// Source lines of code addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/symbols/SymbolPlaces.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace memshape {
namespace {

/// An anonymous file for the input or output of a process.
class ScratchFile {
public:
  ScratchFile() : Descriptor(memfd_create("memshape", MFD_CLOEXEC)) {}
  ~ScratchFile() {
    if (Descriptor >= 0)
      close(Descriptor);
  }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  const int Descriptor;
};

bool writeAll(int Descriptor, const std::string &Text) {
  return write(Descriptor, Text.data(), Text.size()) == static_cast<ssize_t>(Text.size()) &&
         lseek(Descriptor, 0, SEEK_SET) == 0;
}

std::string readAll(int Descriptor) {
  std::string Text;
  char Part[4096];
  lseek(Descriptor, 0, SEEK_SET);
  for (ssize_t Count; (Count = read(Descriptor, Part, sizeof Part)) > 0;)
    Text.append(Part, static_cast<std::size_t>(Count));
  return Text;
}

/// The symbolizer's answer to Questions; empty if there is no symbolizer.
std::string ask(const char *Symbolizer, const std::string &Questions, Inlined Which) {
  ScratchFile In, Out;
  if (In.Descriptor < 0 || Out.Descriptor < 0 || !writeAll(In.Descriptor, Questions))
    return "";
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, In.Descriptor, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&Actions, Out.Descriptor, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string Name = Symbolizer, Option = Which == Inlined::With ? "--inlines" : "--no-inlines";
  char *Arguments[] = {Name.data(), Option.data(), nullptr};
  pid_t Process = 0;
  int Status = 1;
  bool Started = posix_spawnp(&Process, Symbolizer, &Actions, nullptr, Arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&Actions);
  if (!Started || waitpid(Process, &Status, 0) != Process || Status != 0)
    return "";
  return readAll(Out.Descriptor);
}

std::string takeLine(std::string_view &Text) {
  std::size_t End = std::min(Text.find('\n'), Text.size());
  std::string Taken(Text.substr(0, End));
  Text.remove_prefix(std::min(End + 1, Text.size()));
  return Taken;
}

/// Functions, each with FILE:LINE:COLUMN behind it, then an empty line; question marks where unknown.
std::vector<SymbolPlace> takeAnswer(std::string_view &Text) {
  std::vector<SymbolPlace> Places;
  for (std::string Function; !(Function = takeLine(Text)).empty();) {
    const std::string Place = takeLine(Text);
    const std::size_t Column = Place.rfind(':');
    const std::size_t Number =
        Column == std::string::npos || Column == 0 ? std::string::npos : Place.rfind(':', Column - 1);
    SymbolPlace &To = Places.emplace_back();
    To.Function = Function == "??" ? "" : Function;
    if (Number == std::string::npos || Place.rfind("??", 0) == 0)
      continue;
    To.File = Place.substr(0, Number);
    To.Line = static_cast<std::uint32_t>(std::strtoul(Place.c_str() + Number + 1, nullptr, 10));
  }
  return Places;
}

} // namespace

void findSymbolPlaces(SymbolPlaces &Places, Inlined Which) {
  std::string Questions, Text;
  for (const auto &[Code, Found] : Places)
    if (Code.first.find_first_of("\"\n") == std::string::npos && !Code.first.empty())
      Questions += "\"" + Code.first + "\" " + std::to_string(Code.second) + "\n";
  if (Questions.empty())
    return;
  for (const char *Symbolizer : {"llvm-symbolizer", "llvm-symbolizer-22", "llvm-symbolizer-19"})
    if (!(Text = ask(Symbolizer, Questions, Which)).empty())
      break;
  std::string_view Rest = Text;
  for (auto &[Code, Found] : Places)
    if (Code.first.find_first_of("\"\n") == std::string::npos && !Code.first.empty())
      Found = takeAnswer(Rest);
}

} // namespace memshape
