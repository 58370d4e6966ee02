// A process for what a stranger's file brings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/processes/ChildProcess.h"
#include "libmemshape/processes/WorkLimits.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace memshape {

static std::vector<char *> pointersTo(std::vector<std::string> &Texts) {
  std::vector<char *> Pointers;
  for (std::string &Text : Texts)
    Pointers.push_back(Text.data());
  Pointers.push_back(nullptr);
  return Pointers;
}

static void closeIfOpen(int &Descriptor) {
  if (Descriptor >= 0)
    ::close(std::exchange(Descriptor, -1));
}

bool ChildProcess::start(const std::string &Executable, bool Trust) {
  int Down[2] = {-1, -1}, Up[2] = {-1, -1};
  if (::pipe2(Down, O_CLOEXEC) != 0)
    return false;
  if (::pipe2(Up, O_CLOEXEC) != 0) {
    ::close(Down[0]);
    ::close(Down[1]);
    return false;
  }
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Down[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&Actions, Up[1], STDOUT_FILENO);
  // What libraries print while they are called for real is not for the user.
  posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  sigset_t Defaults;
  sigemptyset(&Defaults);
  sigaddset(&Defaults, SIGPIPE); // ignored here, but not there
  posix_spawnattr_setsigdefault(&Attributes, &Defaults);
  // A group of its own, so that all that libraries start there can be ended with it. No session: a kernel that shares
  // processors between sessions would let it wait.
  posix_spawnattr_setpgroup(&Attributes, 0);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> Words = {Executable, "--memory", std::to_string(workLimits().Bytes)};
  if (Trust)
    Words.emplace_back("--trust");
  std::vector<std::string> Variables = childEnvironment();
  const int Error = ::posix_spawn(&Id, Executable.c_str(), &Actions, &Attributes, pointersTo(Words).data(),
                                  pointersTo(Variables).data());
  posix_spawn_file_actions_destroy(&Actions);
  posix_spawnattr_destroy(&Attributes);
  ::close(Down[0]);
  ::close(Up[1]);
  To = Down[1];
  From = Up[0];
  if (Error) {
    Id = -1;
    end();
    errno = Error;
    return false;
  }
  ::fcntl(To, F_SETFL, O_NONBLOCK);
  return true;
}

void ChildProcess::closeInput() { closeIfOpen(To); }

int ChildProcess::wait() {
  int Status = -1;
  while (Id > 0 && ::waitpid(Id, &Status, 0) < 0 && errno == EINTR) {
  }
  Id = -1;
  return Status;
}

void ChildProcess::end() {
  closeIfOpen(To);
  closeIfOpen(From);
  if (Id > 0) {
    ::kill(-Id, SIGKILL);
    wait();
  }
}

} // namespace memshape
