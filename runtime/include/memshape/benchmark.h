/* The memory of benchmarks, beside their time.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Google Benchmark runs each benchmark once more under a manager of memory, and reports allocations and peak in its
   JSON. Start the program under `memshape run`, or link it with the runtime: without it the manager is left out.

     memshape::reportMemory(); // in main(), before benchmark::RunSpecifiedBenchmarks() */

#pragma once

#include <memshape/testing.h>

#include <benchmark/benchmark.h>
#include <optional>

namespace memshape {

/// Stop takes a pointer in releases up to 1.8 of Google Benchmark, and a reference after them.
class BenchmarkMemory : public benchmark::MemoryManager {
public:
  void Start() { Phase.emplace(); }
  void Stop(Result &To) {
    const memshape_call_figures Seen = Phase->end();
    Phase.reset();
    To.num_allocs = static_cast<int64_t>(Seen.allocations);
    To.max_bytes_used = Seen.peak;
    To.total_allocated_bytes = static_cast<int64_t>(Seen.total);
    To.net_heap_growth = Seen.output;
  }
  void Stop(Result *To) { Stop(*To); }

private:
  std::optional<HeapPhase> Phase;
};

inline void reportMemory() {
  static BenchmarkMemory Memory;
  if (isCounted())
    benchmark::RegisterMemoryManager(&Memory);
}

} // namespace memshape
