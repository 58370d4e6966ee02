// Where does a proposal hold?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/formula/Formula.h"

#include <functional>

namespace memshape {

/// The largest box inside Whole, found greedily, that holds no shape of Wrong, keeps Anchor (unless empty) and keeps a
/// fair share of Right. Then each cut face is moved inwards to the
/// place where HoldsAt changes.
std::optional<Domain> cutDomain(const Domain &Whole, const std::vector<Shape> &Right, const std::vector<Shape> &Wrong,
                                const Shape &Anchor, const std::function<bool(const Shape &)> &HoldsAt);

} // namespace memshape
