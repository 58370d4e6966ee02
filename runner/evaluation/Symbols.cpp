// What the names in a skeleton stand for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runner's own functions, and the search through libraries.

#include "runner/evaluation/Symbols.h"

#include "runner/evaluation/Evaluation.h"

#include <cstdlib>
#include <dlfcn.h>
#include <malloc.h>
#include <memshape/SkeletonAbi.h>

using namespace memshape;

namespace {

// Guards of function-local statics: one byte says "done". One thread runs the skeleton.
int guardAcquire(char *Guard) { return *Guard == 0; }
void guardRelease(char *Guard) { *Guard = 1; }
void guardAbort(char *) {}

/// Registered destructors run after the operator has returned, so they are not part of it.
int ignoreAtExit() { return 0; }

/// Stands for an exception object; the throw that follows ends the evaluation.
void *exceptionObject() {
  alignas(64) static char Room[1 << 16];
  return Room;
}

void leaveByThrow() { evaluation().leave("the operator throws an exception at this shape", std::nullopt); }
void leaveByAbort() { evaluation().leave("the operator aborts at this shape", std::nullopt); }
void leaveByExit() { evaluation().leave("the operator ends the program at this shape", std::nullopt); }
void leaveByAssert() { evaluation().leave("an assertion of the operator fails at this shape", std::nullopt); }
void leaveByJump() { evaluation().leave("the operator leaves by longjmp at this shape", std::nullopt); }

long machineConfiguration(int Name) { return evaluation().Machine.configuration(Name); }
int machineProcessors() { return int(evaluation().Machine.processors()); }
int machinePage() { return int(evaluation().Machine.configuration(_SC_PAGESIZE)); }
int deviceMultiprocessors() { return int(evaluation().Machine.device(MachineFact::Multiprocessors)); }
int deviceCapability() { return int(evaluation().Machine.device(MachineFact::Capability)); }
int devicePtx() { return int(evaluation().Machine.device(MachineFact::Ptx)); }
int devices() { return int(evaluation().Machine.device(MachineFact::Devices)); }
std::int64_t devicePitch() { return evaluation().Machine.device(MachineFact::Pitch); }
const char *machineVariable(const char *Name) { return evaluation().Machine.environment(Name); }

struct OwnSymbol {
  std::string_view Name;
  void *Address;
};

template <class Function> void *address(Function *F) { return reinterpret_cast<void *>(F); }

const OwnSymbol OwnSymbols[] = {
    {"memshape_sk_alloc", address(memshape_sk_alloc)},
    {"memshape_sk_work", &memshape_sk_work},
    {"memshape_sk_tired", address(memshape_sk_tired)},
    {"memshape_sk_realloc", address(memshape_sk_realloc)},
    {"memshape_sk_free", address(memshape_sk_free)},
    {"memshape_sk_touch", address(memshape_sk_touch)},
    {"memshape_sk_taint", address(memshape_sk_taint)},
    {"memshape_sk_untainted", address(memshape_sk_untainted)},
    {"memshape_sk_decide", address(memshape_sk_decide)},
    {"memshape_sk_decide_at", address(memshape_sk_decide_at)},
    {"memshape_sk_variable", address(memshape_sk_variable)},
    {"memshape_sk_value", address(memshape_sk_value)},
    {"memshape_sk_bounded_value", address(memshape_sk_bounded_value)},
    {"memshape_sk_argument_data", address(memshape_sk_argument_data)},
    {"memshape_sk_extreme", address(memshape_sk_extreme)},
    {"memshape_sk_within", address(memshape_sk_within)},
    {"memshape_sk_tensor", address(memshape_sk_tensor)},
    {"memshape_sk_check", address(memshape_sk_check)},
    {"memshape_sk_may_end", address(memshape_sk_may_end)},
    {"memshape_sk_compare", address(memshape_sk_compare)},
    {"memshape_sk_may_free", address(memshape_sk_may_free)},
    {"memshape_sk_unknown", address(memshape_sk_unknown)},
    {"memshape_sk_recall", address(memshape_sk_recall)},
    {"memshape_sk_wraps", address(memshape_sk_wraps)},
    {"memshape_sk_attempt", address(memshape_sk_attempt)},
    {"memshape_sk_repeat", address(memshape_sk_repeat)},
    {"memshape_sk_repeat_alike", address(memshape_sk_repeat_alike)},
    {"memshape_sk_team_size", address(memshape_sk_team_size)},
    {"memshape_sk_levels", address(memshape_sk_levels)},
    {"memshape_sk_processors", address(memshape_sk_processors)},
    {"memshape_sk_team", address(memshape_sk_team)},
    {"memshape_sk_barrier", address(memshape_sk_barrier)},
    {"memshape_sk_thread", address(memshape_sk_thread)},
    {"memshape_sk_threads", address(memshape_sk_threads)},
    {"memshape_sk_level", address(memshape_sk_level)},
    {"memshape_sk_single", address(memshape_sk_single)},
    {"memshape_sk_serial", address(memshape_sk_serial)},
    {"memshape_sk_loop", address(memshape_sk_loop)},
    {"memshape_sk_loop_next", address(memshape_sk_loop_next)},
    {"memshape_sk_loop_value", address(memshape_sk_loop_value)},
    {"memshape_sk_spawn", address(memshape_sk_spawn)},
    {"memshape_sk_spawned", address(memshape_sk_spawned)},
    {"memshape_sk_join", address(memshape_sk_join)},
    {"memshape_sk_default_threads", address(memshape_sk_default_threads)},
    {"memshape_sk_thread_local", address(memshape_sk_thread_local)},
    {"memshape_sk_building", address(memshape_sk_building)},
    {"memshape_sk_result", address(memshape_sk_result)},
    {"memshape_sk_region", address(memshape_sk_region)},
    {"memshape_sk_region_end", address(memshape_sk_region_end)},
    // Without the template: noreturn makes a second type with the same mangling.
    {"memshape_sk_leave", reinterpret_cast<void *>(memshape_sk_leave)},
    {"memshape_sk_block_size", address(memshape_sk_block_size)},

    {"memshape_sk_cpuid", address(memshape_sk_cpuid)},
    {"memshape_sk_turns_begin", address(memshape_sk_turns_begin)},
    {"memshape_sk_turns", address(memshape_sk_turns)},
    {"memshape_sk_turns_end", address(memshape_sk_turns_end)},
    {"sysconf", address(machineConfiguration)},
    {"getpagesize", address(machinePage)},
    {"get_nprocs", address(machineProcessors)},
    {"get_nprocs_conf", address(machineProcessors)},
    {"_ZNSt6thread20hardware_concurrencyEv", address(machineProcessors)},
    {"memshape_gpu_sm", address(deviceMultiprocessors)},
    {"memshape_gpu_cc", address(deviceCapability)},
    {"memshape_gpu_ptx", address(devicePtx)},
    {"memshape_gpu_pitch", address(devicePitch)},
    {"memshape_gpu_gpus", address(devices)},
    {"getenv", address(machineVariable)},
    {"secure_getenv", address(machineVariable)},

    {"__cxa_guard_acquire", address(guardAcquire)},
    {"__cxa_guard_release", address(guardRelease)},
    {"__cxa_guard_abort", address(guardAbort)},
    {"__cxa_atexit", address(ignoreAtExit)},
    {"__cxa_thread_atexit", address(ignoreAtExit)},
    {"__cxa_thread_atexit_impl", address(ignoreAtExit)},
    {"atexit", address(ignoreAtExit)},
    {"at_quick_exit", address(ignoreAtExit)},
    {"on_exit", address(ignoreAtExit)},

    {"_ZSt9terminatev", address(leaveByAbort)},
    {"abort", address(leaveByAbort)},
    {"__stack_chk_fail", address(leaveByAbort)},
    {"__chk_fail", address(leaveByAbort)},
    {"__fortify_fail", address(leaveByAbort)},
    {"__assert_fail", address(leaveByAssert)},
    {"__assert", address(leaveByAssert)},
    {"__assert_perror_fail", address(leaveByAssert)},
    {"_ZSt21__glibcxx_assert_failPKciS0_S0_", address(leaveByAssert)},
    {"exit", address(leaveByExit)},
    {"_exit", address(leaveByExit)},
    {"_Exit", address(leaveByExit)},
    {"quick_exit", address(leaveByExit)},

    // A library's malloc must be found here first; a look-up in the library would find the C library's.
    {"malloc", address(malloc)},
    {"calloc", address(calloc)},
    {"realloc", address(realloc)},
    {"reallocarray", address(reallocarray)},
    {"free", address(free)},
    {"aligned_alloc", address(aligned_alloc)},
    {"memalign", address(memalign)},
    {"posix_memalign", address(posix_memalign)},
    {"valloc", address(valloc)},
    {"pvalloc", address(pvalloc)},
    {"malloc_usable_size", address(malloc_usable_size)},
};

/// Functions that mark paths where an exception was cut away.
const OwnSymbol LeavingSymbols[] = {
    {"__cxa_allocate_exception", address(exceptionObject)},
    {"__cxa_free_exception", address(guardAbort)},
    {"__cxa_throw", address(leaveByThrow)},
    {"__cxa_rethrow", address(leaveByThrow)},
    {"__cxa_bad_cast", address(leaveByThrow)},
    {"__cxa_bad_typeid", address(leaveByThrow)},
    {"__cxa_throw_bad_array_new_length", address(leaveByThrow)},
    {"__cxa_throw_bad_array_length", address(leaveByThrow)},
    {"_Unwind_Resume", address(leaveByThrow)},
    {"longjmp", address(leaveByJump)},
    {"_longjmp", address(leaveByJump)},
    {"siglongjmp", address(leaveByJump)},
    {"__longjmp_chk", address(leaveByJump)},
};

/// std::__throw_length_error and its relatives: _ZSt, the length of the name, the name.
bool isStandardThrow(std::string_view Name) {
  if (Name.substr(0, 4) != "_ZSt")
    return false;
  const std::size_t Digits = Name.find_first_not_of("0123456789", 4);
  return Digits != std::string_view::npos && Digits > 4 && Name.substr(Digits, 8) == "__throw_";
}

} // namespace

Symbols::Found Symbols::find(const std::string &Name, std::string &Problem) {
  for (const OwnSymbol &Own : OwnSymbols)
    if (Own.Name == Name)
      return {Own.Address, false};
  if (!Unwinding) {
    for (const OwnSymbol &Own : LeavingSymbols)
      if (Own.Name == Name)
        return {Own.Address, false};
    if (isStandardThrow(Name))
      return {address(leaveByThrow), false};
  }
  if (void *Address = dlsym(RTLD_DEFAULT, Name.c_str()))
    return {Address, !isStateless(Name)};
  for (std::size_t I = 0; I < Handles.size() || openNext(); ++I)
    if (void *Address = Handles[I] ? dlsym(Handles[I], Name.c_str()) : nullptr)
      return {Address, true};
  Problem =
      NotOpened.empty() ? "the skeleton calls '" + Name + "', which no library of the program defines" : NotOpened;
  return {};
}

bool Symbols::openNext() {
  if (Handles.size() == LibraryNames.size())
    return false;
  const std::string &Name = LibraryNames[Handles.size()];
  // Constructors of libraries allocate before the operator's entry; these blocks have their exact sizes.
  evaluation().enter(Mode::Preparing);
  void *Handle = dlopen(Name.c_str(), RTLD_NOW | RTLD_LOCAL);
  evaluation().enter(Mode::Outside);
  if (!Handle && NotOpened.empty()) {
    const char *Why = dlerror();
    NotOpened = "the library " + Name + " cannot be opened" + (Why ? std::string(": ") + Why : "");
  }
  Handles.push_back(Handle);
  return true;
}
