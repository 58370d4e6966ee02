// Assignments, and arrays that are made of several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "types.h"

/// Whether elements of both may be the same memory.
static inline bool overlap(const Descriptor *to, const Descriptor *from) {
  int64_t least = 0, most = from->bytes, own = to->bytes;
  FOR_DIMENSIONS(rankOf(from)) {
    const int64_t reach = (dimension(from, i)->extent - 1) * dimension(from, i)->stride;
    least += reach < 0 ? reach : 0;
    most += reach > 0 ? reach : 0;
  }
  FOR_DIMENSIONS(rankOf(to)) own += (dimension(to, i)->extent - 1) * dimension(to, i)->stride;
  return memshape_overlap(to->base, own, from->base, least, most);
}

static inline bool hasOtherShape(const Descriptor *to, const Descriptor *from, bool keepsLength) {
  bool other = to->type != from->type || (!keepsLength && isText(to->type) && to->bytes != from->bytes);
  if (rankOf(from) > 0)
    FOR_DIMENSIONS(rankOf(to)) other |= dimension(to, i)->extent != dimension(from, i)->extent;
  return other;
}

/// Room for what is assigned.
static inline void allocateLike(Descriptor *to, const Descriptor *from, bool keepsLength) {
  to->type = from->type;
  if (!keepsLength)
    to->bytes = from->bytes;
  if (addendum(to) && addendum(from))
    *addendum(to) = *addendum(from);
  FOR_DIMENSIONS(rankOf(from)) {
    dimension(to, i)->lower = dimension(from, i)->lower;
    dimension(to, i)->extent = dimension(from, i)->extent;
  }
  allocate(to);
  initialiseArray(to);
}

static inline void copyElements(Descriptor *to, const Descriptor *from) {
  const int64_t bytes = elements(to) * to->bytes;
  if (to->rank == rankOf(from) && to->bytes == from->bytes && isContiguous(to) && isContiguous(from))
    memmove(to->base, from->base, bytes);
  else if (bytes)
    memshape_received(to->base);
}

enum { MayReallocate = 1, KeepsLength = 2, Finalise = 4 };

static inline void assignMember(Descriptor *to, const Descriptor *from);

/// Assigns to COUNT objects, side by side, what others hold, each STEP bytes behind the one before.
OF_TYPE void assignObjects(char *to, const char *from, int64_t count, int64_t step, const Type *type) {
  if (!type->noDefinedAssignment || type->procedures.of.base)
    memshape_unfollowed(to);
  FOR_OBJECTS(count)
  FOR_MEMBERS(type, m) {
    char *into = to + each * type->bytes + m->offset;
    const char *of = from + each * step + m->offset;
    const Type *inner = typeOfMember(m);
    if (m->genre == AllocatableMember || m->genre == AutomaticMember)
      assignMember((Descriptor *)into, (const Descriptor *)of);
    else if (m->genre == PointerMember)
      memmove(into, of, pointerBytes(m));
    else if (inner)
      assignObjects(into, of, elementsOfMember(m), inner->bytes, inner);
    else
      memmove(into, of, bytesOfMember(m) * elementsOfMember(m));
  }
}

/// Allocatable members are allocated anew.
static inline void assignMember(Descriptor *to, const Descriptor *from) {
  if (to->base)
    destroyArray(to);
  if (!from->base)
    return;
  allocateLike(to, from, false);
  if (typeOf(from))
    assignObjects(to->base, from->base, elements(to), from->bytes, typeOf(from));
  else
    copyElements(to, from);
}

static inline void assignInto(Descriptor *to, const Descriptor *from, int flags) {
  if (!to->base && to->attribute == Allocatable)
    allocateLike(to, from, flags & KeepsLength);
  const Type *type = typeOf(to);
  if (!type) {
    copyElements(to, from);
    return;
  }
  if (((flags & Finalise) && !type->noFinalisation) || !isContiguous(to) || (rankOf(from) && !isContiguous(from)))
    memshape_unfollowed(to->base);
  else
    assignObjects(to->base, from->base, elements(to), rankOf(from) ? from->bytes : 0, type);
}

/// A block that is replaced goes before the new one comes, unless what is assigned lies in it. What lies in a place that
/// stays is copied first, if it cannot be moved in one piece.
static inline void assign(Descriptor *to, const Descriptor *from, int flags) {
  const bool same = overlap(to, from);
  if (to->attribute == Allocatable && to->base && (flags & MayReallocate) &&
      hasOtherShape(to, from, flags & KeepsLength)) {
    char *before = to->base;
    const int64_t count = elements(to);
    const Type *type = typeOf(to);
    if (!same)
      destroyBlock(before, count, type);
    to->base = 0;
    assignInto(to, from, flags);
    if (same)
      destroyBlock(before, count, type);
  } else if (same && (typeOf(to) || rankOf(to) != rankOf(from) || to->bytes != from->bytes || !isContiguous(to) ||
                      !isContiguous(from))) {
    const int64_t bytes = elements(from) * from->bytes;
    void *copy = malloc(bytes ? bytes : 1);
    assignInto(to, from, flags);
    free(copy);
  } else {
    assignInto(to, from, flags);
  }
}

void _FortranAAssign(Descriptor *to, const Descriptor *from, const char *file, int line) {
  assign(to, from, MayReallocate | Finalise);
}

void _FortranAAssignPolymorphic(Descriptor *to, const Descriptor *from, const char *file, int line) {
  if (typeOf(to) != typeOf(from))
    memshape_unfollowed(to);
  assign(to, from, MayReallocate | Finalise);
}

void _FortranAAssignExplicitLengthCharacter(Descriptor *to, const Descriptor *from, const char *file, int line) {
  assign(to, from, MayReallocate | Finalise | KeepsLength);
}

static inline void assignTemporary(Descriptor *to, const Descriptor *from) {
  if (to->base)
    initialiseArray(to);
  assign(to, from, MayReallocate);
}

void _FortranAAssignTemporary(Descriptor *to, const Descriptor *from, const char *file, int line) {
  assignTemporary(to, from);
}

void _FortranACopyInAssign(Descriptor *copy, const Descriptor *of, const char *file, int line) {
  copyDescriptor(copy, of);
  copy->base = 0;
  copy->attribute = Allocatable;
  assignTemporary(copy, of);
}

void _FortranACopyOutAssign(Descriptor *to, Descriptor *copy, const char *file, int line) {
  if (to)
    assign(to, copy, 0);
  destroyArray(copy);
}

static inline void shallowCopy(Descriptor *to, const Descriptor *from) {
  if (isContiguous(to) && isContiguous(from))
    memmove(to->base, from->base, elements(to) * to->bytes);
  else
    memshape_received(to->base);
}

void _FortranAShallowCopy(Descriptor *result, const Descriptor *from, const char *file, int line) {
  establishLike(result, from, rankOf(from));
  FOR_DIMENSIONS(rankOf(from)) setExtent(result, i, dimension(from, i)->extent);
  if (!from->base)
    return;
  allocate(result);
  shallowCopy(result, from);
}

void _FortranAShallowCopyDirect(const Descriptor *result, const Descriptor *from, const char *file, int line) {
  shallowCopy((Descriptor *)result, from);
}

/// An array that values are appended to.
typedef struct {
  Descriptor *to;
  int64_t next, room; // in elements
  const char *file;   // of no use here
  int line;
  bool takesLength; // that of the first value
} Constructor;

static inline void begin(Constructor *c, Descriptor *to, bool takesLength) {
  c->to = to;
  c->next = 0;
  c->room = to->base ? elements(to) : 0;
  c->takesLength = takesLength;
}

#if RELEASE >= 20
void _FortranAInitArrayConstructorVector(Constructor *c, Descriptor *to, bool takesLength, const char *file, int line) {
  begin(c, to, takesLength);
}
#else
void _FortranAInitArrayConstructorVector(Constructor *c, Descriptor *to, bool takesLength, int bytes, const char *file,
                                         int line) {
  begin(c, to, takesLength);
}
#endif

/// Room for COUNT values more. The first block has room for 4 values and 128 bytes, later ones are twice as large.
static inline void reserve(Constructor *c, int64_t count) {
  Descriptor *to = c->to;
  const int64_t there = elements(to);
  if (to->attribute == Allocatable && !to->base) {
    c->room = there;
    if (!there) {
      const int64_t least = to->bytes ? 128 / to->bytes : 0, wanted = count > 4 ? count : 4;
      c->room = wanted > least ? wanted : least;
      setExtent(to, 0, c->room);
    }
    allocate(to);
    initialiseArray(to);
    if (!there)
      setExtent(to, 0, count);
    return;
  }
  const int64_t wanted = c->next + count;
  if (to->attribute == Allocatable && c->room < wanted) {
    c->room = 2 * c->room > wanted ? 2 * c->room : wanted;
    if (c->room * to->bytes > 0)
      to->base = realloc(to->base, c->room * to->bytes);
    setExtent(to, 0, wanted);
  } else if (there < wanted) {
    setExtent(to, 0, wanted);
  }
}

void _FortranAPushArrayConstructorValue(Constructor *c, const Descriptor *value) {
  const int64_t count = elements(value);
  Descriptor *to = c->to;
  if (c->takesLength && to->attribute == Allocatable && !to->base && isText(to->type))
    to->bytes = value->bytes;
  reserve(c, count);
  char *at = (char *)to->base + c->next * to->bytes;
  const Type *type = typeOf(to);
  if (type && !isContiguous(value))
    memshape_unfollowed(at);
  else if (type)
    assignObjects(at, value->base, count, value->bytes, type);
  else if (isContiguous(value) && to->bytes == value->bytes)
    memcpy(at, value->base, count * to->bytes);
  else
    memshape_received(to->base);
  c->next += count;
}

void _FortranAPushArrayConstructorSimpleScalar(Constructor *c, void *value) {
  reserve(c, 1);
  memcpy((char *)c->to->base + c->next * c->to->bytes, value, c->to->bytes);
  ++c->next;
}
