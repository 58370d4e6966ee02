// Threads that allocate, hand over and free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <queue>
#include <thread>
#include <vector>

static thread_local std::vector<int> Scratch(100, 7);

// With -fplugin-arg-memshape-operator=* an operator that several threads are in at once.
std::vector<long> *make(int Length, int Value) {
  return new std::vector<long>(static_cast<std::size_t>(Length), Value);
}

int main() {
  std::mutex Lock;
  std::queue<std::vector<long> *> Handed;
  std::atomic<long> Total{0};
  std::vector<std::thread> Makers, Takers;
  for (int T = 0; T < 4; ++T)
    Makers.emplace_back([&, T] {
      for (int I = 0; I < 500; ++I) {
        std::vector<long> *Made = make(I % 37 + 1, T + 1);
        std::lock_guard<std::mutex> Hold(Lock);
        Handed.push(Made);
      }
      Total += Scratch[T];
    });
  std::atomic<int> Taken{0};
  for (int T = 0; T < 2; ++T)
    Takers.emplace_back([&] {
      while (Taken < 2000) {
        std::vector<long> *Got = nullptr;
        {
          std::lock_guard<std::mutex> Hold(Lock);
          if (!Handed.empty()) {
            Got = Handed.front();
            Handed.pop();
            ++Taken;
          }
        }
        if (!Got) {
          std::this_thread::yield();
          continue;
        }
        Total += std::accumulate(Got->begin(), Got->end(), 0L);
        delete Got;
      }
    });
  for (auto &Thread : Makers)
    Thread.join();
  for (auto &Thread : Takers)
    Thread.join();
  std::printf("total %ld, left %zu\n", Total.load(), Handed.size());
}
