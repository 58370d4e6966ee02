// Handlers, destructors and clean-up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers, destructors and clean-up
//
// flags:
// flags: -fsjlj-exceptions
// flags: -fno-asynchronous-unwind-tables
// flags: -fasync-exceptions

#include <csetjmp>
#include <stdexcept>
#include <vector>

struct Guard {
  int *Count;
  ~Guard() noexcept(false) { --*Count; }
};
int caught(int n) {
  int Count = 1;
  try {
    Guard G{&Count};
    std::vector<int> Work(n);
    if (n > 7)
      throw std::runtime_error("seven");
  } catch (const std::exception &) {
    return Count;
  } catch (...) {
    throw;
  }
  return n;
}
int jumped(int n) {
  static jmp_buf Where;
  if (setjmp(Where))
    return 0;
  std::vector<int> Work(n);
  longjmp(Where, 1);
}
int tried(int n) noexcept try { return caught(n); } catch (int k) {
  return k;
}
