// What lies behind the arguments of a function, as debug information tells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/Handover.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace memshape {

/// A value in the memory behind an argument.
struct ArgumentCell {
  enum Kind {
    Number,    ///< Of is a parameter
    Fixed,     ///< the constant Value
    Stride,    ///< Value times the numbers Factors, at least 0 each
    Sum,       ///< the sum of the numbers Factors; the last one is told from it
    AddressOf, ///< of block Of
    Owned, ///< a block of its own that the function may give back: Value bytes times the sum of Factors; Of: its number
  } What;
  uint64_t Offset;
  unsigned Bits = 0; ///< of what is stored there; 0 for an address
  unsigned Of = 0;
  uint64_t Value = 0;
  llvm::SmallVector<unsigned, 4> Factors = {};
  std::optional<unsigned> If = {}; ///< a setting: where it is false, the cell holds 0
};

/// Memory behind an argument. What no cell tells of is data; a block without cells is room for a result.
struct ArgumentBlock {
  uint64_t Bytes = 0;
  std::vector<ArgumentCell> Cells;
  std::vector<std::pair<uint64_t, uint64_t>> Descriptors; ///< of flang: offset and rank, in ascending order
};

/// One argument of the function: a block, a parameter, or a constant.
struct PassedArgument {
  enum Kind { Block, Parameter, Constant } What;
  unsigned Of = 0; ///< number of the block, or of the parameter
  uint64_t Value = 0;
};

struct PassedArguments {
  std::vector<ParameterFact> Parameters; ///< of the function that builds the arguments
  std::vector<ArgumentBlock> Blocks;
  std::vector<PassedArgument> Arguments; ///< one for each of the function's
  std::vector<BuiltArgument> Built;      ///< owned blocks, by their numbers

  /// The number of a new one.
  unsigned add(ParameterFact Fact) {
    Parameters.push_back(std::move(Fact));
    return unsigned(Parameters.size() - 1);
  }
  unsigned addBlock(uint64_t Bytes) {
    Blocks.push_back({Bytes, {}, {}});
    return unsigned(Blocks.size() - 1);
  }
};

} // namespace memshape
