// RUN: %clangxx -std=c++20 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// A unit with coroutines compiles: what cannot be generated twice is not.

#include <coroutine>
#include <vector>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

Task later(int n) {
  std::vector<int> held(n);
  co_return;
}

[[memshape::operator]] void now(float *, int n) {
  std::vector<float> work(n);
  later(n);
}

// CHECK: operator now
// CHECK: allocation function={now} name={work} kind={container} space={host} size_written={n}
