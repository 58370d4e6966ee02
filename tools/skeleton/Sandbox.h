//===- Sandbox.h - What analysed code may not do -------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runner executes code from other people's object files. It is native code and this is no prison; but a skeleton,
// or a library that it calls, shall not write files, start programs or reach the network.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_SANDBOX_H
#define MEMSHAPE_SKELETON_SANDBOX_H

#include <cstdint>

namespace memshape {

/// Descriptors of the dialogue, away from 0, 1 and 2, which become /dev/null: a library that prints does not answer.
struct DialogueDescriptors {
  int In = -1;
  int Out = -1;
};
DialogueDescriptors takeStandardStreams();

/// From the start: no core files, no writing, a stack of at least 64 MiB, the address space that the request allows.
void limitProcess(std::uint64_t AddressSpaceBytes, int AnswerDescriptor);
/// The processor time that one evaluation may use from now on; a net below the timer.
void limitProcessorTime(double Seconds);
/// From the moment when all libraries are loaded: few files, and the system calls that no prediction needs are refused.
enum class Files { Reading, None };
void forbidSystemCalls(Files Opening = Files::Reading);

} // namespace memshape

#endif // MEMSHAPE_SKELETON_SANDBOX_H
