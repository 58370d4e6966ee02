// Formulas that were found before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding a formula takes longer than everything else in a prediction, and depends on the operator more than on the
// shape. A folder holds one small file per search, named by a hash of all that the search depends on. Whatever is wrong
// with a file or with the folder, the search is done again: a prediction is the same with and without.

#pragma once

#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/skeletons/CacheFolder.h"
#include "libmemshape/text/JsonFields.h"

namespace memshape {

class FormulaCache {
public:
  /// Keeps nothing.
  FormulaCache() = default;
  explicit FormulaCache(CacheFolder Folder) : Folder(std::move(Folder)) {}

  static FormulaCache ofUser() { return FormulaCache(CacheFolder::ofUser()); }

  /// What a search depends on: the skeleton, the question but for its shape, what the machine answered (AtShape), the
  /// version of memshape; and the shape where the search is for one.
  static std::string keyOf(const Skeleton &S, const Question &Asked, const Footprint &AtShape, bool ForShape);

  std::optional<FormulaSet> find(const std::string &Key) const;
  /// A search that ran out of time is tried a few times before that counts as its result.
  void keep(const std::string &Key, const FormulaSet &Found) const;

private:
  std::optional<nlohmann::json> document(const std::string &Key) const;

  CacheFolder Folder;
};

} // namespace memshape
