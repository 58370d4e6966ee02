// How a function of a library allocates or frees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace memshape {

/// The numbers of enum memshape_space.
enum class Space { Host, Device, Pinned, Managed, Stack, Mapped };

/// "host", "device", ...
llvm::StringRef spaceName(Space S);

enum class AllocationKind {
  Allocate,   ///< returns the block
  Store,      ///< stores the block through its first argument and returns a status, 0 for success
  Reallocate, ///< realloc
  Release     ///< frees its block
};

/// An allocator by its linker's name; -1 for an argument that it has not.
struct KnownAllocator {
  std::string Label; ///< display name: "malloc", "operator new[]"
  AllocationKind Kind = AllocationKind::Allocate;
  Space In = Space::Host;
  int Size = -1, Count = -1, Alignment = -1, Block = -1;
  unsigned ElementBytes = 1;      ///< a third factor of the size
  bool Zeroed = false;            ///< blocks are full of zeros
  bool ZeroBecomesOne = false;    ///< a request of nothing asks for one byte
  bool RoundsToAlignment = false; ///< a request asks for a multiple of the alignment
  bool Pages = false;             ///< blocks begin where pages do
  bool Padded = false;            ///< it takes more than it is asked for: only the device knows how much
  /// Of a prediction; without, the call is a place in the source where memory is taken, which the runtime counts.
  bool Predicted = true;
  /// It allocates through other allocators, which a prediction and the runtime see for themselves.
  bool Inside = false;
};

} // namespace memshape
