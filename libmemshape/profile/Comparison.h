// What two profiles differ in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/profile/Profile.h"

namespace memshape {

/// A line that allocates.
struct SiteGrowth {
  Stack Shown; ///< the calls that lead there, without those in the system's headers
  std::int64_t Before = 0, After = 0;
  std::int64_t change() const { return After - Before; }
};

struct ProfileComparison {
  v1::Sample What = v1::Sample::peak;
  std::string BeforeName, AfterName;  ///< files
  std::int64_t Before = 0, After = 0; ///< sums
  std::vector<SiteGrowth> Sites;      ///< without equal ones; what grew most first, what shrank most last
  std::vector<std::string> Remarks;   ///< of both
};

ProfileComparison compared(const Profile &Before, const Profile &After, v1::Sample What);

std::string comparisonPage(const ProfileComparison &Of);
/// memshape.comparison/1.
std::string comparisonJson(const ProfileComparison &Of);
/// A line `a;b;c change` for each stack that differs.
std::string foldedDifference(const Profile &Before, const Profile &After, v1::Sample What);
/// A line `a;b;c before after` for each stack, as differential flame graphs are made from.
std::string differentialStacks(const Profile &Before, const Profile &After, v1::Sample What);

} // namespace memshape
