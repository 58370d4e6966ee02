// Who reads and writes which memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every access to memory of a skeleton module, indexed by the objects it can meet. Answers: which writes can a read
// see?

#pragma once

#include "memory/AccessType.h"
#include "memory/PointsTo.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include <memory>

namespace memshape {

class BuildsArguments;

/// One access of one instruction.
struct ModRef {
  llvm::Instruction *By;
  const llvm::Value *Pointer;
  uint64_t Bytes; ///< 0 for an unknown length
  bool Reads;
  bool Writes;
  bool Reaches;           ///< also everything reachable from there (calls)
  bool WritesData;        ///< what is written is unknown: data
  unsigned LinkBytes = 0; ///< not 0: all nodes of a linked structure, this many bytes of each
  /// Of what a closed library reaches: its headers; other objects that it is handed by reference; everything else; the
  /// variables among that, which are small, so that what is known of their contents is kept; arrays of extents. Or the
  /// buffers that the objects at Pointer hold; the same, and what may be characters at Pointer, of a function to which
  /// characters are all alike.
  enum PartOf { All, Headers, Direct, Contents, Variables, Extents, Buffer, AnyBuffer, AnyCharacters };
  PartOf Part = All;
  AccessType Type = nullptr; ///< under which a single value is read or written; null: any

  bool isOfBuffers() const { return Part == Buffer || Part == AnyBuffer; }
  /// What is there makes no difference to the function, unless it is a capacity.
  bool isOfAnyCharacters() const { return Part == AnyBuffer || Part == AnyCharacters; }
};

class ModRefIndex {
public:
  ModRefIndex(llvm::Module &M, llvm::Function &Root, const PointsTo &Memory);
  ~ModRefIndex();

  llvm::ArrayRef<ModRef> of(const llvm::Instruction *I) const;

  using Visitor = llvm::function_ref<void(const ModRef &)>;
  using Filter = llvm::function_ref<bool(const llvm::Instruction *)>;
  /// Of one client whose filter answers for more and more instructions and takes none back: what is left to look at, by
  /// object. Without, each write of a tensor would look at all that read it.
  struct Rest {
    llvm::DenseMap<unsigned, llvm::SmallVector<const ModRef *, 4>> ByObject;
  };
  /// Calls F for each touch that writes what Read can see; instructions that Known answers for are passed over, which
  /// saves the alias query.
  void forWritersOf(const ModRef &Read, Filter Known, Visitor F, Rest *Left = nullptr);
  void forWritersOf(const ModRef &Read, Visitor F) {
    forWritersOf(Read, [](const llvm::Instruction *) { return false; }, F);
  }
  /// Calls F for each touch that reads what Write can leave.
  void forReadersOf(const ModRef &Write, Filter Known, Visitor F, Rest *Left = nullptr);

  /// Objects that T can meet.
  llvm::ArrayRef<unsigned> objectsOf(const ModRef &T) const { return reachOf(T).Objects; }

  /// Nobody writes what Load reads, in memory that was made where arguments are built: others have set it.
  bool readsUnset(const llvm::LoadInst &Load);

private:
  void add(llvm::Instruction &I, const llvm::Value *Pointer, uint64_t Bytes, bool Reads, bool Writes);
  void collect(llvm::Instruction &I);
  void collectIntrinsic(llvm::CallBase &Call);
  void collectUnseenCall(llvm::CallBase &Call);
  void collectHolders(llvm::CallBase &Call);
  void collectLibraryCall(llvm::CallBase &Call);
  llvm::SmallVector<unsigned, 8> reached(const ModRef &T) const;
  bool isMoved(const llvm::Value *Pointer);
  bool canMeet(const ModRef &Read, const ModRef &Write);
  bool typesAllow(const ModRef &One, const ModRef &Other);
  bool keepsNothing(const llvm::CallBase &Call) const;
  const BuildsArguments &building();
  bool isOfThisCall(const llvm::Instruction &Maker, unsigned Object, const llvm::Instruction &By);
  bool comesTooLate(const ModRef &Write, const ModRef &Read, unsigned Object);
  void forOthers(const ModRef &T, bool WantWriters, Filter Known, Visitor F, Rest *Left);

  const PointsTo &Memory;
  llvm::Function &Root;
  std::unique_ptr<BuildsArguments> Built;       ///< once it is asked for
  std::optional<llvm::DenseSet<unsigned>> Kept; ///< objects that variables of the program lead to
  struct Analyses;
  std::unique_ptr<Analyses> A;
  std::vector<ModRef> All;
  llvm::DenseMap<const llvm::Instruction *, std::pair<unsigned, unsigned>> Ranges; ///< first and last + 1 in All
  /// What an access can meet.
  struct Reached {
    llvm::SmallVector<unsigned, 4> Objects;
    PlaceSet Places;
    llvm::MemoryLocation Location;
  };
  size_t numberOf(const ModRef &T) const { return size_t(&T - All.data()); }
  const Reached &reachOf(const ModRef &T) const { return Reach[numberOf(T)]; }

  std::vector<Reached> Reach; ///< of each of All
  std::vector<llvm::SmallVector<const ModRef *, 4>> ByObject;
  llvm::SmallVector<unsigned, 8> SharedTensors; ///< tensors that may lie in one another
};

} // namespace memshape
