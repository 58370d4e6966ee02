// A process of its own for part of a test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MEMSHAPE_TEST_TSAN 1
#endif
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define MEMSHAPE_TEST_SANITIZED 1
#endif
#endif
#ifdef MEMSHAPE_TEST_TSAN
inline constexpr bool IsThreadSanitized = true;
#else
inline constexpr bool IsThreadSanitized = false;
#endif
#ifdef MEMSHAPE_TEST_SANITIZED
inline constexpr bool IsSanitized = true;
#else
inline constexpr bool IsSanitized = false;
#endif

/// A forked process that runs What. What fails there fails end(); it hangs for no longer than 60 s.
class Child {
public:
  template <class Call> explicit Child(Call What) {
    std::fflush(nullptr);
    Process = ::fork();
    if (Process < 0)
      throw std::system_error(errno, std::generic_category(), "fork"); // kill(-1) would end all processes
    if (Process != 0)
      return;
    ::alarm(60);
    bool Failed = true;
    try {
      What();
      Failed = testing::Test::HasFailure();
    } catch (const std::exception &Thrown) {
      std::fprintf(stderr, "in a child: %s\n", Thrown.what());
    }
    std::fflush(nullptr);
    ::_exit(Failed);
  }
  Child(const Child &) = delete;
  ~Child() {
    if (Process > 0) {
      ::kill(Process, SIGKILL);
      status();
    }
  }

  pid_t process() const { return Process; }

  /// As waitpid() says.
  int status() {
    int Status = -1;
    EXPECT_EQ(::waitpid(Process, &Status, 0), Process);
    Process = -1;
    return Status;
  }
  /// That it came to its end, and that nothing failed there.
  void end() { EXPECT_EQ(status(), 0); }
  /// The signal that has ended it.
  int endsWith(int Signal) {
    ::kill(Process, Signal);
    const int Status = status();
    return WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
  }

private:
  pid_t Process;
};

/// A number that a process tells another one.
class Pipe {
public:
  Pipe() { EXPECT_EQ(::pipe2(Ends, O_CLOEXEC), 0); }
  Pipe(const Pipe &) = delete;
  ~Pipe() { close(); }

  bool isOpen() const { return Ends[0] >= 0; }
  void close() {
    for (int &Each : Ends)
      if (Each >= 0)
        ::close(std::exchange(Each, -1));
  }
  void tell(pid_t What) { EXPECT_EQ(::write(Ends[1], &What, sizeof What), ssize_t(sizeof What)); }
  pid_t told() {
    pid_t What = -1;
    if (::read(Ends[0], &What, sizeof What) != ssize_t(sizeof What) || What <= 0)
      throw std::runtime_error("no process was told");
    return What;
  }

private:
  int Ends[2];
};
