// What each piece of evidence is worth, to be displayed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/residency/Importance.h"

namespace memshape {

/// The page of `memshape train --explain`.
std::string importancePage(const Importance &Found, const Prior &Trained);

} // namespace memshape
