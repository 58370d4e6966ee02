//===- ImportancePage.h - What each piece of evidence is worth, to be displayed -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TRAINING_IMPORTANCEPAGE_H
#define MEMSHAPE_TRAINING_IMPORTANCEPAGE_H

#include "model/residency/Importance.h"

namespace memshape {

/// The page of `memshape train --explain`.
std::string importancePage(const Importance &Found, const Prior &Trained);

} // namespace memshape

#endif // MEMSHAPE_TRAINING_IMPORTANCEPAGE_H
