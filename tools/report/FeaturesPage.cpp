//===- FeaturesPage.cpp - What the source says about an operator ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Report.h"

namespace memshape {

std::string featuresPage(const nlohmann::ordered_json &Operator) { return ""; }

} // namespace memshape
