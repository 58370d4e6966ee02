// This process's record, and operators written by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/record/RunRecord.h"

#include <memshape/hooks.h>

#include <string>

namespace memshape::test {

/// Reads the record of this process as it stands now; a failure fails the test.
RunRecord recordNow();
/// Its bytes.
std::string recordBytesNow();

/// The hooks, as an instrumented module gets them.
const memshape_hooks &hooks();

/// One call of an operator, from construction to destruction: what the pass emits, exceptions included.
class Call {
public:
  explicit Call(const memshape_operator &Op, std::int64_t Size = 0) : Size(Size), Data{&Op, &this->Size, nullptr, {}} {
    hooks().enter(&Data);
  }
  ~Call() { hooks().leave(&Data); }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

private:
  std::int64_t Size;
  memshape_call Data;
};

/// An operator with one shape symbol, n.
memshape_operator operatorNamed(const char *Name);
memshape_site siteAt(std::uint32_t Line);

/// The one group of the operator called Name (with shape n, unless n is negative); a failure fails the test.
RunGroup groupOf(const RunRecord &Record, const std::string &Name, std::int64_t N = -1);

/// Bytes at the peak of the site at Line.
std::int64_t bytesAtPeak(const RunRecord &Record, const RunFigures &Figures, std::uint32_t Line);

} // namespace memshape::test
