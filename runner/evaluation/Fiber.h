//===- Fiber.h - A function that can wait on a stack of its own ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated threads take turns at barriers. One real thread runs them all, so that a run is the same each time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_FIBER_H
#define MEMSHAPE_SKELETON_FIBER_H

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

  /// Gives a fiber back that has returned, to be used again.
  struct Return {
    void operator()(Fiber *Used) const;
  };
  using Pointer = std::unique_ptr<Fiber, Return>;

  /// Function(Argument), not yet begun. Null where the kernel gives no stack.
  static Pointer create(Function Body, void *Argument);

  /// Goes on until the body waits or returns; false when it has returned.
  bool resume();
  /// Called by the body: back to resume.
  void wait();

  /// Where a body waits: its stack and its registers.
  struct Moment {
    std::vector<char> Stack;
    jmp_buf Inside;
  };
  /// While the body waits.
  void keep(Moment &To) const;
  /// The next resume goes on from there, as often as one likes; what lies in other memory is not the fiber's.
  void goBack(const Moment &To);

private:
  Fiber() = default;
  static void enter(unsigned High, unsigned Low);

  Function Body = nullptr;
  void *Argument = nullptr;
  char *Stack = nullptr;
  char *Lowest = nullptr; ///< nothing below is used while it waits
  std::size_t Color = 0;  ///< bytes at the top of the stack that are left out
  bool Begun = false, Done = false;
  ucontext_t First = {}; ///< only to get onto the stack: it costs two system calls
  jmp_buf Inside = {}, Outside = {};
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_FIBER_H
