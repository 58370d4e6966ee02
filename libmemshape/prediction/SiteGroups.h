// Sites as a page shows them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/formulas/FormulaSearch.h"

namespace memshape {

/// One line of the source with what all its sites hold at the peak: a helper that is called from six places is six
/// sites.
struct SiteGroup {
  std::string Where;
  std::string Function;
  std::uint64_t Bytes = 0;
  std::uint64_t Peak = 0;     ///< of the memory space in which its sites allocate
  std::optional<Formula> Sum; ///< nothing where a site has none, or where they cannot be added
};

/// Groups that hold something, most bytes first; equal ones in the order of their first sites.
std::vector<SiteGroup> groupSites(const Footprint &Heap, const Skeleton &S, const FormulaSet &Formulas);

} // namespace memshape
