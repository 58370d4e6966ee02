/* Tasks of OpenMP that keep a memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

     #include <memshape/openmp.h>
     memshape::openmp::run(tasks, plan, [&](std::size_t task) { ... }, [&](std::size_t datum) { ... });

   Each task of a memshape::Plan becomes a task of OpenMP, and what it waits for `depend` clauses on tokens. For compilers
   of OpenMP 5.0 (`iterator` in `depend`: gcc 9, clang 12 and later), with -fopenmp. */

#pragma once

#include <memshape/tasks.h>

#include <atomic>

namespace memshape::openmp {

/// Runs body(task) for each task, and release(datum) when the last task that touches the datum has ended; both on any
/// thread, several at a time. Opens a parallel region; returns when all tasks have ended.
template <class Body, class Release> void run(const Tasks &tasks, const Plan &plan, Body &&body, Release &&release) {
  std::vector<std::uint64_t> tokens(plan.after.size());
  std::vector<std::atomic<std::size_t>> left(tasks.data_size());
  for (std::size_t datum = 0; datum < left.size(); ++datum)
    left[datum] = tasks.tasks_of(datum);
  std::uint64_t *const token = tokens.data();
#pragma omp parallel
#pragma omp single
  for (std::size_t p = 0; p < plan.sequence.size(); ++p) {
    const std::size_t number = plan.sequence[p], count = plan.after[number].size();
    const std::size_t *const after = plan.after[number].data();
    const int priority = int(plan.sequence.size() - p); // heeded as far as OMP_MAX_TASK_PRIORITY says
#pragma omp task firstprivate(number) priority(priority)                                                               \
    depend(iterator(std::size_t i = 0 : count), in : token[after[i]]) depend(out : token[number])
    if (number < tasks.size()) {
      body(number);
      for (std::size_t datum : tasks.data_of(number))
        if (--left[datum] == 0)
          release(datum);
    }
  }
  (void)token; // where OpenMP is off the tasks run one by one, in the order
}

} // namespace memshape::openmp
