// Which values are undetermined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows data through values and memory: from tensors on, and from all that is not known to be determined
// (Determined.h), such as numbers made from addresses. A comparison ends the flow: its outcome, a truth value, is
// what can be decided one way or the other, so it is where the slice is cut. Everything behind it is computed from the
// decision.

#pragma once

#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "llvm/ADT/DenseSet.h"

namespace memshape {

/// What Writer, a store, leaves may be more than a character: a capacity lies where short strings have theirs.
bool mayBeCapacity(const llvm::Instruction &Writer);

class DataFlow {
public:
  DataFlow(llvm::Module &M, const llvm::Function &Root, const PointsTo &Memory, ModRefIndex &Accesses);
  /// No value is data.
  DataFlow() = default;

  /// V is known only when data is.
  bool isData(const llvm::Value *V) const { return Data.contains(V); }

  /// V is data that does not come from other data: it is read from a tensor, or from an address.
  bool isSource(const llvm::Value *V) const { return Data.contains(V) && !Causes.lookup(V); }

  /// I yields a truth value (or a vector of them) from data: a branch decision, should it matter.
  bool isVerdict(const llvm::Instruction *I) const { return Verdicts.contains(I); }

  /// I writes data to memory.
  bool writesData(const llvm::Instruction *I) const {
    auto At = DataWriters.find(I);
    return At != DataWriters.end() && At->second.areAny();
  }

  /// Writes of data that a number which asks for taint could meet.
  const llvm::DenseSet<const llvm::Instruction *> &tainting() const { return Tainting; }

  /// How data came to V: V's cause, the cause's cause and so on, up to the instruction that reads a tensor.
  llvm::SmallVector<const llvm::Value *, 8> path(const llvm::Value *V) const;

private:
  void mark(const llvm::Value *V, const llvm::Value *Cause);
  void markWrites(const llvm::Instruction &I, AccessType As, const llvm::Value *Cause);
  void markCharacters(const llvm::Instruction &I, const llvm::Value *Cause);
  void visitUser(const llvm::Value *V, const llvm::Instruction &User);
  void readsAddress(const llvm::Instruction &Load);
  void readsData(const llvm::Instruction &Reader, AccessType As, const llvm::Value *Cause);
  void readsData(const ModRef &Read, AccessType As, const llvm::Instruction *Writer);

  const PointsTo *Memory = nullptr;
  ModRefIndex *Accesses = nullptr;
  ModRefIndex::Rest Readers; ///< that are not known to read data
  llvm::DenseSet<const llvm::Value *> Data;
  llvm::DenseSet<const llvm::Instruction *> Verdicts;
  llvm::DenseSet<const llvm::Instruction *> Tainting;
  llvm::DenseMap<const llvm::Instruction *, AccessTypes> DataWriters; ///< as what they write data
  llvm::DenseSet<const llvm::Instruction *> CharacterWriters;         ///< of data, among what they write
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> Causes;
  llvm::SmallVector<const llvm::Value *, 64> Work;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<const llvm::CallBase *, 4>> Callers;
};

} // namespace memshape
