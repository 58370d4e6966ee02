//===- Allocators.cpp - Functions that allocate, by name ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "features/Allocators.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace memshape::ast {

namespace {

using Table = llvm::StringMap<Allocator>;

const Table &table() {
  static const Table Known = [] {
    Table T;
    auto Add = [&](std::initializer_list<const char *> Names, Allocator A) {
      for (const char *Name : Names)
        T[Name] = A;
    };
    // C and POSIX.
    Add({"malloc", "valloc", "pvalloc"}, {"host", {0, -1, -1}});
    Add({"calloc"}, {"host", {0, 1, -1}});
    Add({"realloc"}, {"host", {1, -1, -1}, 1, true});
    Add({"reallocarray"}, {"host", {1, 2, -1}, 1, true});
    Add({"aligned_alloc", "memalign"}, {"host", {1, -1, -1}});
    Add({"posix_memalign"}, {"host", {2, -1, -1}});
    Add({"mmap", "mmap64"}, {"host", {1, -1, -1}});
    Add({"strdup", "strndup", "asprintf", "getline"}, {"host", {-1, -1, -1}, 1, false, false});
    Add({"alloca", "__builtin_alloca", "__builtin_alloca_with_align"}, {"stack", {0, -1, -1}});
    // Vector units and number crunching.
    Add({"_mm_malloc", "mkl_malloc", "numa_alloc_local", "numa_alloc_interleaved", "numa_alloc_onnode"},
        {"host", {0, -1, -1}});
    Add({"mkl_calloc"}, {"host", {0, 1, -1}});
    Add({"fftw_malloc", "fftwf_malloc", "fftwl_malloc"}, {"host", {0, -1, -1}});
    Add({"fftwf_alloc_real"}, {"host", {0, -1, -1}, 4});
    Add({"fftw_alloc_real", "fftwf_alloc_complex"}, {"host", {0, -1, -1}, 8});
    Add({"fftw_alloc_complex"}, {"host", {0, -1, -1}, 16});
    // CUDA and HIP: the runtime and the driver.
    Add({"cudaMalloc", "cudaMallocAsync", "hipMalloc", "hipMallocAsync", "hipExtMallocWithFlags", "cuMemAlloc",
         "cuMemAlloc_v2", "cuMemAllocAsync"},
        {"device", {1, -1, -1}});
    Add({"cudaMallocPitch", "hipMallocPitch"}, {"device", {2, 3, -1}, 1, false, false});
    Add({"cudaMalloc3D", "cudaMallocArray", "cudaMalloc3DArray", "hipMalloc3D", "hipMallocArray", "hipMalloc3DArray"},
        {"device", {-1, -1, -1}, 1, false, false});
    Add({"cudaMallocManaged", "hipMallocManaged", "cuMemAllocManaged"}, {"managed", {1, -1, -1}});
    Add({"cudaMallocHost", "cudaHostAlloc", "hipHostMalloc", "hipMallocHost", "hipHostAlloc", "cuMemAllocHost",
         "cuMemAllocHost_v2", "cuMemHostAlloc"},
        {"pinned", {1, -1, -1}});
    return T;
  }();
  return Known;
}

/// The plain name of a function that a library's C interface, or its C++ wrapper at global scope, declares.
llvm::StringRef globalName(const FunctionDecl &Function) {
  const DeclContext *Scope = Function.getDeclContext()->getRedeclContext();
  if (!Function.getIdentifier() || !(Scope->isTranslationUnit() || Scope->isStdNamespace()))
    return "";
  return Function.getName();
}

} // namespace

std::optional<Allocator> allocatorOf(const FunctionDecl &Function) {
  if (Function.getOverloadedOperator() == OO_New || Function.getOverloadedOperator() == OO_Array_New) {
    // Written as a call; placement forms return the place they were given.
    if (Function.getNumParams() == 2 && Function.getParamDecl(1)->getType()->isPointerType())
      return std::nullopt;
    return Allocator{"host", {0, -1, -1}};
  }
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
      Method && Method->getIdentifier() && Method->getName() == "allocate" && Method->getParent()->isInStdNamespace() &&
      Method->getReturnType()->isPointerType()) {
    // std::allocator<T>::allocate(n) and std::allocator_traits<A>::allocate(a, n).
    QualType Element = Method->getReturnType()->getPointeeType();
    if (Element->isIncompleteType())
      return std::nullopt;
    auto Bytes = static_cast<unsigned>(Function.getASTContext().getTypeSizeInChars(Element).getQuantity());
    return Allocator{"host", {Method->isStatic() ? 1 : 0, -1, -1}, Bytes};
  }
  llvm::StringRef Name = globalName(Function);
  if (auto At = table().find(Name); !Name.empty() && At != table().end())
    return At->second;
  if (const auto *Attribute = Function.getAttr<AllocSizeAttr>()) {
    Allocator Declared{"host", {-1, -1, -1}};
    Declared.Arguments[0] = static_cast<int>(Attribute->getElemSizeParam().getASTIndex());
    if (Attribute->getNumElemsParam().isValid())
      Declared.Arguments[1] = static_cast<int>(Attribute->getNumElemsParam().getASTIndex());
    return Declared;
  }
  return std::nullopt;
}

bool isRelease(const FunctionDecl &Function) {
  static const llvm::StringSet<> Names = {
      "free",         "munmap",    "_mm_free",     "mkl_free",      "fftw_free",   "fftwf_free",
      "fftwl_free",   "cudaFree",  "cudaFreeHost", "hipFree",       "hipHostFree", "cudaFreeAsync",
      "hipFreeAsync", "cuMemFree", "cuMemFree_v2", "cuMemFreeHost", "numa_free",   "cfree"};
  OverloadedOperatorKind Kind = Function.getOverloadedOperator();
  return Kind == OO_Delete || Kind == OO_Array_Delete || Names.contains(globalName(Function));
}

} // namespace memshape::ast
