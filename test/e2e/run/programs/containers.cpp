// Containers, threads and exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "instrumented.h"

#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct alignas(128) Wide {
  char Bytes[256];
};

/// Leaves the operator on every way out, as instrumented code does.
struct Leaving {
  memshape_call &Call;
  ~Leaving() {
    if (Hooks)
      Hooks->leave(&Call);
  }
};

/// 8n, then 16n beside it while it grows, then 24n; 1024 over-aligned.
double growing(std::int64_t N) {
  ENTER("growing", N);
  Leaving Guard{TheCall};
  SITE;
  std::vector<double> Values(static_cast<std::size_t>(N), 1.0);
  SITE;
  Values.push_back(2.0);
  std::unique_ptr<Wide[]> Aligned(new Wide[4]);
  if (N < 0)
    throw std::runtime_error("negative");
  return Values.back();
}

void throwing(std::int64_t N) {
  ENTER("throwing", N);
  Leaving Guard{TheCall};
  std::vector<char> Buffer(static_cast<std::size_t>(N));
  throw Buffer.size();
}

/// Two threads hold n bytes each; what starting a thread allocates comes on top.
void parallel(std::int64_t N) {
  ENTER("parallel", N);
  Leaving Guard{TheCall};
  char *Blocks[2];
  for (char *&Block : Blocks)
    std::thread([&] { Block = new char[static_cast<std::size_t>(N)]; }).join();
  for (char *&Block : Blocks)
    std::thread([&] { delete[] Block; }).join();
}

} // namespace

int main() {
  for (int Round = 0; Round != 2; ++Round) {
    std::printf("%g\n", growing(1000));
    try {
      throwing(5000);
    } catch (std::size_t Bytes) {
      std::printf("caught %zu\n", Bytes);
    }
    parallel(1 << 20);
  }
  std::map<std::string, int> Names;
  for (int I = 0; I != 100; ++I)
    Names[std::string(100, 'a') + std::to_string(I)] = I;
  std::printf("%zu\n", Names.size());
}
