// Tiled Cholesky within a memory, on OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tiled_cholesky_openmp TILES TILE > GRAPH; memshape schedule GRAPH --json > ANSWER
//   tiled_cholesky_openmp TILES TILE MEMORY ANSWER        within MEMORY bytes
//   tiled_cholesky_openmp TILES TILE 0                    as OpenMP likes
//
// Runs print the log-determinant, seconds, the most bytes that tiles took, and how much the resident memory grew.

#include "tiled_cholesky.h"

#include <memshape/openmp.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <mutex>

namespace {

/// Tiles; those that were given back are handed out again.
class Pool {
public:
  explicit Pool(std::size_t Doubles) : Doubles(Doubles) {}

  double *take() {
    const std::lock_guard Lock(Mutex);
    if (Free.empty()) {
      All.emplace_back(new double[Doubles]);
      Free.push_back(All.back().get());
    }
    double *const Tile = Free.back();
    Free.pop_back();
    return Tile;
  }

  void give(double *Tile) {
    const std::lock_guard Lock(Mutex);
    Free.push_back(Tile);
  }

  std::size_t bytes() const { return All.size() * Doubles * sizeof(double); }

private:
  std::size_t Doubles;
  std::mutex Mutex;
  std::vector<std::unique_ptr<double[]>> All;
  std::vector<double *> Free;
};

void run(const memshape::Tasks &Tasks, const memshape::Plan &Plan, const std::vector<cholesky::Step> &Steps,
         std::size_t Tiles, std::size_t Tile) {
  using cholesky::Step, cholesky::place;
  Pool Memory(Tile * Tile);
  std::vector<double *> At(Tasks.data_size());
  std::vector<double> Logs(Tiles);
  const std::size_t Before = cholesky::resident();
  const auto Start = std::chrono::steady_clock::now();
  memshape::openmp::run(
      Tasks, Plan,
      [&](std::size_t Task) {
        const Step &Each = Steps[Task];
        double *&Out = At[place(Each.I, Each.J)];
        if (Each.What == Step::generate)
          cholesky::generate(Each, Tile, Out = Memory.take());
        else if (Each.What == Step::update)
          cholesky::update(Tile, At[place(Each.I, Each.K)], At[place(Each.J, Each.K)], Out);
        else if (Each.What == Step::solve)
          cholesky::solve(Tile, At[place(Each.J, Each.J)], Out);
        else
          Logs[Each.I] = cholesky::factor(Tile, Out);
      },
      [&](std::size_t Datum) { Memory.give(At[Datum]); });
  const std::chrono::duration<double> Time = std::chrono::steady_clock::now() - Start;
  double Sum = 0;
  for (double Log : Logs)
    Sum += Log;
  std::printf("{\"log_determinant\": %.9f, \"seconds\": %.3f, \"tile_bytes\": %zu, \"resident_bytes\": %zu}\n", Sum,
              Time.count(), Memory.bytes(), cholesky::status("VmHWM") - Before);
}

} // namespace

int main(int Count, char **Words) try {
  if (Count < 3 || Count > 5)
    throw std::invalid_argument("usage: tiled_cholesky_openmp TILES TILE [MEMORY [ANSWER]]");
  const std::size_t Tiles = std::stoul(Words[1]), Tile = std::stoul(Words[2]);
  const auto Steps = cholesky::steps(Tiles);
  memshape::Tasks Tasks;
  for (std::size_t I = 0; I < cholesky::place(Tiles, 0); ++I)
    Tasks.datum(Tile * Tile * sizeof(double));
  for (const auto &Each : Steps)
    Tasks.task(cholesky::reads(Each), {cholesky::place(Each.I, Each.J)}, cholesky::workBytes(Each, Tile));
  if (Count == 3) {
    Tasks.write(std::cout);
  } else if (Count == 4) {
    run(Tasks, Tasks.plan(), Steps, Tiles, Tile);
  } else {
    std::ifstream File(Words[4]);
    run(Tasks, Tasks.plan(memshape::Answer(File), std::stoull(Words[3])), Steps, Tiles, Tile);
  }
  return 0;
} catch (const std::exception &Problem) {
  std::cerr << "tiled_cholesky_openmp: " << Problem.what() << '\n';
  return 2;
}
