/* What a store refuses.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include <stdexcept>
#include <string>

namespace memshape::out_of_core {

enum class ErrorCode {
  usage,     ///< the call makes no sense: an executor named twice, run() within a task
  too_large, ///< more than the budget has to be in memory at once
  full,      ///< no space is left where executors are written to
  io,        ///< the system refused to write or to read
  lost,      ///< a file is gone, or shorter than it was written
  corrupt    ///< a file has other bytes than were written
};

/// Thrown by a store. The message is one line: what happened, to which file, and what the system says.
class Error : public std::runtime_error {
public:
  Error(ErrorCode code, const std::string &message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

private:
  ErrorCode code_;
};

} // namespace memshape::out_of_core
