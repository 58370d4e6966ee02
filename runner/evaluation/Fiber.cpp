// A function that can be suspended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/evaluation/Fiber.h"

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <vector>

using namespace memshape;

/// As much as the C library gives a thread by default; only touched pages cost memory.
static constexpr std::size_t StackBytes = std::size_t(8) << 20;
static constexpr std::size_t GuardBytes = 4096;

/// Unused fibers, kept because many are needed at a time, and often.
static std::vector<std::unique_ptr<Fiber>> Idle;
static std::size_t Created = 0;

void Fiber::Return::operator()(Fiber *Used) const { Idle.emplace_back(Used); }

Fiber::Pointer Fiber::create(Function Body, void *Argument) {
  Pointer Made;
  if (!Idle.empty()) {
    Made.reset(Idle.back().release());
    Idle.pop_back();
  } else {
    void *Stack = mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Stack == MAP_FAILED)
      return nullptr;
    mprotect(Stack, GuardBytes, PROT_NONE);
    Made.reset(new Fiber);
    Made->Stack = static_cast<char *>(Stack);
    // Stacks start at multiples of their size. Tops at the same offset in each would share a few sets of the caches.
    constexpr std::size_t Colors = 128, Step = 320;
    Made->Color = Created++ % Colors * Step;
  }
  // A fiber that was abandoned in its body starts again.
  if (!Made->Done)
    Made->Begun = false;
  Made->Done = false;
  Made->Body = Body;
  Made->Argument = Argument;
  return Made;
}

Fiber::~Fiber() { munmap(Stack, StackBytes); }

void Fiber::enter(unsigned High, unsigned Low) {
  // makecontext hands over integers only.
  auto *Self = reinterpret_cast<Fiber *>(std::uintptr_t(High) << 32 | Low);
  for (;;) {
    Self->Body(Self->Argument);
    Self->Done = true;
    Self->wait();
  }
}

bool Fiber::resume() {
  if (_setjmp(Outside) == 0) {
    if (Begun)
      _longjmp(Inside, 1);
    Begun = true;
    getcontext(&First);
    First.uc_stack.ss_sp = Stack + GuardBytes;
    First.uc_stack.ss_size = StackBytes - GuardBytes - Color;
    First.uc_link = nullptr;
    const auto Self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&First, reinterpret_cast<void (*)()>(enter), 2, unsigned(Self >> 32), unsigned(Self));
    setcontext(&First);
  }
  return !Done;
}

/// Below the frame of whoever calls.
[[gnu::noinline]] static char *belowCaller() { return static_cast<char *>(__builtin_frame_address(0)); }

void Fiber::keep(Moment &To) const {
  To.Stack.assign(Lowest, Stack + StackBytes - Color);
  std::memcpy(&To.Inside, &Inside, sizeof(Inside));
}

void Fiber::goBack(const Moment &To) {
  Lowest = Stack + StackBytes - Color - To.Stack.size();
  std::memcpy(Lowest, To.Stack.data(), To.Stack.size());
  std::memcpy(&Inside, &To.Inside, sizeof(Inside));
  Done = false;
}

void Fiber::wait() {
  Lowest = belowCaller();
  if (_setjmp(Inside) == 0)
    _longjmp(Outside, 1);
}
