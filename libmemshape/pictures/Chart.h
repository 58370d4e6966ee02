// Drawings as SVG.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace memshape {

/// One drawing. Lengths are pixels at the size at which it is made; it scales.
struct Chart {
  std::string Title;       ///< plain text
  std::string Description; ///< plain text: what somebody who cannot see it should know
  std::string Body;        ///< SVG elements
  double Width = 0, Height = 0;
  std::string Note; ///< plain text: what was joined or left out; may be empty
};

/// "12.5": at most two digits behind the point.
std::string coordinate(double Value);

/// Elements. Class is that of chart.css; Words are plain text.
std::string rectangle(double X, double Y, double Width, double Height, const std::string &Class);
std::string line(double X1, double Y1, double X2, double Y2, const std::string &Class = "");
std::string circle(double X, double Y, double Radius, const std::string &Class = "");
/// Anchor: start, middle or end.
std::string label(double X, double Y, const std::string &Words, const char *Anchor = "start",
                  const std::string &Class = "");
std::string group(const std::string &Class, const std::string &Elements);
/// A part of a chart that says Words when the pointer or the keyboard is on it.
std::string mark(const std::string &Words, const std::string &Elements);

/// For a page. Id is unique in it.
std::string chartElement(const Chart &Of, const std::string &Id);

/// A file of its own: XML, with its style.
std::string chartFile(const Chart &Of);

} // namespace memshape
