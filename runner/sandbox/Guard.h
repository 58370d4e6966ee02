// A process that watches over another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux has no resource limit for resident memory, nor for the processes of one tree; and what a library starts would
// outlive a memshape that was killed. So memshape-skeleton and memshape-slicer split at the start. The worker does what
// is asked, perhaps with foreign code. The guard runs no foreign code and reads none: it reads at intervals what the
// worker and all that it has started take, and ends them all, as one process group that none of them can leave.

#pragma once

#include "runner/sandbox/Limits.h"

namespace memshape {

struct Worker {
  DialogueDescriptors Streams; ///< negative where there are none
  bool Trusted = false;        ///< --trust: the user allows it to work where the kernel has no sandbox
};

enum class Sight {
  Nothing,     ///< the worker opens no files
  OwnProcesses ///< of processes it sees those that it starts, where the kernel has namespaces for that
};

/// The first call of such a program. Returns in the worker, with all limits that hold from the start. Arguments:
/// "--trust", and "--memory" with a number of bytes. Name: of the worker in messages, as "the skeleton".
/// The guard answers for the worker where that reaches a limit, and otherwise ends as the worker does.
Worker beginWork(int Count, char **Arguments, const char *Name, Sight Of);

} // namespace memshape
