// A program under the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/process/Launch.h"

#include "libmemshape/measurement/process/ControlGroup.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace memshape {
namespace {

constexpr int Forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

volatile std::sig_atomic_t Child = 0;
volatile std::sig_atomic_t Early = 0; ///< a signal that arrived before the child existed

/// Forwards signals that a process sent to this one only; the terminal sends its signals to the program as well.
void forwardSignal(int Signal, siginfo_t *Info, void *) {
  int Saved = errno;
  if (Info->si_code <= 0 && Child > 0)
    kill(static_cast<pid_t>(Child), Signal);
  else if (Child == 0)
    Early = Signal;
  errno = Saved;
}

/// While it lives, signals that ask this process to end are forwarded to the program, so that its record can still be
/// read.
class SignalForwarding {
public:
  SignalForwarding() {
    struct sigaction Action = {};
    Action.sa_sigaction = forwardSignal;
    Action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&Action.sa_mask);
    // What is ignored, as nohup has it, stays so for the program too: exec would make a handler the default.
    for (std::size_t I = 0; I != std::size(Forwarded); ++I)
      if (sigaction(Forwarded[I], &Action, &Before[I]) == 0 && Before[I].sa_handler == SIG_IGN)
        sigaction(Forwarded[I], &Before[I], nullptr);
  }
  ~SignalForwarding() {
    for (std::size_t I = 0; I != std::size(Forwarded); ++I)
      sigaction(Forwarded[I], &Before[I], nullptr);
    Child = 0;
    Early = 0;
  }
  SignalForwarding(const SignalForwarding &) = delete;
  SignalForwarding &operator=(const SignalForwarding &) = delete;

private:
  struct sigaction Before[std::size(Forwarded)];
};

/// The environment, with Variables replacing those of the same names.
std::vector<std::string> environmentWith(const std::vector<std::string> &Variables) {
  std::vector<std::string> All = Variables;
  for (char **Entry = environ; *Entry; ++Entry) {
    std::string_view Text = *Entry;
    std::string_view Name = Text.substr(0, Text.find('='));
    if (std::none_of(Variables.begin(), Variables.end(),
                     [&](const std::string &V) { return std::string_view(V).substr(0, V.find('=')) == Name; }))
      All.emplace_back(Text);
  }
  return All;
}

std::vector<char *> pointersTo(std::vector<std::string> &Strings) {
  std::vector<char *> Pointers;
  for (std::string &Text : Strings)
    Pointers.push_back(Text.data());
  Pointers.push_back(nullptr);
  return Pointers;
}

bool isRegularFile(const std::string &Path) {
  struct stat Status;
  return stat(Path.c_str(), &Status) == 0 && S_ISREG(Status.st_mode);
}

} // namespace

Result<std::string> findProgram(const std::string &Name) {
  if (Name.find('/') != std::string::npos) {
    if (!isRegularFile(Name))
      return Failure{"no such program: " + Name};
    if (access(Name.c_str(), X_OK) != 0)
      return Failure{"not an executable file: " + Name + "; check its permissions"};
    return Name;
  }
  const char *Variable = std::getenv("PATH");
  std::string Path = Variable ? Variable : "/usr/bin:/bin";
  for (std::size_t At = 0; !Name.empty() && At <= Path.size();) {
    std::size_t End = std::min(Path.find(':', At), Path.size());
    std::string Folder = Path.substr(At, End - At);
    std::string Candidate = (Folder.empty() ? "." : Folder) + "/" + Name;
    if (isRegularFile(Candidate) && access(Candidate.c_str(), X_OK) == 0)
      return Candidate;
    At = End + 1;
  }
  return Failure{"no such program: '" + Name + "' is not in any folder of PATH"};
}

Result<Ending> launch(const std::string &Program, const std::vector<std::string> &Command,
                      const std::vector<std::string> &Variables) {
  std::vector<std::string> Arguments = Command, Environment = environmentWith(Variables);
  std::vector<char *> Argv = pointersTo(Arguments), Envp = pointersTo(Environment);
  Ending How;
  const OutOfMemoryKills Before = outOfMemoryKills();
  int WaitStatus = 0;
  rusage Usage = {};
  {
    // The program starts with the signal dispositions of this process: exec resets handlers.
    SignalForwarding Forwarding;
    pid_t Pid = 0;
    if (int Error = posix_spawn(&Pid, Program.c_str(), nullptr, nullptr, Argv.data(), Envp.data()))
      return Failure{"cannot start " + Program + ": " + std::strerror(Error)};
    Child = Pid;
    if (Early)
      kill(Pid, Early);
    while (wait4(Pid, &WaitStatus, 0, &Usage) < 0)
      if (errno != EINTR)
        return Failure{"cannot wait for the program: " + std::string(std::strerror(errno))};
    How.Pid = Pid;
  }
  How.ResidentPeakKiB = Usage.ru_maxrss;
  How.Signal = WIFSIGNALED(WaitStatus) ? WTERMSIG(WaitStatus) : 0;
  How.Status = How.Signal ? 128 + How.Signal : WEXITSTATUS(WaitStatus);
  if (How.Signal == SIGKILL)
    How.OutOfMemory = whereMemoryEnded(Before, outOfMemoryKills());
  return How;
}

} // namespace memshape
