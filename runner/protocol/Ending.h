//===- Ending.h - The answers that end the process -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A skeleton that hangs, faults or asks for too much is answered from wherever it stands - a signal handler, a thread
// of a library, the middle of an allocation -, so nothing here allocates or locks.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_ENDING_H
#define MEMSHAPE_SKELETON_ENDING_H

#include <cstdint>
#include <string_view>

namespace memshape {

/// Exit statuses of a child that evaluates for its parent; far from what a library's exit() would give.
inline constexpr int ChildAnswered = 113, ChildAnsweredLast = 114;
/// Exit status of the runner after an answer of status "limit" or "error".
inline constexpr int RunnerEnded = 1;

/// Where answers go, and what the process ends with after the last one.
void setAnswers(int Descriptor, int EndingStatus);

/// Writes one whole answer; false where nobody reads.
bool writeAnswer(std::string_view Line);

/// Keeps an answer back until many can be written at once, or until the process ends; false where nobody reads.
bool holdAnswer(std::string_view Line);
bool writeHeldAnswers();

/// Answers and ends the process. Message must need no escaping in JSON.
[[noreturn]] void endWith(const char *Status, const char *Message);
/// The same for an enum memshape_sk_reason.
[[noreturn]] void endWith(const char *Status, const char *Message, std::uint32_t Reason);
/// The same with a number between the two parts of the message.
[[noreturn]] void endWithNumber(const char *Status, const char *Before, std::uint64_t Number, const char *After);
/// The same about a site, with a number of bytes that stands between the two parts of the message.
[[noreturn]] void endWithSite(const char *Status, const char *Before, std::uint64_t Bytes, const char *After,
                              std::int64_t Site);

/// Iterations faults, aborts and the timer into answers; gives the handlers a stack of their own.
void catchSignals();
/// Opens is asked first where something writes to memory that can only be read; true: the write can go on.
void onForbiddenWrite(bool (*Opens)(const void *Address));
/// What the process does from now on, for the messages of faults: "the skeleton" or "the compilation of the skeleton".
void nowRunning(const char *What, double SecondsAllowed);
/// The unknown call that is executed now, by number: a fault that follows is taken for its doing.
void nowAttempting(std::uint32_t Unknown);

} // namespace memshape

#endif // MEMSHAPE_SKELETON_ENDING_H
