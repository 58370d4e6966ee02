/* operator new and delete in all their forms.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The C++ library's operators call malloc and free, which are counted. Then these functions only forward and record
   which code asked. jemalloc, mimalloc and tcmalloc bring operators that go straight to their heaps. Those are counted
   here, unless the block is already known because one operator is implemented by another.

   A program's own definition takes precedence: these are weak and come later in symbol order. */

#include "count/heap.h"
#include "count/start.h"
#include "intercept/forward.h"
#include "intercept/trapped.h"

#include <dlfcn.h>
#include <link.h>

#define FORM __attribute__((visibility("default"), weak))
#define CALLER __builtin_return_address(0)

/* The real function behind one operator. */
struct form {
  const char *name;
  void *function; /* null until first used */
  int is_of_cxx;  /* it belongs to the C++ library, and so goes through malloc and free */
};

/* The C++ library is the one that defines __cxa_allocate_exception. */
static int isOfCxxLibrary(void *function, void *scope) {
  void *thrower = dlsym(scope, "__cxa_allocate_exception");
  Dl_info one, other;
  return thrower && dladdr(function, &one) && dladdr(thrower, &other) && one.dli_fbase == other.dli_fbase;
}

/* A plugin of a C program, loaded with RTLD_LOCAL, brings its own C++ library, which is found in that plugin's scope
   only. That library must not be unloaded before memshape. */
static void *findInScopeOf(const void *caller, struct form *form) {
  struct link_map *map = NULL;
  Dl_info info;
  void *function = NULL, *scope = dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP)
                                      ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD)
                                      : NULL;
  if (!scope)
    return NULL;
  if ((function = dlsym(scope, form->name)) && dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP)) {
    form->is_of_cxx = isOfCxxLibrary(function, scope);
    dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
  dlclose(scope);
  return function;
}

static __attribute__((cold, noinline)) void *findForm(struct form *form, const void *caller) {
  void *function = dlsym(RTLD_NEXT, form->name);
  if (function)
    form->is_of_cxx = isOfCxxLibrary(function, RTLD_NEXT);
  else if (!(function = findInScopeOf(caller, form)))
    __builtin_trap(); /* C++ code without a C++ library */
  __atomic_store_n(&form->function, function, __ATOMIC_RELEASE);
  return function;
}

static inline void *functionOf(struct form *form, const void *caller) {
  void *function = __atomic_load_n(&form->function, __ATOMIC_ACQUIRE);
  return __builtin_expect(function != NULL, 1) ? function : findForm(form, caller);
}

/* Counts the result of an operator that is not the C++ library's. */
static void *counted(void *block, size_t bytes, const void *caller) {
  if (!block)
    memshape_self.pending = NULL;
  else if ((memshape_counting() || memshape_start()) && !memshape_block_is_known(block))
    memshape_allocated(block, bytes, caller, memshape_mode());
  return block;
}

/* An operator that goes straight to its heap, while allocations are watched. It is asked for room before; whether it
   fails is its own affair: it may throw. */
struct trial {
  struct memshape_attempt attempt;
  void *block;
};

static void endTrial(struct trial *trial) { memshape_attempt_end(&trial->attempt, memshape_block_bytes(trial->block)); }

/* Called before such a delete. If it calls free, the block is already forgotten there. */
static void freeing(void *block) {
  struct memshape_block known;
  if (memshape_trap_is_set())
    memshape_trap_freed(memshape_block_bytes(block));
  if (block && memshape_counting() && memshape_block_take(block, &known, memshape_with_sites()))
    memshape_freeing(&known, memshape_mode());
}

#define NEW(SYMBOL, PARAMETERS, ARGUMENTS)                                                                             \
  FORM void *SYMBOL PARAMETERS {                                                                                       \
    static struct form form = {#SYMBOL, NULL, 0};                                                                      \
    void *(*next)PARAMETERS = (void *(*)PARAMETERS)functionOf(&form, CALLER);                                          \
    if (form.is_of_cxx) {                                                                                              \
      if (memshape_with_sites() && !memshape_self.requester)                                                           \
        memshape_self.requester = CALLER;                                                                              \
      return next ARGUMENTS;                                                                                           \
    }                                                                                                                  \
    if (memshape_trap_is_set()) {                                                                                      \
      __attribute__((cleanup(endTrial))) struct trial trial = {.block = NULL};                                         \
      memshape_attempt_begin(&trial.attempt, bytes);                                                                   \
      return trial.block = counted(next ARGUMENTS, bytes, CALLER);                                                     \
    }                                                                                                                  \
    return counted(next ARGUMENTS, bytes, CALLER);                                                                     \
  }

#define DELETE(SYMBOL, PARAMETERS, ARGUMENTS)                                                                          \
  FORM void SYMBOL PARAMETERS {                                                                                        \
    static struct form form = {#SYMBOL, NULL, 0};                                                                      \
    void(*next) PARAMETERS = (void(*) PARAMETERS)functionOf(&form, CALLER);                                            \
    if (!form.is_of_cxx)                                                                                               \
      freeing(block);                                                                                                  \
    next ARGUMENTS;                                                                                                    \
  }

/* bytes is size_t, an alignment is size_t (std::align_val_t), nothrow is a reference. The names are those of the
   Itanium C++ ABI for 64 bits. */
#define FORMS_OF(NEW_NAME, DELETE_NAME)                                                                                \
  NEW(NEW_NAME##m, (size_t bytes), (bytes))                                                                            \
  NEW(NEW_NAME##mRKSt9nothrow_t, (size_t bytes, const void *nothrow), (bytes, nothrow))                                \
  NEW(NEW_NAME##mSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment))                                \
  NEW(NEW_NAME##mSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, const void *nothrow),                 \
      (bytes, alignment, nothrow))                                                                                     \
  DELETE(DELETE_NAME##Pv, (void *block), (block))                                                                      \
  DELETE(DELETE_NAME##Pvm, (void *block, size_t bytes), (block, bytes))                                                \
  DELETE(DELETE_NAME##PvRKSt9nothrow_t, (void *block, const void *nothrow), (block, nothrow))                          \
  DELETE(DELETE_NAME##PvSt11align_val_t, (void *block, size_t alignment), (block, alignment))                          \
  DELETE(DELETE_NAME##PvmSt11align_val_t, (void *block, size_t bytes, size_t alignment), (block, bytes, alignment))    \
  DELETE(DELETE_NAME##PvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *nothrow),           \
         (block, alignment, nothrow))

FORMS_OF(_Znw, _Zdl)
FORMS_OF(_Zna, _Zda)
