// A process for what a stranger's file brings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>
#include <sys/types.h>

namespace memshape {

/// memshape-skeleton or memshape-slicer, within workLimits(). It has a guard (runner/sandbox/Guard.h), which ends all
/// that it has started once nobody reads its answers: also where memshape is killed.
class ChildProcess {
public:
  ChildProcess() = default;
  ~ChildProcess() { end(); }
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  /// Trust: it works even where this system gives no sandbox. False with errno set where it cannot be started.
  bool start(const std::string &Executable, bool Trust);
  bool runs() const { return Id > 0; }
  pid_t id() const { return Id; }
  /// Descriptors: what is written to To does not wait.
  int to() const { return To; }
  int from() const { return From; }
  void closeInput();
  /// Waits until it has ended; its status as waitpid tells it, or -1.
  int wait();
  /// Ends it and all that it has started.
  void end();

private:
  pid_t Id = -1;
  int To = -1, From = -1;
};

} // namespace memshape
