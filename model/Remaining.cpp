//===- Remaining.cpp - What a run that is going on will still take ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Remaining.h"

#include <algorithm>

namespace memshape {

Forecast remainingPeak(const Forecast &Before, const Progress &Now) {
  Forecast Found = Before;
  if (known(Now.Expected) && Now.Expected > 0 && Now.Events > 0) {
    // The difference so far is known; that it grows in proportion is believed the more of the run was seen.
    double Share = std::clamp(Now.Events, 0.0, 1.0), Ratio = Now.Held / Now.Expected;
    double Shifted = Before.Expected.Location * (1 + Share * (Ratio - 1));
    Found.Upper += Shifted - Found.Expected.Location;
    Found.Expected.Location = Shifted;
    double Kept = 1 - Share;
    Found.Upper = Found.Expected.Location + (Found.Upper - Found.Expected.Location) * Kept;
    Found.Expected.Scale *= Kept;
  }
  double Certain = std::max(Now.PeakSoFar, Now.Held + Now.Proven);
  Found.Expected.Location = std::max(Found.Expected.Location, Certain);
  Found.Upper = std::max(Found.Upper, Found.Expected.Location);
  return Found;
}

bool willExceed(const Forecast &Final, double Limit) { return Final.Upper > Limit; }

} // namespace memshape
