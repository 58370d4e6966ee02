// Arrays as flang's run-time library has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies for functions of that library (docs/libraries.md): what they request and free, and the descriptors and numbers
// that they leave. Elements that they compute are data, memshape_received(). What a body does not know is a call of
// memshape_unfollowed(), a function without body: the answer names it, and is not exact.

#pragma once

#include "bodies.h"

void memshape_unfollowed(void *);
/// How many dimensions D has, which says RANK.
int memshape_rank(const void *d, int rank) __attribute__((const));
/// Whether the bytes behind A meet those of B, from LEAST to MOST.
bool memshape_overlap(const void *a, int64_t bytes, const void *b, int64_t least, int64_t most) __attribute__((const));

enum { Plain, Pointer, Allocatable };
enum { HasAddendum = 1 };
enum {
  TypeInteger = 7,
  TypeLong = 10,
  TypeFloat = 27,
  TypeBool = 39,
  TypeText = 40, ///< of characters of one byte, of two, of four
  TypeText2 = 43,
  TypeText4 = 44,
  TypeStruct = 42
};

static inline bool isText(int type) { return type == TypeText || type == TypeText2 || type == TypeText4; }

struct type;

typedef struct {
  int64_t lower, extent, stride; // stride in bytes
} Dimension;

typedef struct {
  void *base;
  int64_t bytes; // of an element
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute, extra;
} Descriptor; // behind it its dimensions, and an addendum

typedef struct {
  const struct type *type;
  int64_t lengths[1];
} Addendum;

static inline Dimension *dimension(const Descriptor *d, int i) { return (Dimension *)(d + 1) + i; }

static inline int rankOf(const Descriptor *d) { return memshape_rank(d, d->rank); }

/// Each dimension i. Where the rank is known the loop is unrolled, so that descriptors become single variables.
#define FOR_DIMENSIONS(RANK) _Pragma("clang loop unroll(full)") for (int i = 0; i < (RANK); ++i)

static inline Addendum *addendum(const Descriptor *d) {
  return d->extra & HasAddendum ? (Addendum *)dimension(d, rankOf(d)) : 0;
}

static inline const struct type *typeOf(const Descriptor *d) {
  const Addendum *a = addendum(d);
  return a ? a->type : 0;
}

static inline int64_t elements(const Descriptor *d) {
  int64_t count = 1;
  FOR_DIMENSIONS(rankOf(d)) count *= dimension(d, i)->extent;
  return count;
}

static inline void copyDescriptor(Descriptor *to, const Descriptor *from) {
  to->base = from->base;
  to->bytes = from->bytes;
  to->version = from->version;
  to->rank = from->rank;
  to->type = from->type;
  to->attribute = from->attribute;
  to->extra = from->extra;
  FOR_DIMENSIONS(rankOf(from)) * dimension(to, i) = *dimension(from, i);
  if (from->extra & HasAddendum)
    *addendum(to) = *addendum(from);
}

static inline void setBounds(Dimension *d, int64_t lower, int64_t upper) {
  d->lower = upper >= lower ? lower : 1;
  d->extent = upper >= lower ? upper - lower + 1 : 0;
}

static inline bool isContiguous(const Descriptor *d) {
  int64_t bytes = d->bytes;
  bool is = true;
  FOR_DIMENSIONS(rankOf(d)) {
    is &= dimension(d, i)->extent == 1 || dimension(d, i)->stride == bytes;
    bytes *= dimension(d, i)->extent;
  }
  return is || bytes == 0;
}

static inline void setStrides(Descriptor *d) {
  int64_t stride = d->bytes;
  FOR_DIMENSIONS(rankOf(d)) {
    dimension(d, i)->stride = stride;
    stride *= dimension(d, i)->extent;
  }
}

/// No block is empty.
static inline void allocate(Descriptor *d) {
  const int64_t bytes = elements(d) * d->bytes;
  d->base = malloc(bytes ? bytes : 1);
  setStrides(d);
}

static inline void release(Descriptor *d) {
  free(d->base);
  d->base = 0;
}

/// A descriptor of nothing, with bounds from 1.
static inline void establish(Descriptor *d, int type, int64_t bytes, int rank, const struct type *derived) {
  d->base = 0;
  d->bytes = bytes;
  d->version = 20240719;
  d->rank = (uint8_t)rank;
  d->type = (int8_t)type;
  d->attribute = Allocatable;
  d->extra = derived ? HasAddendum : 0;
  if (derived) {
    addendum(d)->type = derived;
    addendum(d)->lengths[0] = 0;
  }
}

/// A result with the elements of From, whose extents are set.
static inline void establishLike(Descriptor *result, const Descriptor *from, int rank) {
  establish(result, from->type, from->bytes, rank, typeOf(from));
}

static inline void setExtent(Descriptor *d, int i, int64_t extent) {
  dimension(d, i)->lower = 1;
  dimension(d, i)->extent = extent;
}

/// The same, allocated, with elements that are data.
static inline void allocateData(Descriptor *d) {
  allocate(d);
  memshape_received(d->base);
}
