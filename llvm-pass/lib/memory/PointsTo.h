//===- PointsTo.h - Which objects a pointer can reach ---------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inclusion-based (Andersen) points-to analysis over a whole skeleton module: flow-insensitive, sensitive to constant
// offsets, calls resolved on the way. After flattening, an allocation call is its own calling context.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_POINTSTO_H
#define MEMSHAPE_POINTSTO_H

#include "libraries/Summaries.h"
#include "memory/AccessType.h"
#include "memory/Place.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>

namespace memshape {

class PointsTo {
public:
  enum class ObjectKind {
    Unknown, ///< object 0: all memory that the module does not show
    Stack,
    Global,
    Heap,
    Function,
    Tensor, ///< data handed in by the caller
    Library ///< memory that a closed library keeps: contents (data), or headers
  };

  struct Object {
    ObjectKind Kind;
    const llvm::Value *Origin;      ///< alloca, global, allocating call, function or argument; null for Unknown
    bool IsData = false;            ///< declared as data: Tensor objects, and those given to memshape_data
    bool Escapes = false;           ///< unknown code may read and write it
    bool IsHeader = false;          ///< a closed library keeps sizes and pointers there: see visitLibraryCall
    llvm::Type *Elements = nullptr; ///< a block whose elements are of this class of a library; null for others

    /// A tensor that the source does not promise (restrict) to be apart from all others, or a variable of others: the
    /// caller may pass one as the other.
    bool mayOverlap() const;
  };

  /// T and what follows it in the same part of its object: see Layout.h.
  Place upwardsOf(Place T) const;

  /// Analyses M; pointer arguments of Root are tensors. Gives up after Budget steps, each the look at one instruction
  /// or one place (some 10 ns): see isComplete.
  PointsTo(llvm::Module &M, llvm::Function &Root, uint64_t Budget);

  /// False when the budget did not suffice; nothing else may be asked then.
  bool isComplete() const { return Work.empty(); }
  /// What it took.
  uint64_t steps() const { return Taken; }

  /// Targets of pointer V (or of the pointers inside V). A pointer of unknown origin has the target anywhere(0); one
  /// without targets is null or never set.
  PlaceSet targets(const llvm::Value *V) const;

  const Object &object(unsigned Id) const { return Objects[Id]; }
  unsigned objectCount() const { return Objects.size(); }

  /// Call goes through a pointer that is never set: it cannot be reached with a valid pointer.
  bool isDeadCall(const llvm::CallBase &Call) const;

  /// Call hands a function of ours to code that nobody sees but in its summary S: it may be called back.
  bool mayCallBack(const llvm::CallBase &Call, const Summary &S) const;

  /// Functions with bodies that Call may call, directly or through a pointer; Complete is false if others may be called
  /// too.
  llvm::SmallVector<llvm::Function *, 2> callees(const llvm::CallBase &Call, bool &Complete) const;

  /// Objects that can be reached from V by following pointers, those V points to included.
  llvm::SmallSetVector<unsigned, 8> reachable(const llvm::Value *V) const;

  /// Places of the nodes linked with those that V points to, by pointers in their first bytes, as the summary of Call
  /// says.
  PlaceSet linked(const llvm::Value *V, const llvm::CallBase &Call) const;

  /// The type of bytes written as T after Copy.
  AccessType typeAfter(AccessType T, const llvm::MemTransferInst &Copy) const;

  /// The type under which the module accesses pointers to LinkType; null where it does not tell.
  AccessType linkType(const llvm::CallBase &Call) const;

  /// The contents of the buffers that the objects at V hold.
  PlaceSet buffersOf(const llvm::Value *V, const BufferHolder &Holder) const;

  /// The summary of a call that leaves the module: of its callee, or of a function of a library that an object of the
  /// library's own names (a virtual function).
  Summary summaryFor(const llvm::CallBase &Call) const;

  /// Objects that closed libraries may fill with data: their own, and those that they were given.
  llvm::ArrayRef<Place> libraryContents() const { return Contents; }

private:
  /// Where a pointer is stored, and under which type.
  using Cell = std::pair<Place, AccessType>;
  struct Memory {
    std::map<Cell, PlaceSet> Cells; ///< pointers stored
    llvm::SmallSetVector<const llvm::Instruction *, 4> Readers;
  };

  Summary virtualSummary(const llvm::CallBase &Call) const;
  unsigned objectFor(ObjectKind Kind, const llvm::Value *Origin);
  void addGlobals(llvm::Module &M);
  void addInitializer(Place At, const llvm::Constant &C, const llvm::DataLayout &DL);
  PlaceSet constantTargets(const llvm::Constant &C) const;
  bool add(PlaceSet &Into, const PlaceSet &From) const;
  Extent partAt(Place T) const;
  bool addTo(const llvm::Value *V, const PlaceSet &From);
  void store(Cell At, const PlaceSet &Pointers);
  bool load(PlaceSet &Into, Cell From, uint64_t Bytes) const;
  void addLoaded(const llvm::Value *V, Cell From, uint64_t Bytes);
  void escape(const llvm::Value *V);
  void escapeObject(unsigned Id);
  void visit(const llvm::Instruction &I);
  void visitCall(const llvm::CallBase &Call);
  void visitLibraryCall(const llvm::CallBase &Call);
  bool addLibraryPointers(PlaceSet &Into, Place From, uint64_t Bytes) const;
  bool openLibrary();
  bool giveToLibrary(unsigned Id);
  void giveWaiting();
  void visitReaders();
  bool learnElements(const llvm::CallBase &Call);
  void visitLinks(const llvm::CallBase &Call);
  void visitHolders(const llvm::CallBase &Call, const BufferHolder &Holder);
  void visitCopy(const llvm::Instruction &I, const llvm::Value *To, const llvm::Value *From, uint64_t Bytes);
  void pushUsers(const llvm::Value *V);
  void visitIndex(const llvm::GetElementPtrInst &Gep);
  void visitPhi(const llvm::PHINode &Phi);
  void addArithmetic(const llvm::Instruction &I);
  void solve(llvm::Module &M, llvm::Function &Root, uint64_t Budget);
  bool learnParts(const llvm::Module &M);
  bool isDistance(const llvm::Instruction &I) const;
  int64_t distanceStep(const llvm::Value *Index) const;

  const llvm::DataLayout &DL;
  mutable uint64_t Steps = 0;
  uint64_t Taken = 0; ///< in all iterations
  std::vector<Object> Objects;
  std::vector<Memory> Memories;
  llvm::DenseMap<const llvm::Value *, unsigned> Ids;
  llvm::DenseMap<const llvm::Value *, PlaceSet> Sets;
  llvm::DenseMap<const llvm::Function *, llvm::SmallSetVector<const llvm::CallBase *, 4>> Callers;
  llvm::SetVector<const llvm::Instruction *> Work;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Extent, 2>> Parts; ///< of blocks: small buffers of holders
  llvm::SetVector<unsigned> Waiting; ///< blocks that a library was given; looked at when their elements are known
  llvm::SetVector<const llvm::Instruction *> Differences; ///< of pointers; looked at when everything else is known
  mutable std::optional<llvm::StringMap<AccessType>> PointerTypes; ///< of accesses, by name
  bool Settled = false;           ///< objects whose class is not known by now are of one that nobody shows
  mutable bool Postponed = false; ///< the class of some object was not known
  PlaceSet Contents, Headers;     ///< what pointers inside a library's objects mean; empty without library calls
};

/// Argument of Call is a reference to an object that holds a buffer.
bool isHolder(const llvm::CallBase &Call, unsigned Argument, const BufferHolder &Holder);

/// I subtracts two pointers, a constant more or less.
bool isDifference(const llvm::Instruction &I);

/// Values of type T can carry pointers: pointers, 64-bit integers, and vectors and structures of them.
bool carriesPointers(const llvm::Type *T);

} // namespace memshape

#endif // MEMSHAPE_POINTSTO_H
