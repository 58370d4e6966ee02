// Which variables are live at a place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of a function that stayed in memory, cut into cells: bytes that are read together. A cell is live where
// it may be read before it is completely overwritten. Dead cells are not part of the state: objects that were
// destroyed, fields that are not yet initialised.

#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace memshape {

class FrameCells {
public:
  /// Reads by Ignored do not make a cell live.
  FrameCells(llvm::Function &F, const llvm::SmallPtrSetImpl<const llvm::Instruction *> &Ignored);

  struct Cell {
    llvm::AllocaInst *Variable;
    uint64_t Offset, Bytes;
  };
  llvm::ArrayRef<Cell> cells() const { return Cells; }
  /// One bit per cell: whether it is live before Place.
  llvm::BitVector liveBefore(const llvm::Instruction &Place) const;

private:
  /// Bytes of a variable; all of it where Bytes is 0.
  struct Part {
    llvm::AllocaInst *Variable;
    uint64_t Offset = 0, Bytes = 0;
  };
  struct Access {
    llvm::SmallVector<Part, 2> Reads;
    llvm::SmallVector<Part, 1> Overwrites;
    bool ReadsUnknown = false; ///< it also reads through unknown pointers
  };
  Access accessOf(llvm::Instruction &I) const;
  void readThrough(llvm::Value *Pointer, uint64_t Bytes, Access &A) const;
  bool exactPart(llvm::Value *Pointer, uint64_t Bytes, Part &P) const;
  void cut();
  void stepBack(const llvm::Instruction &I, llvm::BitVector &Live) const;
  llvm::BitVector through(const llvm::BasicBlock &BB, const llvm::Instruction *DownTo) const;

  llvm::Function &F;
  const llvm::DataLayout &Layout;
  llvm::SmallVector<llvm::AllocaInst *, 16> Variables;
  llvm::DenseMap<const llvm::Instruction *, Access> Accesses;
  llvm::SmallVector<Cell, 32> Cells;
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<unsigned, 4>> CellsOf;
  llvm::BitVector Escaped; ///< cells of variables whose address is stored or passed on
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> LiveIn;
};

} // namespace memshape
