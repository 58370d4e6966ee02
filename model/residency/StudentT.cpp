// Student's t distribution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/StudentT.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace memshape {

/// In double precision throughout; a value that does not fit is infinite or zero, as a caller of <cmath> expects.
using InDouble =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;
using Standard = boost::math::students_t_distribution<double, InDouble>;

/// Beyond this many degrees of freedom the distribution is normal to double precision for all that follows.
constexpr double NormalFrom = 1e7;

static double standardLogDensity(double Value, double Degrees) {
  if (Degrees > NormalFrom)
    return -0.5 * (Value * Value + std::log(2 * std::numbers::pi));
  return std::lgamma((Degrees + 1) / 2) - std::lgamma(Degrees / 2) - 0.5 * std::log(Degrees * std::numbers::pi) -
         (Degrees + 1) / 2 * std::log1p(Value * Value / Degrees);
}

double upperTail(double Value, double Degrees) {
  return boost::math::cdf(boost::math::complement(Standard(Degrees), Value));
}

double standardQuantile(double Probability, double Degrees) {
  return boost::math::quantile(Standard(Degrees), Probability);
}

Truncated exceedingMoments(double Limit, double Degrees) {
  Truncated Found;
  double Above = upperTail(Limit, Degrees);
  if (Above < 1e-290) { // the tail is a power law: its conditional moments are those of a Pareto variable
    Found.Mean = Limit * Degrees / (Degrees - 1);
    Found.MeanSquare = Limit * Limit * Degrees / (Degrees - 2);
    return Found;
  }
  double Density = std::exp(standardLogDensity(Limit, Degrees));
  Found.Mean = Density * (Degrees + Limit * Limit) / (Degrees - 1) / Above;
  // E[T^2; T > c] = n (n-1)/(n-2) P(T' > c sqrt((n-2)/n)) - n P(T > c), T' with n-2 degrees of freedom.
  double Shrunk = Limit * std::sqrt((Degrees - 2) / Degrees);
  double Other = upperTail(Shrunk, Degrees - 2);
  Found.MeanSquare = Degrees * ((Degrees - 1) / (Degrees - 2) * Other - Above) / Above;
  Found.MeanSquare = std::max(Found.MeanSquare, Found.Mean * Found.Mean);
  return Found;
}

double StudentT::exceeding(double Value) const { return upperTail((Value - Location) / Scale, Degrees); }

double StudentT::cumulative(double Value) const { return upperTail(-(Value - Location) / Scale, Degrees); }

double StudentT::quantile(double Probability) const {
  return Location + Scale * standardQuantile(Probability, Degrees);
}

double StudentT::logDensity(double Value) const {
  return standardLogDensity((Value - Location) / Scale, Degrees) - std::log(Scale);
}

double StudentT::variance() const {
  return Degrees > 2 ? Scale * Scale * Degrees / (Degrees - 2) : std::numeric_limits<double>::infinity();
}

} // namespace memshape
