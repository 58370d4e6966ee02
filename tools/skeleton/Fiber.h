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

  /// Function(Argument), not yet begun. Null where the kernel gives no stack.
  static std::unique_ptr<Fiber> create(Function Body, void *Argument);

  /// Goes on until the body waits or returns; false when it has returned.
  bool resume();
  /// Called by the body: back to resume.
  void wait();

private:
  Fiber() = default;
  static void enter(unsigned High, unsigned Low);

  Function Body = nullptr;
  void *Argument = nullptr;
  char *Stack = nullptr;
  bool Done = false;
  ucontext_t Inside = {}, Outside = {};
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_FIBER_H
