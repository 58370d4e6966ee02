// One unit of a project, compiled for its skeletons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/InputFile.h"
#include "libmemshape/project/ProjectBuild.h"
#include "libmemshape/skeletons/CacheFolder.h"
#include "libmemshape/text/Split.h"
#include "memshape/checkpoint/descriptor.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace memshape {

namespace {

namespace fs = std::filesystem;

/// The files that a rule of make depends on, as clang writes it.
std::vector<std::string> dependenciesIn(const std::string &Rule) {
  std::vector<std::string> Files;
  bool Within = false;
  const std::size_t Colon = Rule.find(": ");
  for (std::size_t I = Colon == std::string::npos ? Rule.size() : Colon + 1; I < Rule.size(); ++I) {
    char C = Rule[I];
    const char Next = I + 1 < Rule.size() ? Rule[I + 1] : '\n';
    if (C == ' ' || C == '\n' || (C == '\\' && Next == '\n')) {
      Within = false;
      continue;
    }
    if ((C == '\\' && (Next == ' ' || Next == '#')) || (C == '$' && Next == '$'))
      C = Rule[++I];
    if (!std::exchange(Within, true))
      Files.emplace_back();
    Files.back() += C;
  }
  return Files;
}

bool isUpToDate(const fs::path &Object, const fs::path &Rule, const fs::path &Folder) {
  constexpr std::uint64_t Most = std::uint64_t(1) << 26;
  std::error_code Wrong;
  const fs::file_time_type Made = fs::last_write_time(Object, Wrong);
  const Result<std::string> Text = Wrong ? Result<std::string>(Failure{}) : readFile(Rule.string(), Most);
  if (!Text)
    return false;
  for (const std::string &File : dependenciesIn(*Text))
    if (const auto Changed = fs::last_write_time(Folder / File, Wrong); Wrong || Changed > Made)
      return false;
  return true;
}

/// The first error that is said, or the first line.
std::string firstLine(const ProgramEnd &End) {
  std::string First;
  for (const std::string &Line : split(End.Said, '\n')) {
    if (Line.find("error: ") != std::string::npos)
      return Line;
    if (First.empty())
      First = Line;
  }
  return First.empty() ? "it ended with status " + std::to_string(End.Status) : First;
}

/// Of characters that need no quotes: ar reads the names from a file.
std::string objectName(const CompileCommand &Unit, const ClangCommand &Command, const BuildSettings &With) {
  CacheKey Key("unit");
  for (const auto &Texts : {std::vector{Unit.Folder, With.Clang}, Command.Arguments, With.Operators})
    for (const std::string &Text : Texts)
      Key.add(Text);
  for (const fs::path &File : {fs::path(With.Clang), With.Loader})
    Key.addIdentityOf(File.c_str());
  std::string Name = fs::path(Unit.Source).stem().string();
  std::replace_if(Name.begin(), Name.end(), [](unsigned char C) { return !std::isalnum(C); }, '_');
  return Name + "-" + Key.text() + ".o";
}

/// Clang with Command, as often as it says that it does not know something which can be taken out.
ProgramEnd compile(ClangCommand &Command, const std::vector<std::string> &More, const std::string &Clang,
                   const std::string &Folder) {
  while (true) {
    std::vector<std::string> Words = {Clang, Command.IsCxx ? "--driver-mode=g++" : "--driver-mode=gcc"};
    Words.insert(Words.end(), Command.Arguments.begin(), Command.Arguments.end());
    Words.insert(Words.end(), More.begin(), More.end());
    ProgramEnd End = runProgram(Words, Folder);
    const std::vector<std::string> Unknown =
        End.Status ? takeOutUnknown(Command.Arguments, End.Said) : std::vector<std::string>();
    if (Unknown.empty())
      return End;
    Command.TakenOut.insert(Command.TakenOut.end(), Unknown.begin(), Unknown.end());
  }
}

} // namespace

ProgramEnd runProgram(const std::vector<std::string> &Words, const std::string &Folder) {
  int Ends[2];
  if (::pipe2(Ends, O_CLOEXEC) != 0)
    return {-1, std::string("no pipe: ") + std::strerror(errno)};
  const checkpoint::Descriptor From(Ends[0]);
  checkpoint::Descriptor To(Ends[1]);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addopen(&Actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&Actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&Actions, To, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&Actions, Folder.c_str());
  std::vector<char *> Arguments;
  for (const std::string &Word : Words)
    Arguments.push_back(const_cast<char *>(Word.c_str()));
  Arguments.push_back(nullptr);
  pid_t Id = -1;
  const int Wrong = ::posix_spawn(&Id, Arguments[0], &Actions, nullptr, Arguments.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  To = checkpoint::Descriptor();
  if (Wrong)
    return {-1, "'" + Words.front() + "' cannot be started in '" + Folder + "': " + std::strerror(Wrong)};
  ProgramEnd End;
  char Buffer[1 << 12];
  for (ssize_t Count; (Count = ::read(From, Buffer, sizeof Buffer)) > 0 || (Count < 0 && errno == EINTR);)
    if (Count > 0)
      End.Said.append(Buffer, static_cast<std::size_t>(Count));
  int Status = 0;
  while (::waitpid(Id, &Status, 0) < 0 && errno == EINTR) {
  }
  End.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  return End;
}

BuiltUnit buildUnit(const CompileCommand &Unit, const BuildSettings &With) {
  BuiltUnit Built;
  Built.Source = (fs::path(Unit.Folder) / Unit.Source).lexically_normal().string();
  Result<ClangCommand> Command = clangCommandOf(Unit);
  std::error_code Ignored;
  if (!Command || !fs::is_regular_file(Built.Source, Ignored)) {
    Built.Why = Command ? "there is no such file" : Command.failure().Message;
    return Built;
  }
  Built.Object = objectName(Unit, *Command, With);
  const fs::path Object = With.Objects / Built.Object;
  fs::path Draft = Object, Rule = Object;
  Draft += ".new";
  Rule.replace_extension(".d");
  Built.TakenOut = Command->TakenOut;
  if (isUpToDate(Object, Rule, Unit.Folder)) {
    Built.State = UnitState::UpToDate;
    return Built;
  }
  const std::vector<std::string> Plain = {"-w", "-c", "-MD", "-MF", Rule.string(), "-o", Draft.string()};
  std::vector<std::string> Flags = {"-fplugin=" + With.Loader.string(), "-I" + With.Headers.string()};
  for (const std::string &Name : With.Operators)
    Flags.push_back("-fplugin-arg-memshape-operator=" + Name);
  Flags.insert(Flags.end(), Plain.begin(), Plain.end());
  const ProgramEnd End = compile(*Command, Flags, With.Clang, Unit.Folder);
  Built.TakenOut = Command->TakenOut;
  if (End.Status == 0)
    fs::rename(Draft, Object, Ignored);
  if (End.Status == 0 && !Ignored) {
    Built.State = UnitState::Compiled;
    return Built;
  }
  Built.State = UnitState::Refused;
  Built.Object.clear();
  Built.Why = firstLine(End);
  if (compile(*Command, Plain, With.Clang, Unit.Folder).Status == 0)
    Built.Why = "clang accepts it, and memshape's plugin does not: " + Built.Why;
  fs::remove(Draft, Ignored);
  return Built;
}

} // namespace memshape
