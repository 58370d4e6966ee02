// What functions mean to the stages of the pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of threading libraries and of a language's run-time library, for which a stage writes code of its own. A
// document says which function has which role; the words are those of docs/libraries.md.

#pragma once

namespace memshape {

enum class Role {
  Nothing,          ///< has no effect that allocations could follow from
  Lock,             ///< from here on one thread runs while others wait
  Waits,            ///< waits for another thread: ends the evaluation
  Processors,       ///< how many threads run at once
  StartThread,      ///< (thread *this, state **, ...): runs the state's third virtual function in a thread
  JoinThread,       ///< (thread *this)
  DetachThread,     ///< (thread *this)
  MakeResult,       ///< the constructor of what a future holds: an exception behind 8 bytes
  CreateThread,     ///< (thread *, attributes, function, argument)
  AwaitThread,      ///< (thread, result)
  Once,             ///< (int *state, function)
  OnceProxy,        ///< calls what OnceCall holds
  OnceVariable,     ///< a variable for the argument of what is called once
  OnceCall,         ///< a variable for what is called once
  ThreadExit,       ///< (function, argument, ...): called when the thread ends
  ProcessExit,      ///< (function, ...): called when the process ends
  SingleThreadHint, ///< a variable: not 0 while the process has one thread
  SetJump,          ///< remembers a place in the program, and returns 0
  Jump,             ///< goes on there
  Terminate,        ///< ends the process: nobody catches an exception, or a check fails
  Barrier,          ///< waits for all threads of the team
  One,              ///< returns 1
  IsFirst,          ///< whether the thread is the first of its team, or the one of argument 2
  Single,           ///< whether the thread is the one that executes the block
  PushThreads,      ///< (location, thread, number): threads of the next region
  LeaveSerial,      ///< ends what SerialRegion begins
  AwaitTasks,       ///< waits for the tasks of the thread
  RunTask,          ///< (location, thread, task)
  CopyPrivate,      ///< (location, thread, bytes, own, copy, did)
  SetThreads,       ///< (number): threads of all regions that follow
  SetLevels,        ///< (number): how many regions in each other may have several threads each
  SetNested,        ///< (number): whether more than one may
  MostThreads,      ///< how many threads the next region would have
  Thread,           ///< the number of the thread in its team
  Threads,          ///< how many threads the team has
  Level,            ///< how many regions are around the call
  InParallel,       ///< whether a region is around the call
  TaskMemory,       ///< (location, thread, flags, bytes, shared bytes, routine): a task
  SerialRegion,     ///< begins a region of one thread
  Region,           ///< (location, number, routine, ...)
  RegionIf,         ///< (location, number, routine, condition, ...)
  StaticLoop,       ///< gives a thread its part of a loop
  DealtLoop,        ///< begins a loop whose parts are dealt out
  DealtNext,        ///< the next part of such a loop
  DynamicCast       ///< (object, static class, wanted class, offset): the object as the wanted class, or null
};

} // namespace memshape
