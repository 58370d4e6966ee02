// The answers that end the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton that hangs, faults or exceeds a limit is answered from wherever it is - a signal handler, a thread of a
// library, the middle of an allocation. So nothing here allocates or locks.

#pragma once

#include <cstdint>
#include <string_view>

namespace memshape {

/// Exit status of a child that evaluates for its parent; unlike those that a library's exit() would use.
inline constexpr int ChildAnswered = 113;
/// Exit status of a process that evaluates itself after an answer of status "limit" or "error".
inline constexpr int RunnerEnded = 1;

/// Sets where answers go, and the exit status after the last one.
void setAnswers(int Descriptor, int EndingStatus);

/// Writes one complete answer; false if the pipe is closed.
bool writeAnswer(std::string_view Line);

/// Buffers an answer until many can be written at once, or until the process ends; false if the pipe is closed.
bool holdAnswer(std::string_view Line);
bool writeHeldAnswers();

/// Answers and ends the process. Message must need no escaping in JSON.
[[noreturn]] void endWith(const char *Status, const char *Message);
/// The same for an enum memshape_sk_reason.
[[noreturn]] void endWith(const char *Status, const char *Message, std::uint32_t Reason);
/// The same about a site, with a number of bytes between the two parts of the message.
[[noreturn]] void endWithSite(const char *Status, const char *Before, std::uint64_t Bytes, const char *After,
                              std::int64_t Site);

/// Turns faults, aborts and the timer into answers; gives the handlers their own stack.
void catchSignals();
/// Opens is called when something writes to read-only memory; true: the write is repeated.
void onForbiddenWrite(bool (*Opens)(const void *Address));
/// What the process is doing, for messages about faults: "the skeleton" or "the compilation of the skeleton".
void nowRunning(const char *What, double SecondsAllowed);
/// Tells what the run has taken so far, in microseconds: the answer that ends it says so too.
void tellWorkBy(std::int64_t (*Microseconds)());
/// The number of the unknown call that is being executed: a fault is then attributed to it.
void nowAttempting(std::uint32_t Unknown);
/// The number of arithmetic of sizes that has left its type in this run.
void nowWrapped(std::uint32_t Number);
/// The number of the argument that is being built for the call, from 1; 0: none.
void nowBuilding(std::uint32_t Argument);

} // namespace memshape
