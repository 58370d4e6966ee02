//===- checkpoint_cost.cpp - What the cheapest reversal takes to find ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside bench/checkpoints, which asks the PyPI package checkpoint-schedules the same.
//
//===----------------------------------------------------------------------===//

#include "model/checkpointing/Reversal.h"

#include <benchmark/benchmark.h>

using namespace memshape::checkpointing;

namespace {

/// Steps on two levels, of which the second takes 2 for a store and for a restore.
void twoLevels(benchmark::State &State) {
  const Chain C = {State.range(0), {{"ram", State.range(1), 0, 0}, {"disk", State.range(2), 2, 2}}, 1, 1};
  Reversal Found;
  for (auto _ : State) {
    reverse(C, Found);
    benchmark::DoNotOptimize(Found.Cost);
  }
  State.counters["cost"] = Found.Cost;
}

void oneLevel(benchmark::State &State) {
  const Chain C = {State.range(0), {{"ram", State.range(1), 0, 0}}, 1, 1};
  Reversal Found;
  for (auto _ : State) {
    reverse(C, Found);
    benchmark::DoNotOptimize(Found.Cost);
  }
  State.counters["cost"] = Found.Cost;
}

} // namespace

BENCHMARK(twoLevels)->Args({100, 5, 20})->Args({800, 5, 20})->Unit(benchmark::kMillisecond);
BENCHMARK(oneLevel)->Args({800, 25})->Args({1'000'000, 20})->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
