// Footprints at chosen shapes, each asked for once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/formula/AskedShapes.h"
#include "model/formula/Formula.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>

namespace memshape {

/// Time that the work so far takes on a usual processor; nothing where that cannot be told, and real time counts.
using BusyClock = std::function<std::optional<std::chrono::nanoseconds>()>;

/// What is found within some time must not depend on what else the machine does, nor on how fast it is: time is told by
/// a clock that counts work (evaluations, and the instructions in them), and passes alike everywhere. Real time is a last
/// resort, far away.
class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;
  explicit Deadline(Clock::time_point Moment) : Last(Moment) {}
  /// From now on.
  Deadline(Clock::duration Allowed, BusyClock Busy) : Allowed(Allowed), Busy(std::move(Busy)) {
    if (std::optional<std::chrono::nanoseconds> Start = this->Busy ? this->Busy() : std::nullopt) {
      BusyAtStart = *Start;
      Last = Clock::now() + std::max<Clock::duration>(LastResort * Allowed, std::chrono::seconds(10));
    } else {
      this->Busy = {};
      Last = Clock::now() + Allowed;
    }
  }

  bool passed() const { return left() <= Clock::duration::zero(); }
  Clock::duration left() const {
    const Clock::duration InFact = Last - Clock::now();
    const std::optional<std::chrono::nanoseconds> Spent = Busy ? Busy() : std::nullopt;
    return Spent ? std::min<Clock::duration>(InFact, Allowed - (*Spent - BusyAtStart)) : InFact;
  }

private:
  static constexpr int LastResort = 40;

  Clock::time_point Last;
  Clock::duration Allowed{};
  BusyClock Busy;
  std::chrono::nanoseconds BusyAtStart{};
};

/// What one evaluation gives: the peak, the total, every site's bytes... in an order of the caller's choosing.
using Outputs = std::vector<std::int64_t>;

/// The operator's footprint at a shape; nothing where it has none there (it throws, or the figures do not fit).
using Evaluation = std::function<std::optional<Outputs>(const Shape &)>;

/// The footprints at many shapes, in their order; fewer where the rest has no answer in time.
using BatchEvaluation = std::function<std::vector<std::optional<Outputs>>(const std::vector<Shape> &)>;

/// Time of one evaluation at a shape; nothing where there is none.
using EvaluationCost = std::function<std::optional<std::chrono::microseconds>(const Shape &)>;

/// Asks for every shape once and for none after the deadline.
class Sampler {
public:
  Sampler(Evaluation Evaluate) : Evaluate(std::move(Evaluate)) {}

  /// Sampling, and looking at what was sampled, takes work as well: told to a clock of the search's own.
  void countLookups(std::shared_ptr<std::chrono::nanoseconds> In) { Spent = std::move(In); }
  void spend(std::chrono::nanoseconds Time) {
    if (Spent)
      *Spent += Time;
  }

  /// Later questions for these shapes are answered at once.
  void prefetch(const std::vector<Shape> &Wanted);
  void setBatch(BatchEvaluation Batch) { EvaluateAll = std::move(Batch); }

  /// Output number Index at a shape.
  std::optional<std::int64_t> operator()(const Shape &At, std::size_t Index);
  bool outOfTime();
  void setDeadline(Deadline Next) {
    Ends = std::move(Next);
    Late = false;
  }
  void remember(const Shape &At, Outputs Figures) {
    if (Answer *Before = Known.find(At))
      *Before = Answer{std::move(Figures), 0};
    else
      Known.add(At, Answer{std::move(Figures), 0});
  }
  /// From here on wasUsed() tells which shapes were asked for.
  void beginOutput() { ++Search; }
  bool wasUsed(const Shape &At) const {
    const Answer *Found = Known.find(At);
    return Found && Found->UsedBy == Search;
  }

  struct Answer {
    std::optional<Outputs> Figures;
    unsigned UsedBy = 0; ///< the last search that asked for it
  };
  const AskedShapes<Answer> &known() const { return Known; }

private:
  std::optional<Outputs> ask(const Shape &At);

  Evaluation Evaluate;
  BatchEvaluation EvaluateAll; ///< may be empty
  Deadline Ends;
  bool Late = false;
  std::shared_ptr<std::chrono::nanoseconds> Spent; ///< by looking up; may be null
  double Seconds = 0;                              ///< spent on batches
  std::size_t Asked = 0;                           ///< shapes in them
  AskedShapes<Answer> Known;
  unsigned Search = 1; ///< counts beginOutput()
};

/// Draws shapes of every kind that hides a surprise: cubic, stretched, odd, prime, tiny, large, mixed. The same seed
/// gives the same shapes.
class ShapeSource {
public:
  explicit ShapeSource(std::uint64_t Seed) : Random(Seed) {}
  Shape draw(const Domain &Within);
  /// From 0 to 1.
  double unit() { return static_cast<double>(Random() >> 11) * 0x1p-53; }

private:
  std::int64_t between(std::int64_t Low, std::int64_t High);
  std::int64_t logarithmic(const Range &Within);
  std::int64_t prime(const Range &Within);

  std::mt19937_64 Random;
  unsigned Turn = 0;
};

} // namespace memshape
