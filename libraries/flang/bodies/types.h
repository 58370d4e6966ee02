// Derived types as flang describes them to its run-time library: constants of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "descriptors.h"

typedef struct {
  Descriptor of;
  Addendum more;
} ScalarPointer;

typedef struct {
  Descriptor of;
  Dimension dimension;
  Addendum more;
} ListPointer;

typedef struct {
  uint8_t genre;
  int64_t value;
} Value;

enum { DataMember = 1, PointerMember, AllocatableMember, AutomaticMember };
typedef struct {
  Descriptor name;
  uint8_t genre, category, kind, rank;
  int64_t offset;
  Value length;
  ScalarPointer type;
  ListPointer lengths;
  struct {
    Descriptor of;
    Dimension dimensions[2];
    Addendum more;
  } bounds;
  const void *initial;
} Member;

typedef struct type {
  ListPointer bindings;
  Descriptor name;
  int64_t bytes;
  ScalarPointer uninstantiated;
  struct {
    Descriptor of;
    Dimension dimension;
  } kinds, lengthKinds;
  ListPointer members, procedures, special;
  uint32_t specialBits;
  uint8_t hasParent, noInitialisation, noDestruction, noFinalisation, noDefinedAssignment;
} Type;

_Static_assert(sizeof(Member) == 256 && sizeof(Type) == 440, "as flang lays them out");

static inline const Type *typeOfMember(const Member *m) { return m->type.of.base; }

/// Elements of a member that is a part of the object itself. Length parameters are not followed.
static inline int64_t elementsOfMember(const Member *m) {
  int64_t count = 1;
  const Value *bounds = m->bounds.of.base;
  FOR_DIMENSIONS(m->rank) {
    const int64_t extent = bounds[2 * i + 1].value - bounds[2 * i].value + 1;
    count *= extent > 0 ? extent : 0;
  }
  return count;
}

/// Each of COUNT objects.
#define FOR_OBJECTS(COUNT) _Pragma("clang loop unroll(full)") for (int64_t each = 0; each < (COUNT); ++each)

/// Each member m of a type. Types are constants of the program, so that the loop is unrolled.
#define FOR_MEMBERS(TYPE, M)                                                                                           \
  _Pragma("clang loop unroll(full)") for (const Member *M = (TYPE)->members.of.base,                                   \
                                          *end_of_it = M + dimension(&(TYPE)->members.of, 0)->extent;                  \
                                          M != end_of_it; ++M)

/// A function that takes a type is inlined where the type is known (llvm-pass/lib/flatten/Unfold.cpp). It may call itself
/// for members.
#define OF_TYPE __attribute__((noinline)) static

/// Categories of intrinsic types, in the order of the release.
#if RELEASE >= 20
enum { Integer, Unsigned, Real, Complex, Text, Logical };
#else
enum { Integer, Real, Complex, Text, Logical };
#endif

static inline int codeOf(int category, int kind) {
  const int power = kind == 1 ? 0 : kind == 2 ? 1 : kind == 4 ? 2 : kind == 8 ? 3 : 4;
  const int real = kind == 2 ? 25 : kind == 3 ? 26 : kind == 4 ? 27 : kind == 8 ? 28 : kind == 10 ? 29 : 31;
  return category == Integer                ? TypeInteger + power
         : category == Real                 ? real
         : category == Complex              ? real + 7
         : category == Text                 ? (kind == 1   ? TypeText
                                               : kind == 2 ? TypeText2
                                                           : TypeText4)
         : category == Logical && kind == 1 ? TypeBool
                                            : TypeInteger + power;
}

static inline int64_t bytesOf(int category, int kind) {
  const int64_t real = kind == 10 ? 16 : kind == 3 ? 2 : kind;
  return category == Complex ? 2 * real : category == Real ? real : kind;
}

static inline int codeOfMember(const Member *m) { return typeOfMember(m) ? TypeStruct : codeOf(m->category, m->kind); }

/// Of an element. Texts whose length is a parameter or deferred have none yet.
static inline int64_t bytesOfMember(const Member *m) {
  return typeOfMember(m)       ? typeOfMember(m)->bytes
         : m->category == Text ? (m->length.genre == 2 ? m->length.value * m->kind : 0)
                               : bytesOf(m->category, m->kind);
}

static inline int64_t pointerBytes(const Member *m) {
  return sizeof(Descriptor) + m->rank * sizeof(Dimension) + (typeOfMember(m) ? sizeof(Addendum) : 0);
}

/// Frees what COUNT objects, side by side, hold. Procedures that the program has for that are not followed.
OF_TYPE void destroyObjects(char *objects, int64_t count, const Type *type) {
  FOR_OBJECTS(count)
  FOR_MEMBERS(type, m) {
    char *at = objects + each * type->bytes + m->offset;
    const Type *inner = typeOfMember(m);
    if (m->genre == AllocatableMember || m->genre == AutomaticMember) {
      Descriptor *d = (Descriptor *)at;
      if (d->base) {
        if (inner && !inner->noDestruction)
          destroyObjects(d->base, elements(d), inner);
        release(d);
      }
    } else if (m->genre == DataMember && inner && !inner->noDestruction) {
      destroyObjects(at, elementsOfMember(m), inner);
    }
  }
}

/// The same, with the block that they lie in. What is no object has no type.
static inline void destroyBlock(char *objects, int64_t count, const Type *type) {
  if (type && !type->noFinalisation)
    memshape_unfollowed(objects);
  if (type && !type->noDestruction)
    destroyObjects(objects, count, type);
  free(objects);
}

static inline void destroyArray(Descriptor *d) {
  destroyBlock(d->base, elements(d), typeOf(d));
  d->base = 0;
}

/// A descriptor of nothing, for a member that needs one.
static inline void establishMember(Descriptor *d, const Member *m, int attribute) {
  establish(d, codeOfMember(m), bytesOfMember(m), m->rank, typeOfMember(m));
  d->attribute = (uint8_t)attribute;
  FOR_DIMENSIONS(m->rank) setExtent(d, i, 0);
}

/// What COUNT objects hold when nothing was assigned to them: descriptors of nothing, and values that the type gives.
OF_TYPE void initialiseObjects(char *objects, int64_t count, const Type *type) {
  FOR_OBJECTS(count)
  FOR_MEMBERS(type, m) {
    char *at = objects + each * type->bytes + m->offset;
    const Type *inner = typeOfMember(m);
    if (m->genre == AllocatableMember || m->genre == AutomaticMember)
      establishMember((Descriptor *)at, m, Allocatable);
    else if (m->initial)
      memcpy(at, m->initial, m->genre == PointerMember ? pointerBytes(m) : bytesOfMember(m) * elementsOfMember(m));
    else if (m->genre == PointerMember)
      establishMember((Descriptor *)at, m, Pointer);
    else if (inner && !inner->noInitialisation)
      initialiseObjects(at, elementsOfMember(m), inner);
  }
}

static inline void initialiseArray(Descriptor *d) {
  const Type *type = typeOf(d);
  if (type && !type->noInitialisation)
    initialiseObjects(d->base, elements(d), type);
}
