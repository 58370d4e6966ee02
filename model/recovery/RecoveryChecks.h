// Does a formula say more than it takes?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/formula/Formula.h"

namespace memshape {

/// A polynomial through the few powers of two of a domain says nothing about others. True where each atom takes more
/// values at Shapes than its powers could be made to fit, and each limit is seen from both sides.
bool saysMoreThanItTakes(const Formula &Proposal, const std::vector<Shape> &Shapes);

/// Values of what an atom rounds, between Low and High, at which the atom changes: the last before a step each.
std::vector<std::int64_t> lastBeforeSteps(const Atom &Of, std::int64_t Low, std::int64_t High);

} // namespace memshape
