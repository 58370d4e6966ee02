// What follows from operands alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An answer is exact where every value that reaches a size or a branch is a function of shape, settings, constants and
// named facts of the machine. This is the list of what is such a function of its operands, and of the memory that it
// reads. What is not on the list is undetermined: data flow treats it as it treats the contents of tensors.

#pragma once

#include "memory/PointsTo.h"
#include "llvm/ADT/DenseSet.h"

namespace memshape {

/// Of an address as a number.
inline constexpr unsigned AddressBits = 64;

class Determined {
public:
  Determined(const llvm::Module &M, const llvm::Function &Root, const PointsTo &Memory);

  /// I's result follows from its operands and the memory it reads. Results of calls that leave the module are the
  /// business of their summaries.
  bool follows(const llvm::Instruction &I) const;

  /// I stands in the program's own source, which is no header of a library that is installed.
  bool isInProgramsFile(const llvm::Instruction &I) const;

private:
  using Pointees = llvm::SmallSetVector<unsigned, 4>;
  bool followsFromFloats(const llvm::Instruction &I) const;
  bool followsFromCall(const llvm::CallBase &Call) const;
  bool followsFromAsm(const llvm::CallBase &Call) const;
  bool isInOperatorFile(const llvm::Instruction &I) const;
  bool comparesDetermined(const llvm::CmpInst &Compare) const;
  bool callerMayPassOne(const Pointees &One, const Pointees &Other, const llvm::CmpInst &Compare) const;
  bool meetsFreedBlock(const llvm::Instruction &At) const;
  bool distanceIsDetermined(const llvm::Value *From, const llvm::Value *To, const llvm::Instruction &By) const;
  using Objects = llvm::DenseSet<unsigned>;
  bool mayBeOfEarlierCall(const llvm::Value *Pointer, const Objects &Left) const;
  bool isKept(const llvm::LoadInst &Load, const Objects &Left) const;
  bool readsOfEarlierThread(const llvm::LoadInst &Load) const;
  bool meetsEarlierCall(const llvm::Value *One, const llvm::Value *Other, bool MayBeFreed) const;
  /// What a number that comes from an address is used for.
  enum class AddressUse {
    Harmless, ///< an address again, a distance, or bits that alignment gives
    Followed, ///< another number that comes from the address
    Number    ///< one that tells where memory lies
  };
  /// What is left of an address in a number that comes from it.
  struct AddressPart {
    unsigned LostBits = 0; ///< at the low end
    bool Turned = false;   ///< its sign, or some of its bits: a difference to another address is no distance
  };
  AddressUse useOfAddress(const llvm::Use &U, const llvm::Instruction &Address, AddressPart &Is) const;
  bool keepsLowBits(const llvm::Instruction &Address, const llvm::ConstantInt *Mask, bool IsModulus,
                    unsigned LostBits) const;
  bool movesWhole(const llvm::Instruction &I) const;
  void findNumbersOf(const llvm::Instruction &Address);
  bool roundsAddress(const llvm::Instruction &I) const;
  void findDistancesOf(const llvm::Instruction &Rounded);
  void findMoreThanSignOf(const llvm::CallBase &Comparison);
  bool isPrivateMemory(const llvm::Value *Pointer) const;

  const PointsTo &Memory;
  mutable llvm::DenseMap<const llvm::DIFile *, bool> OfProgram; ///< as far as it was asked
  llvm::StringRef OperatorFile;      ///< the source file that defines the operator, "" where unknown
  bool IsBuilder = false;            ///< the root builds objects for the operator, in which pointers are there
  bool SetsFloatEnvironment = false; ///< some call changes rounding or exceptions of floating-point arithmetic
  llvm::SmallVector<const llvm::CallBase *, 8> Frees; ///< calls that free a block, or move it
  Objects Kept;                                       ///< what variables outside of functions lead to
  Objects KeptByAll;                                  ///< what those lead to that all threads share
  Objects KnownElsewhere; ///< arguments that memory may lead to which the module does not show
  /// Numbers made from addresses that do not cancel, addresses that leave sight as numbers, and what is made of a result
  /// of which the sign alone is certain.
  llvm::DenseSet<const llvm::Instruction *> Uncertain;
};

} // namespace memshape
