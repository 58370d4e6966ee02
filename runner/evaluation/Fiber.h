// A function that can wait on a stack of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulated threads wait for each other at barriers. One real thread runs them all, so that each run is the same.

#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace memshape {

class Fiber {
public:
  using Function = void (*)(void *);

  ~Fiber();
  Fiber(const Fiber &) = delete;

  /// Returns a fiber to the pool of unused ones.
  struct Return {
    void operator()(Fiber *Used) const;
  };
  using Pointer = std::unique_ptr<Fiber, Return>;

  /// Function(Argument), not yet begun. Null where the kernel gives no stack.
  static Pointer create(Function Body, void *Argument);

  /// Continues until the body waits or returns; false when it has returned.
  bool resume();
  /// Called by the body: back to resume.
  void wait();

  /// A suspended body: its stack and its registers.
  struct Moment {
    std::vector<char> Stack;
    jmp_buf Inside;
  };
  /// While the body waits.
  void keep(Moment &To) const;
  /// The next resume continues from there, any number of times. Memory other than the stack is not restored.
  void goBack(const Moment &To);

private:
  Fiber() = default;
  static void enter(unsigned High, unsigned Low);

  Function Body = nullptr;
  void *Argument = nullptr;
  char *Stack = nullptr;
  char *Lowest = nullptr; ///< nothing below is in use while it waits
  std::size_t Color = 0;  ///< unused bytes at the top of the stack
  bool Begun = false, Done = false;
  ucontext_t First = {}; ///< only for the first switch to the stack: it costs two system calls
  jmp_buf Inside = {}, Outside = {};
};

} // namespace memshape
