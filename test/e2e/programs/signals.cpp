// A signal handler in the middle of allocating, and exit from a handler.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static volatile std::sig_atomic_t Caught = 0;
static void count(int) { Caught = Caught + 1; }
static void atEnd() { std::printf("at exit, %d caught\n", static_cast<int>(Caught)); }

int main() {
  std::atexit(atEnd);
  std::signal(SIGUSR1, count);
  std::vector<std::string> Names;
  for (int I = 0; I < 100; ++I) {
    Names.push_back(std::string(50, static_cast<char>('a' + I % 26)));
    if (I % 10 == 0)
      std::raise(SIGUSR1);
  }
  std::printf("%zu %c\n", Names.size(), Names[27][0]);
  std::fprintf(stderr, "a line on the other stream\n");
  std::exit(3);
}
