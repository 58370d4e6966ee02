//===- Limits.h - What a process for foreign code begins with ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors and resource limits of a process that works on what strangers made. What it may ask of the kernel is said
// in Box.h.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SANDBOX_LIMITS_H
#define MEMSHAPE_SANDBOX_LIMITS_H

#include <cstdint>

namespace memshape {

/// Descriptors of the dialogue, away from 0, 1 and 2, which become /dev/null: a library that prints does not answer.
struct DialogueDescriptors {
  int In = -1;
  int Out = -1;
};
/// Closes all others: who started this process may have left it files that are open for writing.
DialogueDescriptors takeStandardStreams();

/// From the start: no core files, no writing, a stack of at least 64 MiB; the first to go where memory runs out.
void limitProcess(int AnswerDescriptor);
/// Bytes; 0: no limit.
void limitAddressSpace(std::uint64_t Bytes);
/// For one evaluation, which may open few files.
void limitOpenFiles();
/// The processor time that one evaluation may use from now on; a net below the timer.
void limitProcessorTime(double Seconds);

} // namespace memshape

#endif // MEMSHAPE_SANDBOX_LIMITS_H
