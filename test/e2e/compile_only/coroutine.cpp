// Coroutines, split where there is no optimisation,.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coroutines, split where there is no optimisation, too
//
// flags:

#include <coroutine>
#include <exception>
#include <vector>

struct Generator {
  struct promise_type {
    int Value;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int V) {
      Value = V;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> Handle;
  ~Generator() { Handle.destroy(); }
};

__attribute__((noinline)) Generator numbers(int n) {
  std::vector<int> Held(n);
  for (int I = 0; I < n; ++I) {
    Held[I] = I;
    co_yield Held[I];
  }
}

void collect(const float *in, int n, float *out) {
  Generator From = numbers(n);
  std::vector<float> All;
  for (From.Handle.resume(); !From.Handle.done(); From.Handle.resume())
    All.push_back(in[From.Handle.promise().Value]);
  out[0] = All.back();
}
