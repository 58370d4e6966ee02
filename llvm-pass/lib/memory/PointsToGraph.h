// Objects, and the pointers stored in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who points to whom: for each value the places that it can mean, for each object the pointers that are stored in it,
// by place and type. Sets only grow. Whoever has to look again when one has grown is put on the worklist.

#pragma once

#include "memory/AccessType.h"
#include "memory/Place.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <map>

namespace memshape {

class PointsToGraph {
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
    bool HoldsData = false;         ///< some of it is declared so, perhaps behind a header
    bool Escapes = false;           ///< unknown code may read and write it
    bool IsLent = false;            ///< a number that the caller hands over by its address
    bool IsHeader = false;          ///< a closed library keeps sizes and pointers there: see visitLibraryCall
    llvm::Type *Elements = nullptr; ///< a block whose elements are of this class of a library; null for others

    /// A tensor that the source does not promise (restrict) to be apart from all others, a variable of others, or what the
    /// caller lends: it may pass one as the other.
    bool mayOverlap() const;
  };

  /// T and what follows it in the same part of its object: see Layout.h.
  Place upwardsOf(Place T) const;

  /// Targets of pointer V (or of the pointers inside V). A pointer of unknown origin has the target anywhere(0); one
  /// without targets is null or never set.
  PlaceSet targets(const llvm::Value *V) const;

  const Object &object(unsigned Id) const { return Objects[Id]; }
  unsigned objectCount() const { return Objects.size(); }

  /// Of Bytes bytes at V, 0 for an unknown number, which are read under type As, some may be those of an address that
  /// was stored there.
  bool holdAddress(const llvm::Value *V, uint64_t Bytes, AccessType As) const;

  /// Objects that can be reached from V by following pointers, those V points to included.
  llvm::SmallSetVector<unsigned, 8> reachable(const llvm::Value *V) const;

  /// Objects that variables lead to from one call to the next; without OfThreads, those alone that all threads have.
  llvm::DenseSet<unsigned> kept(bool OfThreads = true) const;

protected:
  /// Adds what can be reached from these objects.
  void addReachable(llvm::SmallSetVector<unsigned, 8> &From) const;

  explicit PointsToGraph(const llvm::DataLayout &DL) : DL(DL) {}

  /// Where a pointer is stored, and under which type.
  using Cell = std::pair<Place, AccessType>;
  struct Memory {
    std::map<Cell, PlaceSet> Cells; ///< pointers stored
    llvm::SmallSetVector<const llvm::Instruction *, 4> Readers;
    bool IsOneCell = false; ///< too many for each to be one of its own
    unsigned Version = 1;   ///< another one when what a reader finds is another
  };

  /// Forgets all but Parts.
  void clear();
  unsigned objectFor(ObjectKind Kind, const llvm::Value *Origin);
  void addGlobals(llvm::Module &M);
  Extent partAt(Place T) const;
  /// True where Into grows, here and below.
  bool add(PlaceSet &Into, const PlaceSet &From) const;
  bool addTo(const llvm::Value *V, const PlaceSet &From);
  void store(Cell At, const PlaceSet &Pointers);
  bool load(PlaceSet &Into, Cell From, uint64_t Bytes) const;
  void addLoaded(const llvm::Value *V, Cell From, uint64_t Bytes);
  /// Reader reads at At: it looks again when that changes. False where it has seen all that is there.
  bool read(const llvm::Instruction &Reader, Place At);
  /// Who reads the object looks again.
  void pushReaders(Memory &M);
  /// Unknown code gets all that V points to.
  void escape(const llvm::Value *V);
  void escapeObject(unsigned Id);
  /// Instructions of F are looked at: somebody may call it.
  void reach(const llvm::Function &F);
  bool isReached(const llvm::Function &F) const { return Reached.contains(&F); }
  /// Users of V are looked at again.
  void pushUsers(const llvm::Value *V);
  /// What is kept in memory may mean something else now.
  void visitReaders();

  const llvm::DataLayout &DL;
  mutable uint64_t Steps = 0;
  std::vector<Object> Objects;
  std::vector<Memory> Memories;
  llvm::DenseMap<const llvm::Value *, unsigned> Ids;
  llvm::DenseMap<const llvm::Value *, PlaceSet> Sets;
  llvm::SetVector<const llvm::Instruction *> Work;
  llvm::DenseMap<const llvm::Instruction *, std::map<Place, unsigned>> Seen; ///< by reader, the version of each object
  llvm::DenseSet<const llvm::Function *> Reached; ///< the others stand in tables, and nobody calls them
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Extent, 2>> Parts; ///< of blocks: small buffers of holders
  bool Settled = false;           ///< objects whose class is not known by now are of one that nobody shows
  mutable bool Postponed = false; ///< the class of some object was not known
  PlaceSet Contents, Headers;     ///< what pointers inside a library's objects mean; empty without library calls

private:
  void addInitializer(Place At, const llvm::Constant &C, const llvm::DataLayout &DL);
  PlaceSet constantTargets(const llvm::Constant &C) const;
  bool addLibraryPointers(PlaceSet &Into, Place From, uint64_t Bytes) const; ///< LibraryMemory.cpp
};

/// What is read as As from a variable says of which class it is: others that set what it holds do not change that.
bool saysClass(const PointsToGraph::Object &O, AccessType As);

/// Values of type T can carry pointers: pointers, 64-bit integers, and vectors and structures of them.
bool carriesPointers(const llvm::Type *T);

} // namespace memshape
