// Exceptions through operators that hold memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Guarded {
  explicit Guarded(int Value) : Cells(new int[64]{Value}) {
    if (Value % 3 == 0)
      throw std::runtime_error("cell " + std::to_string(Value) + " refused by its constructor");
  }
  ~Guarded() { Sum += Cells[0]; }
  std::unique_ptr<int[]> Cells;
  static int Sum;
};
int Guarded::Sum = 0;

int descend(int depth, int n) {
  std::vector<double> Workspace(static_cast<std::size_t>(n) + depth);
  Workspace[0] = depth;
  if (depth == n)
    throw std::out_of_range("bottom at " + std::to_string(n));
  return descend(depth + 1, n) + static_cast<int>(Workspace[0]);
}

int main() {
  for (int I = 1; I < 10; ++I) {
    try {
      Guarded One(I), Two(I + 1);
      std::printf("%d built\n", I);
    } catch (const std::runtime_error &Error) {
      std::printf("%d: %s\n", I, Error.what());
    }
    try {
      descend(0, I);
    } catch (const std::exception &Error) {
      std::printf("%d: %s\n", I, Error.what());
    }
  }
  try {
    volatile std::size_t FarTooMany = static_cast<std::size_t>(-1) / 4;
    char *volatile TooMuch = new char[FarTooMany];
    std::printf("%d bytes?\n", TooMuch != nullptr);
  } catch (const std::bad_alloc &) {
    std::puts("no such memory");
  } catch (const std::length_error &) {
    std::puts("no such length");
  }
  std::printf("sum %d\n", Guarded::Sum);
  return 17;
}
