// Variables of threads, and constructors at name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of threads, and constructors at namespace scope
//
// flags:
// flags: -ftls-model=local-exec
// flags: -femulated-tls
// flags: -fno-threadsafe-statics

#include <string>
#include <vector>

int extent();
thread_local std::vector<int> Held(extent());
static std::string Name = std::to_string(extent());
inline int Late = extent();

int used(int n) {
  static std::vector<int> Once(n);
  thread_local std::string Text(n, 'x');
  Held.resize(n);
  return static_cast<int>(Held.size() + Name.size() + Once.size() + Text.size()) + Late;
}
