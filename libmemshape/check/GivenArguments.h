// Shapes and settings for many operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/ArgumentValues.h"

namespace memshape {

/// "[NAME:]a=1,b=2" for --shape and "[NAME:]x=1.5" for --set. Without NAME, a shape is for every operator with exactly
/// these symbols, and a setting for every operator that has it.
class GivenArguments {
public:
  /// Fails for arguments that fit no operator.
  static Result<GivenArguments> read(const std::vector<std::string> &Shapes, const std::vector<std::string> &Settings,
                                     const std::vector<Skeleton> &Skeletons, const std::vector<std::string> &Names);

  std::vector<std::vector<std::int64_t>> shapes(const std::string &Name, const Skeleton &S) const;
  std::optional<double> setting(const std::string &Name, const std::string &Setting) const;

private:
  struct Assignment {
    std::string Operator; ///< empty: any
    GivenValues Values;
  };
  static Result<Assignment> split(const std::string &Text, const char *Option);
  static bool fits(const Assignment &A, const std::string &Name, const Skeleton &S);

  std::vector<Assignment> Shapes, Settings;
};

} // namespace memshape
