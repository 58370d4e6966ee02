//===- Summaries.cpp - What functions without a body do to memory ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summaries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace memshape {

/// libm, in double; suffixes f and l are taken off before the look-up.
static bool isMath(StringRef Name) {
  static const StringSet<> Functions = {
      "acos",     "acosh",    "asin",      "asinh",     "atan",     "atan2",     "atanh",     "cbrt",     "ceil",
      "copysign", "cos",      "cosh",      "erf",       "erfc",     "exp",       "exp2",      "exp10",    "expm1",
      "fabs",     "fdim",     "floor",     "fma",       "fmax",     "fmin",      "fmod",      "hypot",    "ilogb",
      "ldexp",    "lgamma",   "llrint",    "llround",   "log",      "log10",     "log1p",     "log2",     "logb",
      "lrint",    "lround",   "nearbyint", "nextafter", "pow",      "remainder", "rint",      "round",    "scalbn",
      "scalbln",  "sin",      "sinh",      "sqrt",      "tan",      "tanh",      "tgamma",    "trunc",    "abs",
      "labs",     "llabs",    "jn",        "j0",        "j1",       "yn",        "y0",        "y1",       "cabs",
      "carg",     "__muldc3", "__mulsc3",  "__divdc3",  "__divsc3", "__muldf3",  "__powidf2", "__powisf2"};
  if (Functions.contains(Name))
    return true;
  return (Name.ends_with("f") || Name.ends_with("l")) && Functions.contains(Name.drop_back());
}

/// Arguments that a routine of BLAS or LAPACK writes, by its name without the letter of its type; 0 for an unknown one.
static uint32_t writtenArguments(StringRef Routine) {
  static const StringMap<uint32_t> Table = [] {
    StringMap<uint32_t> T;
    auto Add = [&](std::initializer_list<StringRef> Names, std::initializer_list<unsigned> Arguments) {
      for (StringRef N : Names)
        for (unsigned A : Arguments)
          T[N] |= 1u << A;
    };
    Add({"gemm"}, {11});
    Add({"symm", "hemm", "syr2k", "her2k"}, {10});
    Add({"syrk", "herk", "symv", "hemv", "spmv", "sbmv"}, {8});
    Add({"gemv", "trsm", "trmm"}, {9});
    Add({"gbmv"}, {11});
    Add({"trsv", "trmv"}, {6});
    Add({"ger", "geru", "gerc"}, {7});
    Add({"syr", "her"}, {5});
    Add({"axpy"}, {4});
    Add({"scal"}, {2});
    Add({"copy"}, {3});
    Add({"swap", "rot"}, {1, 3});
    Add({"potrf", "potri"}, {2, 4});
    Add({"potrs"}, {5, 7});
    Add({"posv"}, {3, 5, 7});
    Add({"getrf"}, {2, 4, 5});
    Add({"getrs"}, {6, 8});
    Add({"getri"}, {1, 4, 6});
    Add({"gesv"}, {2, 4, 5, 7});
    Add({"trtrs"}, {7, 9});
    Add({"trtri"}, {3, 5});
    Add({"geqrf"}, {2, 4, 5, 7});
    Add({"orgqr", "ungqr"}, {3, 6, 8});
    Add({"ormqr", "unmqr"}, {5, 8, 10, 12});
    Add({"gesvd"}, {4, 6, 7, 9, 11, 13, 14});
    Add({"gesdd"}, {3, 5, 6, 8, 10, 12, 13, 14});
    Add({"syev"}, {3, 5, 6, 8});
    Add({"syevd"}, {3, 5, 6, 8, 10});
    Add({"heev"}, {3, 5, 6, 8, 9});
    Add({"lange"}, {5});
    Add({"gecon"}, {5, 6, 7, 8});
    return T;
  }();
  auto At = Table.find(Routine);
  return At == Table.end() ? 0 : At->second;
}

/// Fortran linkage as BLAS and LAPACK have it (dgemm_, zheevd_), and CBLAS. The reference libraries allocate nothing.
static Summary linearAlgebra(StringRef Name) {
  if (Name.starts_with("cblas_"))
    return {Treatment::Skip, "", 0, false};
  bool Fortran = Name.size() >= 5 && Name.size() <= 10 && Name.ends_with("_") && StringRef("sdcz").contains(Name[0]) &&
                 all_of(Name.drop_back(), [](char C) { return isDigit(C) || (C >= 'a' && C <= 'z'); });
  if (!Fortran)
    return {};
  StringRef Routine = Name.drop_front().drop_back();
  bool OnlyReads = Routine == "dot" || Routine == "dotu" || Routine == "dotc" || Routine == "nrm2" || Routine == "asum";
  uint32_t Written = writtenArguments(Routine);
  return {Treatment::Skip, "", 0, false, 0, OnlyReads ? 0 : Written ? Written : ~0u};
}

static bool isOutput(StringRef Name) {
  static const StringSet<> Functions = {
      "printf", "fprintf", "vprintf",      "vfprintf",      "puts",           "putchar", "fputs",   "fputc", "fwrite",
      "fflush", "perror",  "__printf_chk", "__fprintf_chk", "__vfprintf_chk", "write",   "setvbuf", "syslog"};
  return Functions.contains(Name);
}

/// Ends at the last iostream name that a program without input reading meets: inserters, endl, flush, state.
static bool isStreamOutput(StringRef Name) {
  return Name.starts_with("_ZNSo") || Name.starts_with("_ZNKSo") || Name.starts_with("_ZStls") ||
         Name.starts_with("_ZSt4endl") || Name.starts_with("_ZSt5flush") ||
         Name.starts_with("_ZSt16__ostream_insert") || Name.starts_with("_ZNSt9basic_ios") ||
         Name.starts_with("_ZNKSt9basic_ios") || Name.starts_with("_ZNSt8ios_base") || Name.starts_with("_ZNKSt5ctype");
}

/// A module that builds string streams uses the inserters on them too: those allocate.
static bool streamsIntoMemory(const Module &M) {
  for (StringRef Class : {"basic_ostringstream", "basic_stringstream", "basic_stringbuf", "basic_istringstream"}) {
    std::string Name = (Twine(Class.size()) + Class).str();
    for (const char *Prefix : {"_ZTVNSt7__cxx11", "_ZTTNSt7__cxx11"})
      if (M.getNamedValue(Prefix + Name + "IcSt11char_traitsIcESaIcEEE"))
        return true;
    for (const char *Constructor : {"C1Ev", "C2Ev"})
      if (M.getNamedValue("_ZNSt7__cxx11" + Name + "IcSt11char_traitsIcESaIcEE" + Constructor))
        return true;
  }
  return false;
}

static Summary fftw(StringRef Name) {
  const char *Library = nullptr;
  if (Name.consume_front("fftw_"))
    Library = "libfftw3.so.3";
  else if (Name.consume_front("fftwf_"))
    Library = "libfftw3f.so.3";
  else if (Name.consume_front("fftwl_"))
    Library = "libfftw3l.so.3";
  else
    return {};
  if (Name.starts_with("execute"))
    return {Treatment::Repeat, Library, 0};
  if (Name == "alignment_of" || Name == "flops" || Name == "cost")
    return {Treatment::Compute, Library, 0};
  // The planner looks at extents, never at the data (with FFTW_ESTIMATE; otherwise it overwrites it).
  if (Name.starts_with("plan_many"))
    return {Treatment::Perform, Library, 1u << 1 | 1u << 4 | 1u << 8 | 1u << 12};
  if (Name.starts_with("plan_guru"))
    return {Treatment::Perform, Library, 1u << 1 | 1u << 3};
  if (Name == "plan_dft" || Name == "plan_dft_r2c" || Name == "plan_dft_c2r")
    return {Treatment::Perform, Library, 1u << 1};
  if (Name == "plan_r2r")
    return {Treatment::Perform, Library, 1u << 1 | 1u << 4};
  return {Treatment::Perform, Library, 0};
}

/// Single functions of libc, libstdc++ and OpenMP's run-time library.
static Treatment namedFunction(StringRef Name) {
  static const StringMap<Treatment> Table = [] {
    StringMap<Treatment> T;
    auto Add = [&](Treatment How, std::initializer_list<StringRef> Names) {
      for (StringRef N : Names)
        T[N] = How;
    };
    Add(Treatment::Inspect, {"strlen",
                             "strnlen",
                             "strcmp",
                             "strncmp",
                             "memcmp",
                             "bcmp",
                             "memchr",
                             "strchr",
                             "strrchr",
                             "strstr",
                             "atoi",
                             "atol",
                             "atof",
                             "strtol",
                             "strtod",
                             "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
                             "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
                             "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
                             "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
                             "_ZSt11_Hash_bytesPKvmm"});
    Add(Treatment::Adjust, {"strcpy",
                            "strncpy",
                            "stpcpy",
                            "strcat",
                            "snprintf",
                            "__memcpy_chk",
                            "__memset_chk",
                            "__memmove_chk",
                            "vsnprintf",
                            "qsort",
                            "bsearch",
                            "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
                            "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
                            "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
                            "_ZNSt8__detail15_List_node_base9_M_unhookEv",
                            "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
                            "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
                            "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
                            "__errno_location",
                            "sincos",
                            "sincosf",
                            "modf",
                            "modff",
                            "frexp",
                            "frexpf",
                            "feenableexcept",
                            "fesetround"});
    Add(Treatment::Ask, {"omp_get_max_threads", "omp_get_num_procs", "omp_get_thread_limit", "omp_get_dynamic",
                         "sysconf", "getpagesize", "get_nprocs", "get_nprocs_conf",
                         "_ZNSt6thread20hardware_concurrencyEv", "getenv", "secure_getenv"});
    Add(Treatment::Compute, {"omp_get_thread_num", "omp_get_num_threads", "omp_in_parallel", "omp_get_level"});
    Add(Treatment::Skip, {"__cxa_atexit",
                          "atexit",
                          "__cxa_thread_atexit",
                          "__cxa_guard_abort",
                          "pthread_mutex_lock",
                          "pthread_mutex_unlock",
                          "pthread_mutex_init",
                          "pthread_mutex_destroy",
                          "srand",
                          "srand48",
                          "rand",
                          "random",
                          "drand48",
                          "clock",
                          "time",
                          "gettimeofday",
                          "clock_gettime",
                          "_ZNSt6chrono3_V212system_clock3nowEv",
                          "_ZNSt6chrono3_V212steady_clock3nowEv",
                          "omp_get_wtime"});
    return T;
  }();
  auto At = Table.find(Name);
  return At == Table.end() ? Treatment::Unknown : At->second;
}

bool isProcessVariable(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return Name == "stdin" || Name == "stdout" || Name == "stderr" || Name == "environ" || Name.starts_with("__libc_") ||
         Name.starts_with("_ZSt") || Name.starts_with("_ZNSt") || Name.starts_with("_ZTVN10__cxxabiv1") ||
         Name.starts_with("_ZTVSt") || Name.starts_with("_ZTISt") || Name.starts_with("_ZTVNSt") ||
         Name.starts_with("_ZTTNSt");
}

Summary summaryOf(const Function &F) {
  StringRef Name = F.getName();
  if (isMath(Name))
    return {Treatment::Compute, "", 0};
  if (Summary S = fftw(Name); S.How != Treatment::Unknown)
    return S;

  Treatment Known = namedFunction(Name);
  if (Known != Treatment::Unknown)
    // What libc and libm are given is plain memory; trees and lists of the C++ library are not.
    return {Known, "", ~0u, Name.starts_with("_Z") && !Name.contains("_Prime_rehash_policy"),
            Name.contains("_Rb_tree_")         ? 32u
            : Name.contains("_List_node_base") ? 16u
                                               : 0u};
  if (Summary S = linearAlgebra(Name); S.How != Treatment::Unknown)
    return S;
  if (isStreamOutput(Name) && streamsIntoMemory(*F.getParent()))
    return {};
  if (isOutput(Name) || isStreamOutput(Name))
    return {Treatment::Skip, "", 0, false, 0, 0};
  // The rest of the C++ library: strings, locales, streams into memory. It is there in every C++ program.
  if (Name.starts_with("_ZNSt") || Name.starts_with("_ZNKSt") || Name.starts_with("_ZSt") || Name.starts_with("_ZNSs"))
    return {Treatment::Perform, "libstdc++.so.6", ~0u};
  if (F.doesNotAccessMemory() && F.willReturn())
    return {Treatment::Compute, "", 0};
  return {};
}

} // namespace memshape
