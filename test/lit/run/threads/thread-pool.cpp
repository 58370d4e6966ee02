// Threads that wait for work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker waits until its starter has queued something, which comes later than its start: not followed, replayed.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 --bounds 0..none --because library_threads -- 1000
// RUN: %memshape predict %t --shape n=1000 | FileCheck %s
//
// CHECK: waits for another thread

#include "../Inputs/twice.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

MEMSHAPE_OPERATOR
void queue(const float *in, int n, float *out) {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool ended = false;
  std::thread worker([&] {
    for (;;) {
      std::unique_lock<std::mutex> held(lock);
      while (work.empty() && !ended)
        changed.wait(held);
      if (work.empty())
        return;
      std::function<void()> next = std::move(work.front());
      work.pop_front();
      held.unlock();
      next();
    }
  });
  for (int i = 0; i < 3; ++i) {
    std::lock_guard<std::mutex> held(lock);
    work.push_back([=] { out[i] = std::vector<float>(in, in + n)[i]; });
    changed.notify_one();
  }
  {
    std::lock_guard<std::mutex> held(lock);
    ended = true;
    changed.notify_one();
  }
  worker.join();
}

TWICE(queue(data, number(1), more))
