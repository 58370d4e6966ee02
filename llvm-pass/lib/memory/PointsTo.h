// Which objects a pointer can reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusion-based (Andersen) points-to analysis over a whole skeleton module: flow-insensitive, sensitive to constant
// offsets, calls resolved on the way. After flattening, an allocation call is its own calling context.
//
//     PointsToGraph.cpp      objects, what is stored in them, what values can mean
//     PointsTo.cpp           instructions are looked at until nothing changes; questions about calls
//     TransferFunctions.cpp  what an instruction does to the graph; PointerArithmetic.cpp: indices and integers
//     LibraryEffects.cpp     what calls that leave the module do, by their summaries; LibraryMemory.cpp: closed
//                            libraries with headers and contents; LinkedMemory.cpp: nodes and holders of buffers

#pragma once

#include "libraries/Summaries.h"
#include "memory/PointsToGraph.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IntrinsicInst.h"

namespace memshape {

class PointsTo : public PointsToGraph {
public:
  /// Analyses M; pointer arguments of Root are tensors. Gives up after Budget steps, each the look at one instruction
  /// or one place (some 10 ns): see isComplete.
  PointsTo(llvm::Module &M, llvm::Function &Root, uint64_t Budget);

  /// False when the budget did not suffice; nothing else may be asked then.
  bool isComplete() const { return Work.empty(); }
  /// What it took.
  uint64_t steps() const { return Taken; }

  /// Call goes through a pointer that is never set: it cannot be reached with a valid pointer.
  bool isDeadCall(const llvm::CallBase &Call) const;

  /// Whether Call, a dynamic_cast, succeeds, for all objects that it can be given; nothing where that is not known.
  std::optional<bool> castSucceeds(const llvm::CallBase &Call) const;

  /// The operator's argument that Call goes to, where it goes to no other functions than those that the caller passes.
  const llvm::Argument *callersFunction(const llvm::CallBase &Call) const;

  /// Call is of a function that the program chooses and that gives back no pointer: it is taken to request no memory.
  bool requestsNothing(const llvm::CallBase &Call) const;

  /// Functions of ours that Call hands to code that nobody sees but in its summary S: they may be called back.
  llvm::SmallVector<const llvm::Function *, 2> calledBack(const llvm::CallBase &Call, const Summary &S) const;
  bool mayCallBack(const llvm::CallBase &Call, const Summary &S) const { return !calledBack(Call, S).empty(); }

  /// Functions with bodies that Call may call, directly or through a pointer; Complete is false if others may be called
  /// too.
  llvm::SmallVector<llvm::Function *, 2> callees(const llvm::CallBase &Call, bool &Complete) const;

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
  void solve(llvm::Module &M, llvm::Function &Root, uint64_t Budget);
  void markChanged(const llvm::Module &M, const llvm::Function &Root);

  // TransferFunctions.cpp
  void visit(const llvm::Instruction &I);
  void visitLoad(const llvm::LoadInst &Load);
  void visitStore(const llvm::StoreInst &Store);
  void visitAtomic(const llvm::Instruction &I);
  void visitCopy(const llvm::Instruction &I, const llvm::Value *To, const llvm::Value *From, uint64_t Bytes);
  void visitCall(const llvm::CallBase &Call);
  void declareData(Place T);
  bool visitRunnerCall(const llvm::CallBase &Call);
  void visitAssembly(const llvm::CallBase &Call, const llvm::InlineAsm &Asm);
  void visitIntrinsic(const llvm::IntrinsicInst &Call);
  void visitCallees(const llvm::CallBase &Call);

  // PointerArithmetic.cpp
  void visitIndex(const llvm::GetElementPtrInst &Gep);
  void visitPhi(const llvm::PHINode &Phi);
  void addArithmetic(const llvm::Instruction &I);
  bool isDistance(const llvm::Instruction &I) const;
  int64_t distanceStep(const llvm::Value *Index) const;

  // ObjectClasses.cpp
  void visitDynamicCast(const llvm::CallBase &Call);
  /// The places that argument N of Call can mean where Callee is called.
  PlaceSet givenTo(const llvm::Function &Callee, const llvm::CallBase &Call, unsigned N);
  bool hasFunction(Place Object, int64_t Slot, const llvm::Function &Callee) const;

  // LibraryEffects.cpp
  void visitUnseenCall(const llvm::CallBase &Call);

  // LibraryMemory.cpp
  Summary virtualSummary(const llvm::CallBase &Call) const;
  void visitLibraryCall(const llvm::CallBase &Call);
  bool openLibrary();
  bool giveToLibrary(unsigned Id);
  void giveWaiting();
  bool learnElements(const llvm::CallBase &Call);

  // LinkedMemory.cpp
  void visitLinks(const llvm::CallBase &Call);
  void visitHolders(const llvm::CallBase &Call, const BufferHolder &Holder);
  bool learnParts(const llvm::Module &M);

  uint64_t Taken = 0; ///< in all iterations
  llvm::DenseMap<const llvm::Function *, llvm::SmallSetVector<const llvm::CallBase *, 4>> Callers;
  llvm::DenseMap<const llvm::Instruction *, PlaceSet> Written; ///< by copy, where it wrote to when it was last visited
  llvm::SetVector<unsigned> Waiting; ///< blocks that a library was given; looked at when their elements are known
  llvm::SetVector<const llvm::Instruction *> Differences; ///< of pointers; looked at when everything else is known
  mutable std::optional<llvm::StringMap<AccessType>> PointerTypes; ///< of accesses, by name
  mutable llvm::DenseMap<std::pair<const llvm::MemTransferInst *, AccessType>, AccessType>
      AfterCopies; ///< as far as asked
};

/// Argument of Call is a reference to an object that holds a buffer.
bool isHolder(const llvm::CallBase &Call, unsigned Argument, const BufferHolder &Holder);

/// Call is a dynamic_cast of the Itanium C++ ABI.
bool isDynamicCast(const llvm::CallBase &Call);

/// I subtracts two pointers, a constant more or less.
bool isDifference(const llvm::Instruction &I);

/// Call's function comes from a table to which one of its arguments leads, as that of a class does.
bool isVirtual(const llvm::CallBase &Call);

/// The variable that Call's function is read from, where nothing comes of the call: a message, or progress.
const llvm::GlobalVariable *listenerOf(const llvm::CallBase &Call);

} // namespace memshape
