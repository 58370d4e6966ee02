// What a prediction and an update of the model cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/OperatorModel.h"

#include <benchmark/benchmark.h>

using namespace memshape;

namespace {

Posterior widest(int Terms) { return Posterior({Row::Zero(Terms), TermMatrix::Identity(Terms, Terms), 2, 1}); }

Row rowOf(int Terms, int Turn) {
  Row At(Terms);
  for (int I = 0; I < Terms; ++I)
    At[I] = 1.0 / (1 + (I * 7 + Turn) % 13);
  return At;
}

void posteriorPredict(benchmark::State &State) {
  int Terms = static_cast<int>(State.range(0)), Turn = 0;
  Posterior P = widest(Terms);
  for (int I = 0; I < 40; ++I)
    P.observe(rowOf(Terms, I), 1);
  Row At = rowOf(Terms, 3);
  for (auto _ : State) {
    At[0] = 1.0 / (1 + Turn++ % 7);
    benchmark::DoNotOptimize(P.predict(At));
  }
}

void posteriorObserve(benchmark::State &State) {
  int Terms = static_cast<int>(State.range(0)), Turn = 0;
  Posterior P = widest(Terms);
  for (auto _ : State)
    P.observe(rowOf(Terms, ++Turn), 1);
}

Situation call(double Size) {
  Situation S;
  S.Heap = S.Total = 1e7 * Size;
  S.Held = 2e7 * Size;
  S.Allocations = 5;
  return S;
}

void operatorPredict(benchmark::State &State) {
  OperatorModel Model(Prior::generic(), Target::Resident, call(1));
  for (int I = 1; I < 20; ++I)
    Model.observe(call(I), 4e6 + 3e7 * I);
  for (auto _ : State)
    benchmark::DoNotOptimize(Model.predict(call(64)));
}

/// With a bound, after so many runs.
void operatorForecast(benchmark::State &State) {
  OperatorModel Model(Prior::generic(), Target::Resident, call(1));
  for (int I = 1; I <= State.range(0); ++I)
    Model.observe(call(I % 50 + 1), 4e6 + 3e7 * (I % 50 + 1));
  for (auto _ : State)
    benchmark::DoNotOptimize(Model.forecast(call(64), 0.99));
}

void operatorObserve(benchmark::State &State) {
  OperatorModel Model(Prior::generic(), Target::Resident, call(1));
  for (auto _ : State)
    Model.observe(call(3), 9.4e7);
}

BENCHMARK(posteriorPredict)->Arg(2)->Arg(8)->Arg(16);
BENCHMARK(posteriorObserve)->Arg(2)->Arg(8)->Arg(16);
BENCHMARK(operatorPredict);
BENCHMARK(operatorForecast)->Arg(0)->Arg(3)->Arg(20)->Arg(256);
BENCHMARK(operatorObserve)->Iterations(100000);

} // namespace

BENCHMARK_MAIN();
