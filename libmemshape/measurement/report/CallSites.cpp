// Source lines of code addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/CallSites.h"

#include "record/record.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <spawn.h>
#include <string_view>
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
std::string ask(const char *Symbolizer, const std::string &Questions) {
  ScratchFile In, Out;
  if (In.Descriptor < 0 || Out.Descriptor < 0 || !writeAll(In.Descriptor, Questions))
    return "";
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, In.Descriptor, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&Actions, Out.Descriptor, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string Name = Symbolizer, Option = "--no-inlines";
  char *Arguments[] = {Name.data(), Option.data(), nullptr};
  pid_t Process = 0;
  int Status = 1;
  bool Started = posix_spawnp(&Process, Symbolizer, &Actions, nullptr, Arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&Actions);
  if (!Started || waitpid(Process, &Status, 0) != Process || Status != 0)
    return "";
  return readAll(Out.Descriptor);
}

struct Answer {
  std::string Function, File;
  std::uint32_t Line = 0;
};

std::string takeLine(std::string_view &Text) {
  std::size_t End = std::min(Text.find('\n'), Text.size());
  std::string Taken(Text.substr(0, End));
  Text.remove_prefix(std::min(End + 1, Text.size()));
  return Taken;
}

/// A function, then FILE:LINE:COLUMN, then an empty line; question marks where unknown.
Answer takeAnswer(std::string_view &Text) {
  Answer A;
  A.Function = takeLine(Text);
  std::string Place = takeLine(Text);
  takeLine(Text);
  std::size_t Column = Place.rfind(':');
  std::size_t Number = Column == std::string::npos || Column == 0 ? std::string::npos : Place.rfind(':', Column - 1);
  if (Number == std::string::npos || Place.rfind("??", 0) == 0)
    return {};
  A.File = Place.substr(0, Number);
  A.Line = static_cast<std::uint32_t>(std::strtoul(Place.c_str() + Number + 1, nullptr, 10));
  return A;
}

/// "module+0xoffset" in the symbolizer's input format; nothing for any other site.
std::string question(const RunRecord &Process, const RunSite &Site) {
  std::size_t Plus = Site.Function.rfind("+0x");
  if (Site.Origin != MEMSHAPE_RECORD_LIBRARY || Plus == std::string::npos)
    return "";
  std::string Module = Plus == 0 ? Process.Program : Site.Function.substr(0, Plus);
  if (Module.find_first_of("\"\n") != std::string::npos)
    return "";
  return "\"" + Module + "\" " + Site.Function.substr(Plus + 1) + "\n";
}

} // namespace

void nameCallSites(Run &R) {
  std::map<std::string, Answer> Answers;
  for (const RunRecord &Process : R.Processes)
    for (const RunSite &Site : Process.Sites)
      if (std::string Question = question(Process, Site); !Question.empty())
        Answers.emplace(Question, Answer());
  if (Answers.empty())
    return;
  std::string Questions, Text;
  for (const auto &Each : Answers)
    Questions += Each.first;
  for (const char *Symbolizer : {"llvm-symbolizer", "llvm-symbolizer-22", "llvm-symbolizer-19"})
    if (!(Text = ask(Symbolizer, Questions)).empty())
      break;
  std::string_view Rest = Text;
  for (auto &Each : Answers)
    Each.second = takeAnswer(Rest);
  for (RunRecord &Process : R.Processes)
    for (RunSite &Site : Process.Sites)
      if (auto Found = Answers.find(question(Process, Site)); Found != Answers.end()) {
        Site.CallerFile = Found->second.File;
        Site.CallerFunction = Found->second.Function;
        Site.CallerLine = Found->second.Line;
      }
}

} // namespace memshape
