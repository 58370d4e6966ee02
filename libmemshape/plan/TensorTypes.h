// What an operator's types tell of its tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// A pointer or a reference to data among an operator's parameters.
struct TensorType {
  std::string Name;
  std::uint64_t Element = 0; ///< bytes; 0 where it has no size, as void
  bool IsWritten = false;    ///< the operator may change it
};

struct TensorTypes {
  std::vector<TensorType> Pointers;
  std::vector<std::string> Written; ///< objects that the operator may change
};

/// Payload is a features document; Operator is the linker's name. Nothing where the document does not have it.
std::optional<TensorTypes> tensorTypesOf(std::string_view Payload, const std::string &Operator);

} // namespace memshape
