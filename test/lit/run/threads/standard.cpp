// Threads and futures of the C++ library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <atomic>
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// std::thread. Between one thread after the other and all at their peaks, with what the C library requests for each that
// finds no stack of an ended one.
// HELD spread n=1000,threads=3 --bounds 8064..25680
// HELD spread n=10,threads=9 --bounds 192..5760
// HELD spread n=1000,threads=0 --bounds 8040..8552
// HELD spread n=1000,threads=1 --bounds 8048..8560
MEMSHAPE_OPERATOR
void spread(const float *in, int n, int threads, float *out) {
  auto work = [=](int t) {
    std::vector<double> copy(in, in + n);
    out[t] = static_cast<float>(copy[n / 2]) + t;
  };
  std::vector<std::thread> started;
  started.reserve(threads);
  for (int t = 0; t < threads; ++t)
    started.emplace_back(work, t);
  for (std::thread &thread : started)
    thread.join();
  for (int t = 0; t < 2; ++t)
    std::thread(work, t).join();
}

// std::async. The shared state is freed by whoever lets go of it last; results are there when they are asked for.
// HELD spread_in_futures n=1000,threads=3 --bounds 8272..26064
// HELD spread_in_futures n=1000,threads=1 --bounds 8144..8672
MEMSHAPE_OPERATOR
void spread_in_futures(const float *in, int n, int threads, float *out) {
  std::vector<std::future<float>> results;
  for (int t = 0; t < threads; ++t)
    results.push_back(std::async(std::launch::async, [=] {
      std::vector<double> copy(in, in + n);
      return static_cast<float>(copy[n / 2]) + t;
    }));
  for (int t = 0; t < threads; ++t)
    out[t] = results[t].get();
}

// Rows that threads take in turn. The first thread, executed where it is started, takes all of them; up to four have one,
// each with 512 bytes of the C library's, beside a state of 40 bytes, and handles for them in a vector that grows.
// HELD dealt_in_turn n=1000,threads=4 --bounds 0..18304
// HELD dealt_in_turn n=100,threads=9 --bounds 0..8760
MEMSHAPE_OPERATOR
void dealt_in_turn(const float *in, int n, int threads, float *out) {
  std::atomic<int> next{0};
  auto work = [&] {
    for (int row; (row = next++) < n;) {
      std::vector<float> copy(in, in + n);
      out[row] = copy[n - 1 - row];
    }
  };
  std::vector<std::thread> started;
  for (int t = 0; t < threads; ++t)
    started.emplace_back(work);
  for (std::thread &thread : started)
    thread.join();
}

// The same where each row takes what its number says, and where all are kept: none of them twice.
// HELD dealt_in_sizes n=40,threads=4 --bounds 0..3008
MEMSHAPE_OPERATOR
void dealt_in_sizes(const float *in, int n, int threads, float *out) {
  std::atomic<int> next{0};
  std::vector<std::thread> started;
  started.reserve(threads);
  for (int t = 0; t < threads; ++t)
    started.emplace_back([&] {
      for (int row; (row = next.fetch_add(1)) < n;) {
        std::vector<float> copy(row + 1, in[row]);
        std::this_thread::sleep_for(std::chrono::milliseconds(1)); // so that all have one
        out[row] = copy[row / 2];
      }
    });
  for (std::thread &thread : started)
    thread.join();
}

// HELD dealt_and_kept n=100,threads=4 --bounds 0..44704
MEMSHAPE_OPERATOR
void dealt_and_kept(const float *in, int n, int threads, float *out) {
  std::atomic<int> next{0};
  std::vector<std::vector<float>> rows(n);
  std::vector<std::thread> started;
  for (int t = 0; t < threads; ++t)
    started.emplace_back([&] {
      for (int row; (row = next++) < n;)
        rows[row] = std::vector<float>(in, in + n);
    });
  for (std::thread &thread : started)
    thread.join();
  for (int row = 0; row < n; ++row)
    out[row] = rows[row][n - 1];
}

// The next row is known under a lock. Which it is may have changed when another one is told: here to 0, or to n.
// HELD told_late n=1000 --bounds 0..4536
MEMSHAPE_OPERATOR
void told_late(const float *in, int n, float *out) {
  std::mutex lock;
  int wanted = n;
  std::thread teller([&] {
    std::lock_guard<std::mutex> held(lock);
    wanted = 0;
  });
  int found;
  {
    std::lock_guard<std::mutex> held(lock);
    found = wanted;
  }
  std::vector<float> wide(found, in[0]);
  out[0] = wide.empty() ? 0 : wide[found / 2];
  teller.join();
}

// A queue under a lock: how long it gets depends on which of two threads is faster.
// HELD handed_over n=1000 --bounds 0..none --because circumstances
MEMSHAPE_OPERATOR
void handed_over(const float *in, int n, float *out) {
  std::mutex lock;
  std::deque<std::vector<float>> rows;
  bool done = false;
  std::thread maker([&] {
    for (int i = 0; i < 10; ++i) {
      std::vector<float> row(in, in + n);
      std::lock_guard<std::mutex> held(lock);
      rows.push_back(std::move(row));
    }
    std::lock_guard<std::mutex> held(lock);
    done = true;
  });
  for (bool ends = false; !ends;) {
    std::vector<float> row;
    {
      std::lock_guard<std::mutex> held(lock);
      if (rows.empty()) {
        ends = done;
        continue;
      }
      row = std::move(rows.front());
      rows.pop_front();
    }
    out[0] += row[n / 2];
  }
  maker.join();
}

// What threads leave for whoever joins them.
// HELD counted_first n=1000,threads=4 --bounds 8420..10468
MEMSHAPE_OPERATOR
void counted_first(const float *in, int n, int threads, float *out) {
  auto found = std::make_shared<std::vector<int>>(threads);
  std::vector<std::thread> started;
  started.reserve(threads);
  for (int t = 0; t < threads; ++t)
    started.emplace_back([found, n, t] { (*found)[t] = n / (t + 1); });
  for (std::thread &thread : started)
    thread.join();
  int all = 0;
  for (int count : *found)
    all += count;
  std::vector<float> wide(all, in[0]);
  out[0] = wide[n / 2];
}
