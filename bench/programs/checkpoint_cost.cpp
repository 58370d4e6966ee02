// What the cheapest reversal takes to find.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside bench/checkpoints, which asks the PyPI package checkpoint-schedules the same.

#include "model/checkpointing/Reversal.h"

#include <benchmark/benchmark.h>
#include <memshape/checkpoint.h>

using namespace memshape::checkpointing;

namespace {

void reversal(benchmark::State &State, const Chain &C) {
  Reversal Found;
  for (auto _ : State) {
    reverse(C, Found);
    benchmark::DoNotOptimize(Found.cost);
  }
  State.counters["cost"] = Found.cost;
}

/// Steps on two levels, of which the second takes 2 for a store and for a restore.
void twoLevels(benchmark::State &State) {
  reversal(State, {State.range(0), {{"ram", State.range(1), 0, 0}, {"disk", State.range(2), 2, 2}}, 1, 1});
}

/// Tapes as large as states.
void tapes(benchmark::State &State) {
  Chain C = {State.range(0), {{"ram", State.range(1), 0, 0}}, 1, 0};
  C.tape_slots = 1;
  reversal(State, C);
}

void oneLevel(benchmark::State &State) { reversal(State, {State.range(0), {{"ram", State.range(1), 0, 0}}, 1, 1}); }

/// An unknown number of steps that take no time: what the driver takes, and forward steps for each that is needed.
void online(benchmark::State &State) {
  namespace checkpoint = memshape::checkpoint;
  const std::int64_t Steps = State.range(0), Slots = State.range(1);
  checkpoint::Work Done;
  for (auto _ : State)
    Done = checkpoint::reverse_while([&](std::int64_t At) { return At < Steps; }, Slots, [](auto, auto) {},
                                     [](std::int64_t At) { return At; }, [](auto, auto) {}, [](auto) {});
  State.counters["forward/least"] = double(Done.forward_steps) / double(checkpoint::least_forward_steps(Steps, Slots));
}

} // namespace

BENCHMARK(online)->ArgsProduct({{1'000, 10'000, 100'000}, {5, 20, 100}})->Unit(benchmark::kMillisecond);
BENCHMARK(twoLevels)->Args({100, 5, 20})->Args({800, 5, 20})->Unit(benchmark::kMillisecond);
BENCHMARK(tapes)->Args({100, 5})->Args({300, 20})->Unit(benchmark::kMillisecond);
BENCHMARK(oneLevel)->Args({800, 25})->Args({1'000'000, 20})->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
