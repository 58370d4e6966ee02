// Names of the source as identifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <set>
#include <string>

namespace memshape {

/// Gives each name an identifier of C, C++ and Python that no other has: "a.rows" is a_rows, "x.shape[0]" x_shape_0.
class Identifiers {
public:
  /// Words of the three languages, and those of Taken, are no identifiers.
  explicit Identifiers(std::set<std::string> Taken = {}) : Taken(std::move(Taken)) {}
  std::string of(const std::string &Name);

private:
  std::set<std::string> Taken;
};

} // namespace memshape
