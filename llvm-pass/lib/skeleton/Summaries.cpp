//===- Summaries.cpp - What functions without a body do to memory ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summaries.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace memshape {

/// libm, in double; suffixes f and l are taken off before the look-up.
static bool isMath(StringRef Name) {
  static const StringSet<> Functions = {
      "acos",  "acosh", "asin",   "asinh", "atan",  "atan2",     "atanh", "cbrt",      "ceil",   "copysign", "cos",
      "cosh",  "erf",   "erfc",   "exp",   "exp2",  "exp10",     "expm1", "fabs",      "fdim",   "floor",    "fma",
      "fmax",  "fmin",  "fmod",   "hypot", "ilogb", "ldexp",     "lgamma", "llrint",   "llround", "log",     "log10",
      "log1p", "log2",  "logb",   "lrint", "lround", "nearbyint", "nextafter", "pow",  "remainder", "rint",  "round",
      "scalbn", "scalbln", "sin", "sinh",  "sqrt",  "tan",       "tanh",  "tgamma",    "trunc",  "abs",      "labs",
      "llabs", "jn",    "j0",     "j1",    "yn",    "y0",        "y1",    "cabs",      "carg"};
  if (Functions.contains(Name))
    return true;
  return (Name.ends_with("f") || Name.ends_with("l")) && Functions.contains(Name.drop_back());
}

/// Fortran linkage as BLAS and LAPACK have it (dgemm_, zheevd_), and CBLAS. The reference libraries allocate nothing.
static bool isLinearAlgebra(StringRef Name) {
  if (Name.consume_front("cblas_") || Name.starts_with("LAPACKE_"))
    return true;
  return Name.size() >= 5 && Name.size() <= 10 && Name.ends_with("_") && StringRef("sdczi").contains(Name[0]) &&
         all_of(Name.drop_back(), [](char C) { return isDigit(C) || (C >= 'a' && C <= 'z'); });
}

static bool isOutput(StringRef Name) {
  static const StringSet<> Functions = {
      "printf", "fprintf", "vprintf", "vfprintf", "puts",   "putchar", "fputs",   "fputc",         "fwrite",       "fflush",
      "perror", "__printf_chk", "__fprintf_chk", "__vfprintf_chk", "write", "setvbuf", "syslog"};
  return Functions.contains(Name);
}

/// Ends at the last iostream name that a program without input reading meets: inserters, endl, flush, state.
static bool isStreamOutput(StringRef Name) {
  return Name.starts_with("_ZNSo") || Name.starts_with("_ZNKSo") || Name.starts_with("_ZStls") ||
         Name.starts_with("_ZSt4endl") || Name.starts_with("_ZSt5flush") || Name.starts_with("_ZSt16__ostream_insert") ||
         Name.starts_with("_ZNSt9basic_ios") || Name.starts_with("_ZNKSt9basic_ios") || Name.starts_with("_ZNSt8ios_base") ||
         Name.starts_with("_ZNKSt5ctype");
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

Summary summaryOf(const Function &F) {
  StringRef Name = F.getName();
  if (isMath(Name))
    return {Treatment::Compute, "", 0};
  if (Summary S = fftw(Name); S.How != Treatment::Unknown)
    return S;

  Treatment Known =
      StringSwitch<Treatment>(Name)
          .Cases("strlen", "strnlen", "strcmp", "strncmp", "memcmp", Treatment::Inspect)
          .Cases("bcmp", "memchr", "strchr", "strrchr", "strstr", Treatment::Inspect)
          .Cases("atoi", "atol", "atof", "strtol", "strtod", Treatment::Inspect)
          .Cases("strcpy", "strncpy", "stpcpy", "strcat", "snprintf", Treatment::Adjust)
          .Cases("__memcpy_chk", "__memset_chk", "__memmove_chk", "vsnprintf", Treatment::Adjust)
          .Cases("qsort", "bsearch", Treatment::Adjust)
          .Cases("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
                 "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
                 Treatment::Inspect)
          .Cases("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
                 "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
                 "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "_ZNSt8__detail15_List_node_base9_M_unhookEv",
                 "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", Treatment::Adjust)
          .Cases("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
                 "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", Treatment::Adjust)
          .Case("_ZSt11_Hash_bytesPKvmm", Treatment::Inspect)
          .Cases("omp_get_max_threads", "omp_get_num_procs", "omp_get_thread_limit", "omp_get_dynamic", Treatment::Ask)
          .Cases("sysconf", "getpagesize", "get_nprocs", "get_nprocs_conf", Treatment::Ask)
          .Cases("_ZNSt6thread20hardware_concurrencyEv", "getenv", "secure_getenv", Treatment::Ask)
          .Cases("omp_get_thread_num", "omp_get_num_threads", "omp_in_parallel", "omp_get_level", Treatment::Compute)
          .Cases("__cxa_atexit", "atexit", "__cxa_thread_atexit", "__cxa_guard_abort", Treatment::Skip)
          .Cases("pthread_mutex_lock", "pthread_mutex_unlock", "pthread_mutex_init", "pthread_mutex_destroy",
                 Treatment::Skip)
          .Cases("srand", "srand48", "rand", "random", "drand48", Treatment::Skip)
          .Cases("clock", "time", "gettimeofday", "clock_gettime", Treatment::Skip)
          .Cases("_ZNSt6chrono3_V212system_clock3nowEv", "_ZNSt6chrono3_V212steady_clock3nowEv", "omp_get_wtime",
                 Treatment::Skip)
          .Cases("__errno_location", "sincos", "sincosf", "modf", "modff", Treatment::Adjust)
          .Cases("frexp", "frexpf", "feenableexcept", "fesetround", Treatment::Adjust)
          .Default(Treatment::Unknown);
  if (Known != Treatment::Unknown)
    return {Known, "", ~0u};
  if (isOutput(Name) || isStreamOutput(Name) || isLinearAlgebra(Name))
    return {Treatment::Skip, "", 0};
  // The rest of the C++ library: strings, locales, streams into memory. It is there in every C++ program.
  if (Name.starts_with("_ZNSt") || Name.starts_with("_ZNKSt") || Name.starts_with("_ZSt") || Name.starts_with("_ZNSs"))
    return {Treatment::Perform, "libstdc++.so.6", ~0u};
  if (F.doesNotAccessMemory() && F.willReturn())
    return {Treatment::Compute, "", 0};
  return {};
}

} // namespace memshape
