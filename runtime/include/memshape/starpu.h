/* Tasks of StarPU that keep a memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

     #include <memshape/starpu.h>
     memshape::starpu::Recorder recorder;
     recorder.add(task, scratch_bytes);           // in place of starpu_task_submit(task)
     recorder.temporary(handle);                  // unregistered after its last task
     recorder.tasks().write(file);                // memshape schedule FILE --json > ANSWER
     recorder.submit(recorder.tasks().plan(memshape::Answer(answer), memory));

   Gates and edges become dependencies, places in the order become priorities, and scratch is reserved while a codelet
   runs, so that StarPU counts it in STARPU_LIMIT_CPU_MEM. For StarPU 1.3, whose library the program links. */

#pragma once

#include <memshape/tasks.h>

#include <starpu.h>

#include <deque>
#include <unordered_map>

namespace memshape::starpu {

/// Tasks in main memory. Handles have no memory of the program (home node -1): StarPU takes it when a task first writes them.
class Recorder {
public:
  /// Takes a task that is made but not submitted. STARPU_SCRATCH counts as scratch, STARPU_COMMUTE as in order. Reductions
  /// have copies that nobody can foresee: std::invalid_argument.
  void add(starpu_task *task, std::uint64_t scratch_bytes = 0) {
    std::vector<std::size_t> reads, writes;
    std::uint64_t work_bytes = scratch_bytes;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i) {
      const starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, i);
      const int mode = STARPU_TASK_GET_MODE(task, i);
      if (mode & STARPU_REDUX)
        throw std::invalid_argument("the memory of reductions is not known");
      if (mode & STARPU_SCRATCH)
        work_bytes += starpu_data_get_size(handle);
      else
        (mode & STARPU_W ? writes : reads).push_back(datum(handle));
    }
    tasks_.task(reads, writes, work_bytes);
    made_.push_back({task, scratch_bytes, task->prologue_callback_pop_func, task->prologue_callback_pop_arg,
                     task->callback_func, task->callback_arg});
  }

  /// The handle is unregistered when the last task that touches it has ended; otherwise it stays the program's.
  void temporary(starpu_data_handle_t handle) { handles_.at(datum(handle)).temporary = true; }

  const Tasks &tasks() const { return tasks_; }

  /// Submits all tasks, once. The recorder has to live until they have ended.
  void submit(const Plan &plan) {
    std::vector<starpu_task *> submitted(plan.after.size());
    std::vector<std::size_t> left(tasks_.data_size());
    for (std::size_t datum = 0; datum < left.size(); ++datum)
      left[datum] = tasks_.tasks_of(datum);
    for (std::size_t p = 0; p < plan.sequence.size(); ++p) {
      const std::size_t number = plan.sequence[p];
      starpu_task *const task = submitted[number] = number < made_.size() ? prepared(made_[number]) : gate();
      task->priority = -int(p);
      std::vector<starpu_task *> after;
      for (std::size_t other : plan.after[number])
        after.push_back(submitted[other]);
      starpu_task_declare_deps_array(task, unsigned(after.size()), after.data());
      ends_.push_back(task);
      task->destroy = 0; // others name it as a dependency as long as tasks are submitted
      if (starpu_task_submit(task) != 0)
        throw std::runtime_error("StarPU has no worker for a task");
      if (number < made_.size())
        for (std::size_t datum : tasks_.data_of(number))
          if (--left[datum] == 0 && handles_[datum].temporary)
            starpu_data_unregister_submit(handles_[datum].handle);
    }
  }

  /// Waits for all tasks of StarPU, and frees those that were recorded.
  void wait() {
    starpu_task_wait_for_all();
    for (starpu_task *task : ends_)
      starpu_task_destroy(task);
    ends_.clear();
  }

private:
  using Callback = void (*)(void *);

  struct Made {
    starpu_task *task;
    std::uint64_t scratch_bytes;
    Callback before;
    void *before_argument;
    Callback behind;
    void *behind_argument;
  };

  struct Handle {
    starpu_data_handle_t handle;
    bool temporary;
  };

  std::size_t datum(starpu_data_handle_t handle) {
    const auto [found, is_new] = numbers_.try_emplace(handle, handles_.size());
    if (is_new) {
      handles_.push_back({handle, false});
      tasks_.datum(starpu_data_get_size(handle));
    }
    return found->second;
  }

  static starpu_task *gate() {
    starpu_task *const task = starpu_task_create();
    task->cl = nullptr;
    return task;
  }

  static starpu_task *prepared(Made &made) {
    if (made.scratch_bytes) {
      made.task->prologue_callback_pop_func = reserve;
      made.task->callback_func = give_back;
      made.task->prologue_callback_pop_arg = made.task->callback_arg = &made;
    }
    return made.task;
  }

  /// On the worker, before the codelet. What StarPU keeps of freed handles counts as taken until it needs the memory, and a
  /// worker that waits frees none of it: so scratch is counted at once, which makes StarPU need it.
  static void reserve(void *argument) {
    const Made &made = *static_cast<Made *>(argument);
    if (starpu_memory_allocate(STARPU_MAIN_RAM, made.scratch_bytes, 0) != 0)
      starpu_memory_allocate(STARPU_MAIN_RAM, made.scratch_bytes, STARPU_MEMORY_OVERFLOW);
    if (made.before)
      made.before(made.before_argument);
  }

  static void give_back(void *argument) {
    const Made &made = *static_cast<Made *>(argument);
    starpu_memory_deallocate(STARPU_MAIN_RAM, made.scratch_bytes);
    if (made.behind)
      made.behind(made.behind_argument);
  }

  Tasks tasks_;
  std::deque<Made> made_; // their addresses are arguments of callbacks
  std::vector<Handle> handles_;
  std::unordered_map<starpu_data_handle_t, std::size_t> numbers_;
  std::vector<starpu_task *> ends_;
};

} // namespace memshape::starpu
