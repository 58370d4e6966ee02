// What a hook costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One malloc/free pair, plain and instrumented, in one process. bench/hook_overhead runs this alone and under `memshape
// run`.

#include <benchmark/benchmark.h>

#include <cstddef>

extern "C" void pairs_plain(long count, std::size_t bytes);
extern "C" void pairs_hooked(long count, std::size_t bytes);

static constexpr long PairsPerCall = 10000;

static void measure(benchmark::State &State, void (*Pairs)(long, std::size_t)) {
  for (auto Step : State)
    Pairs(PairsPerCall, static_cast<std::size_t>(State.range(0)));
  State.SetItemsProcessed(State.iterations() * PairsPerCall);
}

BENCHMARK_CAPTURE(measure, plain, pairs_plain)->Arg(64)->Arg(4096);
BENCHMARK_CAPTURE(measure, hooked, pairs_hooked)->Arg(64)->Arg(4096);

BENCHMARK_MAIN();
