// The log-determinant of a covariance matrix by a tiled Cholesky factorisation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are computed when they are needed, column by column, and none is kept longer than others need it. So the least
// memory is about half of the factor's; an engine that is free to do so computes all tiles first.

#pragma once

#include <cmath>
#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace cholesky {

/// What a task does with the tile in row I and column J.
struct Step {
  enum What { generate, update, factor, solve } What;
  std::size_t I, J, K; ///< `update` subtracts the product of the tiles (I, K) and (J, K)
};

/// Steps of `Tiles` rows, each factor from left to right: what a column needs comes right before it.
inline std::vector<Step> steps(std::size_t Tiles) {
  std::vector<Step> All;
  for (std::size_t J = 0; J < Tiles; ++J)
    for (std::size_t I = J; I < Tiles; ++I) {
      All.push_back({Step::generate, I, J, 0});
      for (std::size_t K = 0; K < J; ++K)
        All.push_back({Step::update, I, J, K});
      All.push_back({I == J ? Step::factor : Step::solve, I, J, 0});
    }
  return All;
}

inline std::size_t place(std::size_t I, std::size_t J) { return I * (I + 1) / 2 + J; }

/// The tiles that a step reads beside (I, J), which it writes.
inline std::vector<std::size_t> reads(const Step &Of) {
  if (Of.What == Step::update)
    return Of.I == Of.J ? std::vector{place(Of.I, Of.K)} : std::vector{place(Of.I, Of.K), place(Of.J, Of.K)};
  return Of.What == Step::solve ? std::vector{place(Of.J, Of.J)} : std::vector<std::size_t>();
}

inline std::size_t workBytes(const Step &Of, std::size_t Tile) {
  return Of.What == Step::update ? Tile * Tile * sizeof(double) : 0;
}

inline void generate(const Step &At, std::size_t Tile, double *Out) {
  for (std::size_t R = 0; R < Tile; ++R)
    for (std::size_t C = 0; C < Tile; ++C) {
      const double Apart = double(At.I * Tile + R) - double(At.J * Tile + C);
      Out[R * Tile + C] = std::exp(-std::abs(Apart) / 8) + (Apart == 0);
    }
}

inline void update(std::size_t Tile, const double *A, const double *B, double *Out) {
  const std::unique_ptr<double[]> Turned(new double[Tile * Tile]); // so that the inner loop has neighbours
  for (std::size_t R = 0; R < Tile; ++R)
    for (std::size_t C = 0; C < Tile; ++C)
      Turned[C * Tile + R] = B[R * Tile + C];
  for (std::size_t R = 0; R < Tile; ++R)
    for (std::size_t K = 0; K < Tile; ++K)
      for (std::size_t C = 0; C < Tile; ++C)
        Out[R * Tile + C] -= A[R * Tile + K] * Turned[K * Tile + C];
}

inline void solve(std::size_t Tile, const double *Lower, double *Out) {
  for (std::size_t R = 0; R < Tile; ++R)
    for (std::size_t C = 0; C < Tile; ++C) {
      double Sum = Out[R * Tile + C];
      for (std::size_t K = 0; K < C; ++K)
        Sum -= Out[R * Tile + K] * Lower[C * Tile + K];
      Out[R * Tile + C] = Sum / Lower[C * Tile + C];
    }
}

/// The factor of a tile on the diagonal, and its part of the log-determinant.
inline double factor(std::size_t Tile, double *Out) {
  double Log = 0;
  for (std::size_t C = 0; C < Tile; ++C) {
    for (std::size_t R = C; R < Tile; ++R) {
      double Sum = Out[R * Tile + C];
      for (std::size_t K = 0; K < C; ++K)
        Sum -= Out[R * Tile + K] * Out[C * Tile + K];
      Out[R * Tile + C] = R == C ? std::sqrt(Sum) : Sum / Out[C * Tile + C];
    }
    Log += 2 * std::log(Out[C * Tile + C]);
  }
  return Log;
}

/// A line of /proc/self/status in bytes.
inline std::size_t status(const std::string &Name) {
  std::ifstream File("/proc/self/status");
  for (std::string Word; File >> Word;)
    if (std::size_t KiB = 0; Word == Name + ":" && File >> KiB)
      return KiB << 10;
  return 0;
}

/// What is resident now; the highest is counted from here on.
inline std::size_t resident() {
  std::ofstream("/proc/self/clear_refs") << 5;
  return status("VmRSS");
}

} // namespace cholesky
