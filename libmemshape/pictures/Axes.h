// Scales of charts, and what stands at them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace memshape {

/// Where a value from From to To stands between two pixels.
struct Scale {
  double From = 0, To = 1, First = 0, Last = 1;
  double at(double Value) const { return To > From ? First + (Value - From) / (To - From) * (Last - First) : First; }
};

/// "3", "0.25", "1.2e+09": six digits.
std::string shortNumber(double Value);

/// Bytes upwards: a line from Left to Right for each of a few round sizes, and the size left of it.
std::string byteAxis(const Scale &Of, double Left, double Right);

/// Numbers to the right, below Y, and what they are. Whole: no fractions.
std::string numberAxis(const Scale &Of, double Y, const std::string &What, bool Whole);

/// The same downwards, left of X.
std::string numberAxisDown(const Scale &Of, double X, const std::string &What);

} // namespace memshape
