// Threads that nobody can look into.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library without the flag keeps threads from its first call on, which work side by side on blocks of the samples. How
// much of that is held at the same time is different in each run: the figures are those of one, and the answer says so.
// Without the library there is no answer: what its threads take would be missing from it.
//
// RUN: %clangxx -std=c++17 -O2 -fPIC -shared -DLIBRARY %s -o %t.so -lpthread
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %predict --shape samples=600000 2>&1 | FileCheck --check-prefix=ALONE %s
// ALONE: memshape: no answer for 'smooth' at this shape: it calls 'smoothInBlocks', defined in none of the given files
//
// RUN: %predict --library %t.so --shape samples=600000 --json | FileCheck %s
// CHECK: "lower_bytes": 0,
// CHECK: "upper_bytes": null,
// CHECK: "exact": false,
// CHECK: "allocations": 11,
// CHECK: no skeleton answers here: it calls 'smoothInBlocks', which only a run executes
// CHECK: a library started threads of its own: what they allocate, and when, can vary from run to run
//
// RUN: %clangxx %t.o %t.so -o %t -lpthread
// RUN: %compare %t --shape samples=600000 --bounds 0..none --because library_threads -- 600000

extern "C" void smoothInBlocks(const float *in, long samples, float *out);

#ifdef LIBRARY
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Pool {
  Pool() {
    for (std::thread &Each : Threads)
      Each = std::thread([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> Lock(Guard);
      Ended = true;
    }
    Changed.notify_all();
    for (std::thread &Each : Threads)
      Each.join();
  }
  void run(const float *From, long Samples, float *To) {
    std::unique_lock<std::mutex> Lock(Guard);
    In = From, Out = To, Next = 0, End = Samples, Open = (Samples + Block - 1) / Block;
    Changed.notify_all();
    Changed.wait(Lock, [this] { return Open == 0; });
  }

private:
  void work() {
    std::unique_lock<std::mutex> Lock(Guard);
    for (;;) {
      Changed.wait(Lock, [this] { return Ended || Next < End; });
      if (Ended)
        return;
      const long From = Next, Count = std::min(Block, End - Next);
      Next += Block;
      Lock.unlock();
      double *Sums = static_cast<double *>(std::malloc(sizeof(double) * (Count + 1)));
      Sums[0] = 0;
      for (long I = 0; I < Count; ++I)
        Sums[I + 1] = Sums[I] + In[From + I];
      for (long I = 0; I < Count; ++I)
        Out[From + I] = static_cast<float>(Sums[I + 1] - Sums[I]);
      std::free(Sums);
      Lock.lock();
      if (--Open == 0)
        Changed.notify_all();
    }
  }

  static constexpr long Block = 65536;
  std::mutex Guard;
  std::condition_variable Changed;
  const float *In = nullptr;
  float *Out = nullptr;
  long Next = 0, End = 0, Open = 0;
  bool Ended = false;
  std::thread Threads[3];
};

} // namespace

extern "C" void smoothInBlocks(const float *In, long Samples, float *Out) {
  static Pool Threads;
  Threads.run(In, Samples, Out);
}
#else
#include <cstdlib>
#include <cstring>
#include <memshape/operator.h>

MEMSHAPE_OPERATOR
void smooth(const float *in, int samples, float *out) {
  float *copy = static_cast<float *>(std::malloc(sizeof(float) * samples));
  std::memcpy(copy, in, sizeof(float) * samples);
  smoothInBlocks(copy, samples, out);
  std::free(copy);
}

int main(int, char **argv) {
  const int samples = std::atoi(argv[1]);
  float *in = static_cast<float *>(std::calloc(samples, sizeof(float)));
  float *out = static_cast<float *>(std::calloc(samples, sizeof(float)));
  for (int call = 0; call < 2; ++call)
    smooth(in, samples, out);
  std::free(in);
  std::free(out);
}
#endif
