// Bytes per element, from an operator's types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// Of the pointers and references to data among an operator's parameters: bytes per element, all of them together.
struct TensorTypes {
  std::uint64_t In = 0, Out = 0;    ///< read only; written
  std::vector<std::string> Written; ///< objects that the operator may change
  std::vector<std::string> Outputs; ///< counts of elements of those that the source tells: "ni*nx"
  std::vector<std::string> Untyped; ///< parameters whose elements have no size, as void *
  std::vector<std::string> Counted; ///< parameters whose elements are in In and Out
};

/// Payload is a features document; Operator is the linker's name. Nothing where the document does not have it.
std::optional<TensorTypes> tensorTypesOf(std::string_view Payload, const std::string &Operator);

} // namespace memshape
