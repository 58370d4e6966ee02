// The fewest tasks that fit, and the best grid with about as many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/planning/GridSearch.h"

#include <algorithm>
#include <cmath>

namespace memshape::planning {

namespace {

/// For all grids of some numbers of tasks: that the fewest are looked for among, and the best.
constexpr std::uint64_t MostChoices = 150'000, MostForBest = 40'000;
/// What a number costs, in evaluations, before any of its grids is looked at: its divisors are to be found.
std::uint64_t costOf(std::int64_t Tasks) {
  return 16 + static_cast<std::uint64_t>(std::sqrt(static_cast<double>(Tasks))) / 64;
}
/// Full waves may take one part in so many more tasks than the fewest that fill the last wave.
constexpr std::int64_t BandPart = 20;

/// All grids of a number of tasks, in order: earlier axes get many chunks first, because what is cut there is stored in
/// one piece. Visit returns false to end.
class Factorisations {
public:
  Factorisations(const ChunkRequest &P) {
    for (const Axis &Each : P.axes)
      Most.push_back(mostChunks(Each));
  }

  bool forEach(std::int64_t Tasks, const std::function<bool(const Grid &)> &Visit) const {
    std::vector<std::int64_t> Divisors;
    for (std::int64_t D = 1; D <= Tasks / D; ++D)
      if (Tasks % D == 0) {
        Divisors.push_back(D);
        if (D != Tasks / D)
          Divisors.push_back(Tasks / D);
      }
    std::sort(Divisors.begin(), Divisors.end(), std::greater<>());
    Grid G(Most.size(), 1);
    return place(0, Tasks, Divisors, G, Visit);
  }

  const std::vector<std::int64_t> &most() const { return Most; }

private:
  bool place(std::size_t I, std::int64_t Left, const std::vector<std::int64_t> &Divisors, Grid &G,
             const std::function<bool(const Grid &)> &Visit) const {
    if (I + 1 >= Most.size()) {
      if (Left > (Most.empty() ? 1 : Most[I]))
        return true;
      if (!Most.empty())
        G[I] = Left;
      return Visit(G);
    }
    for (std::int64_t D : Divisors)
      if (D <= Most[I] && Left % D == 0) {
        G[I] = D;
        if (!place(I + 1, Left / D, Divisors, G, Visit))
          return false;
      }
    return true;
  }

  std::vector<std::int64_t> Most;
};

/// Walks along the grids that just fit. Relaxed, workers share what stays to the byte, and tasks are a little shorter, so
/// that the number of tasks is a lower bound; otherwise the grid that it finds is one to take.
class Frontier {
public:
  Frontier(const ChunkRequest &P, bool Relaxed) : P(P), Relaxed(Relaxed) {
    for (std::size_t I = 0; I < P.axes.size(); ++I)
      Order.push_back(I);
    std::vector<std::int64_t> Most;
    for (const Axis &Each : P.axes)
      Most.push_back(mostChunks(Each));
    // The last axis is searched by halving, the others count by count.
    std::sort(Order.begin(), Order.end(),
              [&](std::size_t A, std::size_t B) { return Most[A] < Most[B] || (Most[A] == Most[B] && A < B); });
    for (std::size_t I : Order)
      MostOf.push_back(Most[I]);
  }

  /// Of two tasks or more; nothing where no grid fits.
  std::optional<std::int64_t> fewest() {
    Extents.resize(P.axes.size());
    Counts.assign(P.axes.size(), 1);
    if (Relaxed && !someFits(0, false))
      return std::nullopt;
    for (std::size_t I = 0; I < P.axes.size(); ++I)
      Extents[I] = P.axes[I].extent;
    walk(0, 1, false);
    return Best;
  }

  /// The grid that was found.
  const Grid &grid() const { return Found; }

  bool complete() const { return Evaluations < P.most_evaluations; }

private:
  /// Tasks are shortest with one chunk, with two, which have a halo on one side alone, or with most.
  bool someFits(std::size_t I, bool Halo) {
    if (I == P.axes.size())
      return within(2, Halo);
    const Axis &A = P.axes[I];
    const std::int64_t Finest = mostChunks(A);
    for (std::int64_t Count : {std::int64_t(1), std::int64_t(2), Finest}) {
      if (Count > Finest)
        continue;
      Extents[I] = lengthWith(A, Count);
      if (someFits(I + 1, Halo || (Count > 1 && A.halo > 0)))
        return true;
    }
    return false;
  }

  bool within(std::int64_t Tasks, bool Halo) {
    ++Evaluations;
    if (*std::min_element(Extents.begin(), Extents.end()) < 1)
      return false;
    const std::uint64_t Count = static_cast<std::uint64_t>(P.workers);
    const TaskBytes Task = P.task(Extents);
    WorkerParts Least = workerBytes(P, {Tasks, Halo, P.input_bytes, P.output_bytes}, Task, true);
    if (Relaxed) {
      if (Least.blocks)
        Least.blocks = share(P.input_bytes, 1, Count);
      if (P.sink != Sink::store) {
        const std::uint64_t Running = multiply(static_cast<std::uint64_t>(std::min(P.threads, Tasks)), Task.output);
        Least.results = share(P.output_bytes, 1, Count) - std::min(share(P.output_bytes, 1, Count), Running);
      }
      Least.slack = 0;
      Least.slack = slackOf(Least);
      // The more tasks, the more halos stay with their results until the end.
      if (Least.gathered)
        Least.gathered = leastGathered(P.output_bytes);
    }
    return Least.total() <= P.limit_bytes;
  }

  /// Of the longest task with so many chunks; relaxed, or with a few more. 0 where there are no such chunks.
  std::int64_t lengthWith(const Axis &A, std::int64_t Count) const {
    if (!Relaxed)
      return longestTask(A, Count).value_or(0);
    if (Count == 1)
      return A.extent;
    // Of three chunks or more some lie inside, and one element less may make all of them the shorter ones.
    const std::int64_t Even = (A.extent - 1) / Count + 1;
    return Count < 3 || A.align > 1 ? Even + A.halo : std::max(Even + A.halo, Even - 1 + 2 * A.halo);
  }

  /// The next number of chunks at which tasks along the axis get shorter.
  static std::int64_t nextCount(const Axis &A, std::int64_t Count) {
    const std::int64_t Each = (A.extent - 1) / Count + 1;
    // Aligned, each further chunk may take from those that have more.
    return A.align > 1 || Each <= 1 ? Count + 1 : (A.extent - 1) / (Each - 1) + 1;
  }

  void walk(std::size_t Depth, std::int64_t Prefix, bool Halo) {
    const std::size_t I = Order[Depth];
    const Axis &A = P.axes[I];
    if (Depth + 1 == Order.size()) {
      last(I, Prefix, Halo);
      return;
    }
    for (std::int64_t Count = 1; Count <= MostOf[Depth] && complete(); Count = nextCount(A, Count)) {
      std::int64_t Product;
      if (__builtin_mul_overflow(Prefix, Count, &Product) || (Best && Product >= *Best))
        break;
      Extents[I] = lengthWith(A, Count);
      Counts[I] = Count;
      walk(Depth + 1, Product, Halo || (Count > 1 && A.halo > 0));
    }
    Extents[I] = A.extent;
    Counts[I] = 1;
  }

  /// The fewest chunks of the last axis, by halving.
  void last(std::size_t I, std::int64_t Prefix, bool Halo) {
    const Axis &A = P.axes[I];
    std::int64_t High = MostOf.back();
    if (Best)
      High = std::min(High, (*Best - 1) / Prefix);
    if (High < 1)
      return;
    High = std::min(High, (INT64_C(1) << 62) / Prefix);
    const auto Holds = [&](std::int64_t Count) {
      Extents[I] = lengthWith(A, Count);
      return within(std::max<std::int64_t>(Prefix * Count, 2), Halo || (Count > 1 && A.halo > 0));
    };
    const auto Take = [&](std::int64_t Count) {
      Best = Prefix * Count;
      Found = Counts;
      Found[I] = Count;
    };
    // From one chunk to three halos may make tasks longer, and up to the number of threads more tasks run together.
    const std::int64_t OneByOne = std::min(High, std::max<std::int64_t>(2, P.threads / Prefix + 1));
    for (std::int64_t Count = 1; Count <= OneByOne && complete(); ++Count)
      if (Holds(Count))
        return Take(Count);
    if (High <= OneByOne || !Holds(High))
      return;
    std::int64_t Low = OneByOne;
    while (High - Low > 1) {
      const std::int64_t Middle = Low + (High - Low) / 2;
      (Holds(Middle) ? High : Low) = Middle;
    }
    Take(High);
  }

  const ChunkRequest &P;
  const bool Relaxed;
  std::vector<std::size_t> Order;
  std::vector<std::int64_t> MostOf, Extents;
  Grid Counts, Found;
  std::optional<std::int64_t> Best;
  std::uint64_t Evaluations = 0;
};

/// What starting a task costs, in element computations: about 1 ms in the one scheduler, 10 ms in the worker.
constexpr double Scheduling = 1e3, Starting = 1e4;

} // namespace

double jobTime(const ChunkRequest &P, const Grid &G) {
  const double Tasks = static_cast<double>(*tasksOf(G));
  const double Places = static_cast<double>(P.workers) * static_cast<double>(P.threads);
  double Elements = 1;
  for (std::size_t I = 0; I < G.size(); ++I)
    Elements *= static_cast<double>(*longestTask(P.axes[I], G[I]));
  const double Waves = static_cast<double>(static_cast<std::int64_t>((Tasks + Places - 1) / Places));
  return Waves * (Elements + Starting) + Tasks * Scheduling;
}

Fewest fewestTasks(const ChunkRequest &P) {
  Fewest Out;
  const Grid Whole(P.axes.size(), 1);
  if (fits(P, Whole)) {
    Out.Of = Whole;
    Out.Tasks = 1;
    return Out;
  }
  Frontier Relaxed(P, true), Real(P, false);
  const std::optional<std::int64_t> Bound = Relaxed.fewest();
  Out.Complete = Relaxed.complete() && P.monotone;
  if (!Bound && Out.Complete)
    return Out;
  // Something to take, whatever becomes of the search.
  const Factorisations All(P);
  if (Real.fewest() && fits(P, Real.grid()))
    Out.Of = Real.grid();
  else if (fits(P, All.most()))
    Out.Of = All.most();
  Out.Tasks = Out.Of ? *tasksOf(*Out.Of) : 0;
  const std::int64_t Most = Out.Of ? Out.Tasks : std::min(tasksOf(All.most()).value_or(INT64_MAX), P.max_tasks);
  std::uint64_t Evaluations = 0;
  Out.LowerBound = Out.Complete ? std::max<std::int64_t>(*Bound, 2) : 2;
  for (std::int64_t Tasks = std::max<std::int64_t>(Bound.value_or(2), 2); Tasks <= Most; ++Tasks) {
    std::optional<Grid> Found;
    if (costOf(Tasks) > MostChoices) {
      Out.Complete = false;
      return Out;
    }
    All.forEach(Tasks, [&](const Grid &G) {
      ++Evaluations;
      if (fits(P, G) && (!Found || jobTime(P, G) < jobTime(P, *Found)))
        Found = G;
      return Evaluations < MostChoices;
    });
    if (Evaluations += costOf(Tasks); Evaluations >= MostChoices && !Found && Tasks < Most) {
      Out.Complete = false;
      return Out;
    }
    if (!Found)
      continue;
    Out.Of = Found;
    Out.Tasks = Tasks;
    break;
  }
  if (Out.Complete && Out.Of)
    Out.LowerBound = Out.Tasks;
  return Out;
}

Grid bestGrid(const ChunkRequest &P, const Fewest &Least) {
  const std::int64_t Places = std::min(P.workers, INT64_MAX / P.threads) * P.threads;
  const std::int64_t Missing = (Places - Least.Tasks % Places) % Places;
  if (Least.Tasks > INT64_MAX / 2 - Missing)
    return *Least.Of;
  const std::int64_t Full = Least.Tasks + Missing;
  const Factorisations All(P);
  const std::int64_t Most = std::min({P.max_tasks, Full + Full / BandPart, tasksOf(All.most()).value_or(INT64_MAX)});
  const auto IsCheap = [](std::int64_t Tasks) { return costOf(Tasks) < MostForBest; };
  std::uint64_t Evaluations = 0;
  std::optional<Grid> Best;
  double BestTime = 0;
  const auto Consider = [&](const Grid &G) {
    ++Evaluations;
    // What is not better anyway need not fit.
    for (std::size_t I = 0; I < G.size(); ++I)
      if (!longestTask(P.axes[I], G[I]))
        return Evaluations < MostForBest;
    const double Time = jobTime(P, G);
    if ((!Best || Time < BestTime) && fits(P, G)) {
      Best = G;
      BestTime = Time;
    }
    return Evaluations < MostForBest;
  };
  for (std::int64_t Tasks = Full; Tasks <= Most && IsCheap(Tasks) && Evaluations < MostForBest; Tasks += Places) {
    All.forEach(Tasks, Consider);
    Evaluations += costOf(Tasks);
    if (Best)
      return *Best;
    if (Places > Most - Tasks)
      break;
  }
  // No full waves: as few as fit, or, where that leaves places idle, whatever makes the job short.
  if (Least.Tasks >= Places)
    return *Least.Of;
  Best = Least.Of;
  BestTime = jobTime(P, *Best);
  Evaluations = 0;
  for (std::int64_t Tasks = Least.Tasks; Tasks <= Most && IsCheap(Tasks) && Evaluations < MostForBest;
       ++Tasks, Evaluations += costOf(Tasks))
    All.forEach(Tasks, Consider);
  return *Best;
}

} // namespace memshape::planning
