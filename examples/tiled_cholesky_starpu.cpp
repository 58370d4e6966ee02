// Tiled Cholesky within a memory, on StarPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tiled_cholesky_starpu TILES TILE > GRAPH; memshape schedule GRAPH --json > ANSWER
//   tiled_cholesky_starpu TILES TILE MEMORY ANSWER        within MEMORY bytes
//   tiled_cholesky_starpu TILES TILE 0                    as StarPU likes
//
// Runs print the log-determinant, seconds, and how much the resident memory grew after all tasks were submitted.

#include "tiled_cholesky.h"

#include <memshape/starpu.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>

namespace {

std::vector<cholesky::Step> Steps;
std::vector<double> Logs;

void carryOut(void **Buffers, void *Argument) {
  using cholesky::Step;
  const Step &Each = *static_cast<const Step *>(Argument);
  const auto At = [&](std::size_t I) { return reinterpret_cast<double *>(STARPU_VECTOR_GET_PTR(Buffers[I])); };
  const auto Tile = std::size_t(std::sqrt(double(STARPU_VECTOR_GET_NX(Buffers[0]))));
  if (Each.What == Step::generate)
    cholesky::generate(Each, Tile, At(0));
  else if (Each.What == Step::update)
    cholesky::update(Tile, At(1), At(Each.I == Each.J ? 1 : 2), At(0));
  else if (Each.What == Step::solve)
    cholesky::solve(Tile, At(1), At(0));
  else
    Logs[Each.I] = cholesky::factor(Tile, At(0));
}

/// The tile that a task writes, then those it reads.
std::vector<starpu_task *> tasksOn(const std::vector<starpu_data_handle_t> &Tiles) {
  static starpu_codelet Codelet;
  starpu_codelet_init(&Codelet);
  Codelet.cpu_funcs[0] = carryOut;
  Codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
  std::vector<starpu_task *> Made;
  for (const auto &Each : Steps) {
    starpu_task *const Task = starpu_task_create();
    Task->cl = &Codelet;
    Task->cl_arg = const_cast<cholesky::Step *>(&Each);
    Task->cl_arg_size = sizeof Each;
    Task->handles[0] = Tiles[cholesky::place(Each.I, Each.J)];
    Task->modes[0] = Each.What == cholesky::Step::generate ? STARPU_W : STARPU_RW;
    Task->nbuffers = 1;
    for (std::size_t Read : cholesky::reads(Each)) {
      Task->modes[Task->nbuffers] = STARPU_R;
      Task->handles[Task->nbuffers++] = Tiles[Read];
    }
    Made.push_back(Task);
  }
  return Made;
}

/// What `Submit` submits runs once all of it is submitted, so that StarPU's own memory for tasks is there before.
template <class Function> void run(Function &&Submit) {
  starpu_pause();
  Submit();
  const std::size_t Before = cholesky::resident();
  const auto Start = std::chrono::steady_clock::now();
  starpu_resume();
  starpu_task_wait_for_all();
  const std::chrono::duration<double> Time = std::chrono::steady_clock::now() - Start;
  double Sum = 0;
  for (double Log : Logs)
    Sum += Log;
  std::printf("{\"log_determinant\": %.9f, \"seconds\": %.3f, \"resident_bytes\": %zu}\n", Sum, Time.count(),
              cholesky::status("VmHWM") - Before);
}

} // namespace

int main(int Count, char **Words) try {
  if (Count < 3 || Count > 5)
    throw std::invalid_argument("usage: tiled_cholesky_starpu TILES TILE [MEMORY [ANSWER]]");
  const std::size_t Tiles = std::stoul(Words[1]), Tile = std::stoul(Words[2]);
  if (starpu_init(nullptr) != 0)
    throw std::runtime_error("StarPU does not start");
  Steps = cholesky::steps(Tiles);
  Logs.resize(Tiles);
  std::vector<starpu_data_handle_t> Handles(cholesky::place(Tiles, 0));
  for (auto &Handle : Handles)
    starpu_vector_data_register(&Handle, -1, 0, std::uint32_t(Tile * Tile), sizeof(double));
  const auto Tasks = tasksOn(Handles);
  memshape::starpu::Recorder Recorded;
  if (Count != 4) {
    for (std::size_t I = 0; I < Tasks.size(); ++I)
      Recorded.add(Tasks[I], cholesky::workBytes(Steps[I], Tile));
    for (auto &Handle : Handles)
      Recorded.temporary(Handle);
  }
  if (Count == 3) {
    Recorded.tasks().write(std::cout);
    std::cout.flush();
    std::_Exit(std::cout ? 0 : 2); // nothing was submitted
  }
  if (Count == 4) {
    run([&] {
      for (starpu_task *Task : Tasks)
        if (starpu_task_submit(Task) != 0)
          throw std::runtime_error("StarPU has no worker for a task");
      for (auto &Handle : Handles)
        starpu_data_unregister_submit(Handle);
    });
  } else {
    std::ifstream File(Words[4]);
    const auto Plan = Recorded.tasks().plan(memshape::Answer(File), std::stoull(Words[3]));
    run([&] { Recorded.submit(Plan); });
    Recorded.wait();
  }
  starpu_shutdown();
  return 0;
} catch (const std::exception &Problem) {
  std::cerr << "tiled_cholesky_starpu: " << Problem.what() << '\n';
  std::_Exit(2); // StarPU's threads go on otherwise
}
