/* What a call takes, in a test.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Start the program under `memshape run`, or link it with the runtime: nothing else counts allocations. The code that is
   called need not be compiled with the flag. C++17.

     EXPECT_THAT([&] { smooth(in, ni, nx, ns, out); }, memshape::TakesAtMost(8 * n)); // GoogleMock
     CHECK(memshape::heapOf([&] { smooth(in, ni, nx, ns, out); }).peak <= 8 * n);     // Catch2, doctest, Boost.Test

   <memshape/benchmark.h> does the same for Google Benchmark. */

#pragma once

#include <memshape/annotate.h>

#include <ostream>
#include <stdexcept>
#include <utility>

namespace memshape {

/// Whether a runtime counts in this process.
inline bool isCounted() { return memshape_annotate_last_phase; }

/// A phase of the process whose figures are asked for: `peak` is the most that was live above what was live at its
/// begin, `output` what is left, both in bytes of the heap, of all threads together.
class HeapPhase {
public:
  HeapPhase() { memshape_phase_begin(Name); }
  HeapPhase(const HeapPhase &) = delete;
  HeapPhase &operator=(const HeapPhase &) = delete;
  ~HeapPhase() {
    if (!Ended)
      memshape_phase_end(Name);
  }

  /// Throws std::runtime_error where no runtime counts.
  memshape_call_figures end() {
    Ended = true;
    memshape_phase_end(Name);
    memshape_call_figures Seen{};
    if (!isCounted() || !memshape_annotate_last_phase(&Seen))
      throw std::runtime_error("nothing counts allocations here: start the program as `memshape run -- PROGRAM`, or "
                               "link it with memshape_rt");
    return Seen;
  }

private:
  static constexpr const char *Name = "measured by a test";
  bool Ended = false;
};

/// What the heap holds while Of is called: see HeapPhase.
template <class Call> memshape_call_figures heapOf(Call &&Of) {
  HeapPhase Phase;
  std::forward<Call>(Of)();
  return Phase.end();
}

/// A matcher of GoogleMock for something to call: its peak is at most so many bytes. GoogleMock calls it once more where
/// it takes more.
class TakesAtMost {
public:
  using is_gtest_matcher = void;

  explicit TakesAtMost(int64_t Bytes) : Bytes(Bytes) {}

  template <class Call> bool MatchAndExplain(const Call &Of, std::ostream *Listener) const {
    const int64_t Peak = heapOf(Of).peak;
    if (Listener)
      *Listener << "which takes " << Peak << " bytes";
    return Peak <= Bytes;
  }
  void DescribeTo(std::ostream *To) const { *To << "takes at most " << Bytes << " bytes"; }
  void DescribeNegationTo(std::ostream *To) const { *To << "takes more than " << Bytes << " bytes"; }

private:
  int64_t Bytes;
};

} // namespace memshape
