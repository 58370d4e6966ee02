//===- Allocators.cpp - Calls that allocate and free ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/Allocators.h"
#include "libraries/Summaries.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace memshape {

StringRef spaceName(Space S) {
  switch (S) {
  case Space::Host:
    return "host";
  case Space::Device:
    return "device";
  case Space::Pinned:
    return "pinned";
  case Space::Managed:
    return "managed";
  case Space::Stack:
    return "stack";
  case Space::Mapped:
    return "mapped";
  }
  return "host";
}

namespace {

/// Argument positions of an allocation function; -1 for none.
struct Signature {
  AllocationKind Kind;
  const char *Name;
  Space In;
  int Size, Count, Alignment, Block;
  enum { Plain = 0, Zeroed = 1, NewRules = 2, AlignedNewRules = 4 };
  unsigned Rules;
};

using K = AllocationKind;

const StringMap<Signature> &table() {
  static const StringMap<Signature> Table = [] {
    StringMap<Signature> T;
    auto Add = [&](std::initializer_list<const char *> Symbols, Signature S) {
      for (const char *Symbol : Symbols)
        T[Symbol] = S;
    };
    const Space H = Space::Host;
    Add({"malloc", "__libc_malloc"}, {K::Allocate, "malloc", H, 0, -1, -1, -1, Signature::Plain});
    Add({"valloc"}, {K::Allocate, "valloc", H, 0, -1, -1, -1, Signature::Plain});
    Add({"pvalloc"}, {K::Allocate, "pvalloc", H, 0, -1, -1, -1, Signature::Plain});
    Add({"calloc", "__libc_calloc"}, {K::Allocate, "calloc", H, 0, 1, -1, -1, Signature::Zeroed});
    Add({"aligned_alloc"}, {K::Allocate, "aligned_alloc", H, 1, -1, 0, -1, Signature::Plain});
    Add({"memalign"}, {K::Allocate, "memalign", H, 1, -1, 0, -1, Signature::Plain});
    Add({"posix_memalign"}, {K::Store, "posix_memalign", H, 2, -1, 1, -1, Signature::Plain});
    Add({"realloc"}, {K::Reallocate, "realloc", H, 1, -1, -1, 0, Signature::Plain});
    Add({"reallocarray"}, {K::Reallocate, "reallocarray", H, 1, 2, -1, 0, Signature::Plain});
    Add({"free", "cfree", "__libc_free"}, {K::Release, "free", H, -1, -1, -1, 0, Signature::Plain});

    // Itanium manglings of operator new and delete; m and j are size_t of 64 and 32 bits.
    Add({"_Znwm", "_ZnwmRKSt9nothrow_t", "_Znwj", "_ZnwjRKSt9nothrow_t"},
        {K::Allocate, "operator new", H, 0, -1, -1, -1, Signature::NewRules});
    Add({"_Znam", "_ZnamRKSt9nothrow_t", "_Znaj", "_ZnajRKSt9nothrow_t"},
        {K::Allocate, "operator new[]", H, 0, -1, -1, -1, Signature::NewRules});
    Add({"_ZnwmSt11align_val_t", "_ZnwmSt11align_val_tRKSt9nothrow_t"},
        {K::Allocate, "operator new", H, 0, -1, 1, -1, Signature::NewRules | Signature::AlignedNewRules});
    Add({"_ZnamSt11align_val_t", "_ZnamSt11align_val_tRKSt9nothrow_t"},
        {K::Allocate, "operator new[]", H, 0, -1, 1, -1, Signature::NewRules | Signature::AlignedNewRules});
    Add({"_ZdlPv", "_ZdlPvm", "_ZdlPvj", "_ZdlPvRKSt9nothrow_t", "_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t",
         "_ZdlPvSt11align_val_tRKSt9nothrow_t"},
        {K::Release, "operator delete", H, -1, -1, -1, 0, Signature::Plain});
    Add({"_ZdaPv", "_ZdaPvm", "_ZdaPvj", "_ZdaPvRKSt9nothrow_t", "_ZdaPvSt11align_val_t", "_ZdaPvmSt11align_val_t",
         "_ZdaPvSt11align_val_tRKSt9nothrow_t"},
        {K::Release, "operator delete[]", H, -1, -1, -1, 0, Signature::Plain});

    // FFTW's allocators hand their size to the heap unchanged (kernel/kalloc.c: memalign or malloc of n bytes).
    Add({"fftw_malloc", "fftwf_malloc", "fftwl_malloc"},
        {K::Allocate, "fftw_malloc", H, 0, -1, -1, -1, Signature::Plain});
    Add({"fftw_free", "fftwf_free", "fftwl_free"}, {K::Release, "fftw_free", H, -1, -1, -1, 0, Signature::Plain});

    // CUDA and HIP runtimes, by name. 2-D and 3-D forms pad rows by an amount only the device knows: not here.
    for (const char *Vendor : {"cuda", "hip"}) {
      auto Named = [&](const char *Rest, Signature S) { T[(Twine(Vendor) + Rest).str()] = S; };
      Named("Malloc", {K::Store, "device malloc", Space::Device, 1, -1, -1, -1, Signature::Plain});
      Named("MallocAsync", {K::Store, "device malloc", Space::Device, 1, -1, -1, -1, Signature::Plain});
      Named("MallocManaged", {K::Store, "managed malloc", Space::Managed, 1, -1, -1, -1, Signature::Plain});
      Named("MallocHost", {K::Store, "pinned malloc", Space::Pinned, 1, -1, -1, -1, Signature::Plain});
      Named("HostAlloc", {K::Store, "pinned malloc", Space::Pinned, 1, -1, -1, -1, Signature::Plain});
      Named("HostMalloc", {K::Store, "pinned malloc", Space::Pinned, 1, -1, -1, -1, Signature::Plain});
      Named("Free", {K::Release, "device free", Space::Device, -1, -1, -1, 0, Signature::Plain});
      Named("FreeAsync", {K::Release, "device free", Space::Device, -1, -1, -1, 0, Signature::Plain});
      Named("FreeHost", {K::Release, "pinned free", Space::Pinned, -1, -1, -1, 0, Signature::Plain});
      Named("HostFree", {K::Release, "pinned free", Space::Pinned, -1, -1, -1, 0, Signature::Plain});
    }
    return T;
  }();
  return Table;
}

/// Bytes of one element for FFTW's typed allocators; 0 for other functions.
unsigned fftwElementSize(StringRef Name) {
  unsigned Real = Name.consume_front("fftwf_")   ? 4
                  : Name.consume_front("fftwl_") ? 16
                  : Name.consume_front("fftw_")  ? 8
                                                 : 0;
  if (Name == "alloc_real")
    return Real;
  if (Name == "alloc_complex")
    return 2 * Real;
  return 0;
}

} // namespace

/// Arguments are where the user's document says.
static std::optional<AllocationCall> declaredCall(CallBase &Call, const DeclaredAllocator &D) {
  auto Operand = [&](int I, bool IsPointer) -> Value * {
    Value *V = I >= 0 && unsigned(I) < Call.arg_size() ? Call.getArgOperand(I) : nullptr;
    return V && (IsPointer ? V->getType()->isPointerTy() : V->getType()->isIntegerTy()) ? V : nullptr;
  };
  AllocationCall A;
  A.Kind = D.Kind;
  A.Name = D.Label;
  A.In = D.In;
  A.Size = Operand(D.Size, false);
  A.Count = Operand(D.Count, false);
  A.Alignment = Operand(D.Alignment, false);
  A.Block = Operand(D.Block, true);
  A.Zeroed = D.Zeroed;
  bool Returns = Call.getType()->isPointerTy() || D.Kind == AllocationKind::Store || D.Kind == AllocationKind::Release;
  if (bool(A.Size) != (D.Size >= 0) || bool(A.Block) != (D.Block >= 0) || bool(A.Count) != (D.Count >= 0) ||
      bool(A.Alignment) != (D.Alignment >= 0) || !Returns)
    return std::nullopt;
  return A;
}

std::optional<AllocationCall> allocationCall(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic())
    return std::nullopt;

  if (const DeclaredAllocator *D = declaredAllocator(Callee->getName()))
    return declaredCall(Call, *D);
  if (unsigned Element = fftwElementSize(Callee->getName()); Element && Call.arg_size() == 1) {
    AllocationCall A;
    A.Name = "fftw_malloc";
    A.Size = Call.getArgOperand(0);
    A.Count = ConstantInt::get(A.Size->getType(), Element);
    return A;
  }

  auto At = table().find(Callee->getName());
  if (At == table().end())
    return std::nullopt;
  const Signature &S = At->second;
  auto Operand = [&](int I) -> Value * {
    return I >= 0 && unsigned(I) < Call.arg_size() ? Call.getArgOperand(I) : nullptr;
  };
  AllocationCall A;
  A.Kind = S.Kind;
  A.Name = S.Name;
  A.In = S.In;
  A.Size = Operand(S.Size);
  A.Count = Operand(S.Count);
  A.Alignment = Operand(S.Alignment);
  A.Block = Operand(S.Block);
  A.Zeroed = S.Rules & Signature::Zeroed;
  A.ZeroBecomesOne = S.Rules & Signature::NewRules;
  A.RoundsToAlignment = S.Rules & Signature::AlignedNewRules;
  // A function of that name with another signature is not the one we know.
  bool NeedsSize = S.Kind != K::Release, NeedsBlock = S.Kind == K::Release || S.Kind == K::Reallocate;
  if ((NeedsSize && (!A.Size || !A.Size->getType()->isIntegerTy())) ||
      (NeedsBlock && (!A.Block || !A.Block->getType()->isPointerTy())))
    return std::nullopt;
  return A;
}

/// By name. The drivers' names are those that their headers make of the documented ones.
std::optional<Space> spaceOfUnsizedAllocation(const CallBase &Call) {
  static const StringMap<Space> Spaces = [] {
    StringMap<Space> S;
    for (const char *Name : {"cudaMallocPitch",
                             "cudaMalloc3D",
                             "cudaMallocArray",
                             "cudaMalloc3DArray",
                             "cudaMallocMipmappedArray",
                             "cudaMallocFromPoolAsync",
                             "cudaMallocAsync_ptsz",
                             "cudaMallocFromPoolAsync_ptsz",
                             "cuMemAlloc_v2",
                             "cuMemAllocPitch_v2",
                             "cuMemAllocAsync",
                             "cuMemAllocAsync_ptsz",
                             "cuMemAllocFromPoolAsync",
                             "cuMemAllocFromPoolAsync_ptsz",
                             "cuArrayCreate_v2",
                             "cuArray3DCreate_v2",
                             "cuMipmappedArrayCreate",
                             "cuMemCreate",
                             "hipMallocPitch",
                             "hipMemAllocPitch",
                             "hipMalloc3D",
                             "hipMallocArray",
                             "hipMalloc3DArray",
                             "hipMallocMipmappedArray",
                             "hipArrayCreate",
                             "hipArray3DCreate",
                             "hipMipmappedArrayCreate",
                             "hipMallocFromPoolAsync",
                             "hipExtMallocWithFlags",
                             "hipMemCreate"})
      S[Name] = Space::Device;
    for (const char *Name : {"cuMemAllocHost_v2", "cuMemHostAlloc", "hipMemAllocHost", "hipExtHostAlloc"})
      S[Name] = Space::Pinned;
    S["cuMemAllocManaged"] = Space::Managed;
    for (const char *Name : {"mmap", "mmap64", "mremap"})
      S[Name] = Space::Mapped;
    return S;
  }();
  const Function *Callee = Call.getCalledFunction();
  auto At = Callee && Callee->isDeclaration() ? Spaces.find(Callee->getName()) : Spaces.end();
  return At == Spaces.end() ? std::nullopt : std::optional(At->second);
}

} // namespace memshape
