// Descriptors and limits of a sandboxed process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors and resource limits of a process that runs foreign code or reads foreign data. Its system calls and files
// are restricted by Box.h.

#pragma once

#include <cstdint>

namespace memshape {

/// Processor time of a slicer. It follows pointers for a number of steps, not for a time; this ends what is not counted.
inline constexpr unsigned SlicerSeconds = 60;

/// Descriptors of the dialogue. They are moved away from 0, 1 and 2, which become /dev/null, so that what a library
/// prints is not taken for an answer.
struct DialogueDescriptors {
  int In = -1;
  int Out = -1;
};
/// Closes all others: the parent process may have left files open for writing.
DialogueDescriptors takeStandardStreams();

/// Forbids core files and writing, sets a stack of at least 64 MiB, and lifts the limit of data that memshape has: here
/// memory counts where it is resident. When memory runs out, the kernel ends this process first.
void limitProcess(int AnswerDescriptor);
/// Bytes; 0: no limit.
void limitAddressSpace(std::uint64_t Bytes);
/// For one evaluation, which may open few files.
void limitOpenFiles();
/// For all that this process will do, without a handler that answers: it cannot be raised again.
void limitAllProcessorTime(unsigned Seconds);
/// The same for a process that loads code and then evaluates for Seconds, on all processors at once.
void limitTimeOfEvaluations(double Seconds);
/// Limits the processor time that one evaluation may use from now on, in case the timer fails.
void limitProcessorTime(double Seconds);

} // namespace memshape
