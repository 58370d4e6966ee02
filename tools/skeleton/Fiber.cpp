//===- Fiber.cpp - A function that can wait on a stack of its own --------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <cstdint>
#include <sys/mman.h>

using namespace memshape;

/// As much as the C library gives a thread by default; only touched pages cost memory.
static constexpr std::size_t StackBytes = std::size_t(8) << 20;
static constexpr std::size_t GuardBytes = 4096;

/// Stacks that nobody is on. They are many at a time, and often.
static std::vector<char *> FreeStacks;

static char *takeStack() {
  if (!FreeStacks.empty()) {
    char *Stack = FreeStacks.back();
    FreeStacks.pop_back();
    return Stack;
  }
  void *Stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Stack == MAP_FAILED)
    return nullptr;
  mprotect(Stack, GuardBytes, PROT_NONE);
  return static_cast<char *>(Stack);
}

std::unique_ptr<Fiber> Fiber::create(Function Body, void *Argument) {
  char *Stack = takeStack();
  if (!Stack)
    return nullptr;
  std::unique_ptr<Fiber> Made(new Fiber);
  Made->Body = Body;
  Made->Argument = Argument;
  Made->Stack = Stack;
  getcontext(&Made->Inside);
  Made->Inside.uc_stack.ss_sp = Made->Stack + GuardBytes;
  Made->Inside.uc_stack.ss_size = StackBytes - GuardBytes;
  Made->Inside.uc_link = &Made->Outside;
  const auto Self = reinterpret_cast<std::uintptr_t>(Made.get());
  makecontext(&Made->Inside, reinterpret_cast<void (*)()>(enter), 2, unsigned(Self >> 32), unsigned(Self));
  return Made;
}

Fiber::~Fiber() { FreeStacks.push_back(Stack); }

void Fiber::enter(unsigned High, unsigned Low) {
  // makecontext hands over integers only.
  auto *Self = reinterpret_cast<Fiber *>(std::uintptr_t(High) << 32 | Low);
  Self->Body(Self->Argument);
  Self->Done = true;
}

bool Fiber::resume() {
  swapcontext(&Outside, &Inside);
  return !Done;
}

void Fiber::wait() { swapcontext(&Inside, &Outside); }
