// Allocatable variables and pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "types.h"

/// CFI_ERROR_BASE_ADDR_NULL and CFI_ERROR_BASE_ADDR_NOT_NULL of <ISO_Fortran_binding.h>, and a number of flang's own.
enum { Fine = 0, NotThere = 11, AlreadyThere = 12, MovedToItself = 109 };

/// What a statement answers that has stat=; without it the program ends. A text is put into what errmsg= names.
static inline int failed(bool hasStat, const Descriptor *message, int stat) {
  if (!hasStat)
    abort();
  if (message && message->base)
    memshape_received(message->base);
  return stat;
}

#define ESTABLISH(NAME, ATTRIBUTE)                                                                                     \
  void NAME##Intrinsic(Descriptor *d, int category, int kind, int rank, int corank) {                                  \
    establish(d, codeOf(category, kind), bytesOf(category, kind), rank, 0);                                            \
    d->attribute = ATTRIBUTE;                                                                                          \
  }                                                                                                                    \
  void NAME##Character(Descriptor *d, int64_t length, int kind, int rank, int corank) {                                \
    establish(d, codeOf(Text, kind), length *kind, rank, 0);                                                           \
    d->attribute = ATTRIBUTE;                                                                                          \
  }                                                                                                                    \
  void NAME##Derived(Descriptor *d, const Type *type, int rank, int corank) {                                          \
    establish(d, TypeStruct, type->bytes, rank, type);                                                                 \
    d->attribute = ATTRIBUTE;                                                                                          \
  }
ESTABLISH(_FortranAAllocatableInit, Allocatable)
ESTABLISH(_FortranAPointerNullify, Pointer)

void _FortranAAllocatableInitIntrinsicForAllocate(Descriptor *d, int category, int kind, int rank, int corank) {
  if (!d->base)
    _FortranAAllocatableInitIntrinsic(d, category, kind, rank, corank);
}

void _FortranAAllocatableInitCharacterForAllocate(Descriptor *d, int64_t length, int kind, int rank, int corank) {
  if (!d->base)
    _FortranAAllocatableInitCharacter(d, length, kind, rank, corank);
}

void _FortranAAllocatableInitDerivedForAllocate(Descriptor *d, const Type *type, int rank, int corank) {
  if (!d->base)
    _FortranAAllocatableInitDerived(d, type, rank, corank);
}

void _FortranAAllocatableSetBounds(Descriptor *d, int i, int64_t lower, int64_t upper) {
  if (d->attribute == Allocatable && !d->base)
    setBounds(dimension(d, i), lower, upper);
}

void _FortranAPointerSetBounds(Descriptor *d, int i, int64_t lower, int64_t upper) {
  setBounds(dimension(d, i), lower, upper);
}

static inline void applyMold(Descriptor *d, const Descriptor *mold, int rank) {
  const uint8_t attribute = d->attribute;
  establish(d, mold->type, mold->bytes, rank, typeOf(mold));
  d->attribute = attribute;
  if (rank == rankOf(mold))
    FOR_DIMENSIONS(rank) * dimension(d, i) = *dimension(mold, i);
}

void _FortranAAllocatableApplyMold(Descriptor *d, const Descriptor *mold, int rank) {
  if (d->attribute == Allocatable && !d->base)
    applyMold(d, mold, rank);
}

void _FortranAPointerApplyMold(Descriptor *d, const Descriptor *mold, int rank) { applyMold(d, mold, rank); }

static inline int allocateNew(Descriptor *d, bool hasStat, const Descriptor *message) {
  if (d->base)
    return failed(hasStat, message, AlreadyThere);
  allocate(d);
  initialiseArray(d);
  return Fine;
}

/// A function that copies, which newer releases hand over.
#if RELEASE >= 20
#define COPIES , void *copies
#else
#define COPIES
#endif

#if RELEASE >= 20
int _FortranAAllocatableAllocate(Descriptor *d, int64_t *stream, bool hasStat, const Descriptor *message,
                                 const char *file, int line COPIES) {
  return allocateNew(d, hasStat, message);
}
#else
int _FortranAAllocatableAllocate(Descriptor *d, bool hasStat, const Descriptor *message, const char *file, int line) {
  return allocateNew(d, hasStat, message);
}
#endif

/// The elements of a new array are those of its source, or all alike.
static inline void copySource(Descriptor *d, const Descriptor *source) {
  const Type *type = typeOf(d);
  if (type && !type->noDestruction)
    memshape_unfollowed(d->base);
  if (source->rank == rankOf(d) && isContiguous(source))
    memcpy(d->base, source->base, elements(d) * d->bytes);
  else
    memshape_received(d->base);
}

int _FortranAAllocatableAllocateSource(Descriptor *d, const Descriptor *source, bool hasStat, const Descriptor *message,
                                       const char *file, int line) {
  const int stat = allocateNew(d, hasStat, message);
  if (stat == Fine)
    copySource(d, source);
  return stat;
}

static inline int deallocate(Descriptor *d, bool hasStat, const Descriptor *message) {
  if (!d->base)
    return failed(hasStat, message, NotThere);
  destroyArray(d);
  return Fine;
}

int _FortranAAllocatableDeallocate(Descriptor *d, bool hasStat, const Descriptor *message, const char *file, int line) {
  return deallocate(d, hasStat, message);
}

int _FortranAAllocatableDeallocatePolymorphic(Descriptor *d, const Type *type, bool hasStat, const Descriptor *message,
                                              const char *file, int line) {
  const int stat = deallocate(d, hasStat, message);
  if (stat == Fine && addendum(d))
    addendum(d)->type = type;
  return stat;
}

void _FortranAAllocatableDeallocateNoFinal(Descriptor *d, const char *file, int line) { deallocate(d, false, 0); }

int32_t _FortranAMoveAlloc(Descriptor *to, Descriptor *from, const Type *type, bool hasStat, const Descriptor *message,
                           const char *file, int line) {
  if (from->base && from->base == to->base)
    return failed(hasStat, message, MovedToItself);
  if (to->base)
    destroyArray(to);
  if (from->base) {
    copyDescriptor(to, from);
    from->base = 0;
    if (addendum(from) && type)
      addendum(from)->type = type;
  }
  return Fine;
}

/// Behind what a pointer is allocated for stands a word by which its deallocation knows it.
static inline void allocateTarget(Descriptor *d) {
  const int64_t bytes = elements(d) * d->bytes, word = sizeof(uintptr_t);
  d->base = malloc((((bytes ? bytes : 1) + word - 1) / word + 1) * word);
  setStrides(d);
}

int _FortranAPointerAllocate(Descriptor *d, bool hasStat, const Descriptor *message, const char *file,
                             int line COPIES) {
  allocateTarget(d);
  initialiseArray(d);
  return Fine;
}

int _FortranAPointerAllocateSource(Descriptor *d, const Descriptor *source, bool hasStat, const Descriptor *message,
                                   const char *file, int line) {
  allocateTarget(d);
  initialiseArray(d);
  copySource(d, source);
  return Fine;
}

int _FortranAPointerDeallocate(Descriptor *d, bool hasStat, const Descriptor *message, const char *file, int line) {
  return deallocate(d, hasStat, message);
}

int _FortranAPointerDeallocatePolymorphic(Descriptor *d, const Type *type, bool hasStat, const Descriptor *message,
                                          const char *file, int line) {
  const int stat = deallocate(d, hasStat, message);
  if (stat == Fine && addendum(d))
    addendum(d)->type = type;
  return stat;
}

bool _FortranAPointerIsAssociated(const Descriptor *d) { return d->base != 0; }

void _FortranAInitialize(const Descriptor *d, const char *file, int line) { initialiseArray((Descriptor *)d); }

static inline void destroyParts(const Descriptor *d, bool finalise) {
  const Type *type = typeOf(d);
  if (!type || !d->base)
    return;
  if (finalise && !type->noFinalisation)
    memshape_unfollowed(d->base);
  if (!type->noDestruction)
    destroyObjects(d->base, elements(d), type);
}

void _FortranADestroy(const Descriptor *d) { destroyParts(d, true); }
void _FortranADestroyWithoutFinalization(const Descriptor *d) { destroyParts(d, false); }
