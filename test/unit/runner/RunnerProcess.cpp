// A runner that a test talks to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipes, fork and exec.

#include "RunnerProcess.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

using namespace memshape::test;
using nlohmann::json;

std::string memshape::test::contentsOf(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(File), {}};
}

RunnerProcess::RunnerProcess() {
  signal(SIGPIPE, SIG_IGN);
  int In[2], Out[2];
  if (pipe2(In, O_CLOEXEC) != 0 || pipe2(Out, O_CLOEXEC) != 0)
    return;
  Process = fork();
  if (Process == 0) {
    dup2(In[0], STDIN_FILENO);
    dup2(Out[1], STDOUT_FILENO);
    execl(MEMSHAPE_TEST_RUNNER, MEMSHAPE_TEST_RUNNER, static_cast<char *>(nullptr));
    _exit(127);
  }
  close(In[0]);
  close(Out[1]);
  ToRunner = In[1];
  FromRunner = Out[0];
}

RunnerProcess::RunnerProcess(const std::string &Skeleton, json Start) : RunnerProcess() {
  const std::string Bitcode = contentsOf(std::string(MEMSHAPE_TEST_SKELETONS) + "/" + Skeleton + ".bc");
  Start["bitcode_bytes"] = Bitcode.size();
  Start.emplace("sites", 3);
  Start.emplace("decisions", 2);
  std::string Object;
  if (std::getenv("TEST_WITH_OBJECTS"))
    Object = contentsOf(std::string(MEMSHAPE_TEST_SKELETONS) + "/" + Skeleton + ".o");
  if (const auto Cut = Start.find("cut_object"); Cut != Start.end())
    Object = Object.substr(0, Cut->get<std::size_t>());
  Start["object_bytes"] = Object.size();
  send(Start.dump() + "\n" + Bitcode + Object);
  Ready = answer();
}

RunnerProcess::~RunnerProcess() {
  finish();
  close(FromRunner);
}

void RunnerProcess::send(const std::string &Bytes) {
  for (std::size_t At = 0; At < Bytes.size();) {
    const ssize_t Written = write(ToRunner, Bytes.data() + At, Bytes.size() - At);
    if (Written <= 0)
      return;
    At += std::size_t(Written);
  }
}

json RunnerProcess::answer() {
  std::size_t End;
  while ((End = Buffered.find('\n')) == std::string::npos) {
    char Part[4096];
    const ssize_t Count = read(FromRunner, Part, sizeof(Part));
    if (Count <= 0)
      return nullptr;
    Buffered.append(Part, std::size_t(Count));
  }
  json Result = json::parse(Buffered.begin(), Buffered.begin() + std::ptrdiff_t(End));
  Buffered.erase(0, End + 1);
  return Result;
}

json RunnerProcess::evaluate(const json &Request) {
  send(Request.dump() + "\n");
  return answer();
}

int RunnerProcess::finish() {
  if (ToRunner >= 0)
    close(ToRunner);
  ToRunner = -1;
  if (Process <= 0)
    return -1;
  int Status = 0;
  waitpid(Process, &Status, 0);
  Process = -1;
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
}
