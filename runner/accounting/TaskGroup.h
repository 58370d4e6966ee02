// Tasks that run beside each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a group once its tasks were executed one after the other. A task's live bytes depend on its own
// progress alone. Let Peak(i), Least(i) and End(i) be the highest, lowest and last live bytes of task i above its
// start. Then
//
//     sum of Peak(i)                                         is the most that all can hold at the same time,
//     max(sum of End(i), sum of Least(i) + max(Sure(i) - Least(i)))    is held at some time in every order.
//
// Both are taken for each round between two barriers. Where no more than K tasks run at the same time, the others have
// not begun or have ended: the most is the sum of max(0, End(i)) and K times the greatest Peak(i) - max(0, End(i)).
// Where work was dealt out, every task may have got the greatest share.

#pragma once

#include "runner/accounting/Accounting.h"

namespace memshape {

struct TaskGroup {
  using BySpace = std::array<std::int64_t, SpaceNames.size()>;
  using BySite = std::vector<Holding>;

  /// The tasks since the last barrier.
  struct Round {
    BySpace Peaks = {};                     ///< sum of Peak(i)
    BySpace Ends = {};                      ///< sum of End(i)
    BySpace Least = {};                     ///< sum of Least(i)
    BySpace Excess = {};                    ///< greatest Sure(i) - Least(i)
    BySpace Kept = {};                      ///< sum of max(0, End(i))
    BySpace Over = {};                      ///< greatest Peak(i) - max(0, End(i))
    BySite PeakSites, KeptSites, OverSites; ///< what makes up Peaks, Kept and Over
    std::uint32_t Tasks = 0;
    /// The shares of one piece of work that was dealt out.
    struct Deal {
      BySpace Sum = {}, Greatest = {};
      BySite SumSites, GreatestSites;
      std::uint32_t Takers = 0;
    };
    std::vector<Deal> Deals; ///< in the order in which the tasks come to them

    void add(const TaskShare &Share, std::size_t Number, const std::vector<std::uint32_t> &Spaces);
  };
  /// What the group can hold above what is live at its start, over all rounds.
  struct Extremes {
    BySpace Most = {}, Sure = {}, Least = {};
    BySite MostSites; ///< what makes up Most
  };

  explicit TaskGroup(std::size_t Sites, std::uint32_t AtOnce);

  /// Takes the current round into account.
  void widen(Extremes &Known) const;
  /// What uneven shares can add to the sum of the peaks of the current round.
  std::int64_t uneven(unsigned Space) const;
  Holding unevenAt(std::size_t Site) const;

  const std::uint32_t AtOnce;
  std::vector<std::uint32_t> SpaceOfSite;
  Accounting::Account Outer;                ///< of the task that began the group
  std::vector<Accounting::Account> Resting; ///< tasks that pause, by number
  std::uint32_t Current = 0;                ///< the task that runs
  Round Now;
  Extremes Ended; ///< rounds that have ended
  std::array<Accounting::SpaceFigures, SpaceNames.size()>
      Sums;                         ///< totals and counts of ended tasks, not yet taken over
  BySpace Left = {}, SureLeft = {}; ///< sums of Live and Live - Slack of ended tasks
  BySite LeftSites;                 ///< what makes up Left

  /// Where it ends open:
  std::uint64_t Id = 0; ///< 0 for the pool
  Extremes Beside;      ///< what the outer task's Live and Slack include
  bool IsBeside = false;
  BySpace Since = {}; ///< the least that the outer task held beside it so far
};

} // namespace memshape
