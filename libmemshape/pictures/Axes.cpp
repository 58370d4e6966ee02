// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/pictures/Axes.h"
#include "libmemshape/pictures/Chart.h"
#include "libmemshape/text/Figures.h"

#include <cmath>
#include <iterator>

namespace memshape {

constexpr double MostTicks = 6;

/// 1, 2 or 5 times a power of ten.
static double roundStep(double Range, bool Whole) {
  double Step = std::pow(10, std::floor(std::log10(Range / MostTicks)));
  for (double Factor : {2.0, 2.5, 2.0})
    if (Range / Step > MostTicks)
      Step *= Factor;
  return Whole && Step < 1 ? 1 : Whole ? std::round(Step) : Step;
}

/// Calls Draw with each tick.
template <class Function> static void ticks(const Scale &Of, bool Whole, Function Draw) {
  if (!(Of.To > Of.From))
    return Draw(Of.From);
  const double Step = roundStep(Of.To - Of.From, Whole);
  if (!(Step > 0)) // too small for a double
    return Draw(Of.From);
  for (double I = std::ceil(Of.From / Step); I * Step <= Of.To; ++I)
    Draw(I * Step);
}

std::string shortNumber(double Value) { return format("%.6g", Value); }

std::string byteAxis(const Scale &Of, double Left, double Right) {
  double Unit = 1;
  std::size_t Name = 0;
  for (; Of.To / Unit >= 1024 && Name + 1 < std::size(ByteUnits); ++Name)
    Unit *= 1024;
  std::string Drawn;
  ticks({Of.From / Unit, Of.To / Unit, 0, 1}, Name == 0, [&](double Value) {
    const double Y = Of.at(Value * Unit);
    Drawn += line(Left, Y, Right, Y) +
             label(Left - 6, Y + 4, Value > 0 ? shortNumber(Value) + " " + ByteUnits[Name] : "0", "end");
  });
  return group("axis", Drawn);
}

std::string numberAxis(const Scale &Of, double Y, const std::string &What, bool Whole) {
  std::string Drawn = line(Of.First, Y, Of.Last, Y);
  ticks(Of, Whole, [&](double Value) {
    const double X = Of.at(Value);
    Drawn += line(X, Y, X, Y + 4) + label(X, Y + 16, shortNumber(Value), "middle");
  });
  return group("axis", Drawn + label(Of.Last, Y + 32, What, "end"));
}

std::string numberAxisDown(const Scale &Of, double X, const std::string &What) {
  std::string Drawn = line(X, Of.First, X, Of.Last);
  ticks(Of, true, [&](double Value) {
    const double Y = Of.at(Value);
    Drawn += line(X - 4, Y, X, Y) + label(X - 7, Y + 4, shortNumber(Value), "end");
  });
  return group("axis", Drawn + label(X, Of.First - 10, What, "middle"));
}

} // namespace memshape
