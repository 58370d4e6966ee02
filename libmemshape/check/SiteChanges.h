// The lines that a change comes from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/check/baseline/Baseline.h"

namespace memshape {

/// A site that has changed.
struct SiteChange {
  enum class Kind {
    New,      ///< nothing was requested there
    Grew,     ///< more bytes, or more often
    Longer,   ///< the same blocks live longer
    Vanished, ///< nothing is requested there any more
    Shrank
  };
  Kind What = Kind::New;
  CodePlace Place;            ///< the place of the change: the site, or the first call on the way there that is new
  std::vector<CodePlace> Via; ///< the site and its callers, if that is another place
  std::optional<std::string> Formula;
  std::uint64_t Then = 0, Now = 0;           ///< bytes requested at the greatest reference shape
  std::uint64_t TimesThen = 0, TimesNow = 0; ///< there
  std::uint64_t HeldThen = 0, HeldNow = 0;   ///< there
};

/// Changed sites of Now, compared with Before, most important first. Both have the same rows.
std::vector<SiteChange> siteChanges(const BaselineOperator &Before, const BaselineOperator &Now);

/// "new", "grew", ...
const char *changeWord(SiteChange::Kind What);

} // namespace memshape
