// Functions that make arrays of arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What they compute is data, but for numbers that a loop over few integers gives.

#include "descriptors.h"

static inline int64_t extentOf(const Descriptor *d, int i) { return dimension(d, i)->extent; }

static inline int64_t integerAt(const void *at, int64_t bytes) {
  return bytes == 8   ? *(const int64_t *)at
         : bytes == 4 ? *(const int32_t *)at
         : bytes == 2 ? *(const int16_t *)at
                      : *(const int8_t *)at;
}

static inline int kindCode(int kind) {
  return TypeInteger + (kind == 1 ? 0 : kind == 2 ? 1 : kind == 4 ? 2 : kind == 8 ? 3 : 4);
}

void _FortranATranspose(Descriptor *result, const Descriptor *matrix, const char *file, int line) {
  establishLike(result, matrix, 2);
  setExtent(result, 0, extentOf(matrix, 1));
  setExtent(result, 1, extentOf(matrix, 0));
  allocateData(result);
}

void _FortranAReshape(Descriptor *result, const Descriptor *source, const Descriptor *shape, const Descriptor *pad,
                      const Descriptor *order, const char *file, int line) {
  const int rank = (int)extentOf(shape, 0);
  establishLike(result, source, rank);
  FOR_DIMENSIONS(rank) {
    const int64_t extent = integerAt((const char *)shape->base + i * dimension(shape, 0)->stride, shape->bytes);
    setExtent(result, i, extent > 0 ? extent : 0);
  }
  allocate(result);
  if (!order && isContiguous(source) && elements(source) >= elements(result))
    memcpy(result->base, source->base, elements(result) * result->bytes);
  else
    memshape_received(result->base);
}

/// How many elements of a mask are true.
static inline int64_t countTrue(const Descriptor *mask) {
  const int64_t count = elements(mask);
  int64_t found = 0;
  if (isContiguous(mask))
    for (int64_t i = 0; i < count; ++i)
      found += integerAt((const char *)mask->base + i * mask->bytes, mask->bytes) != 0;
  else
    for (int64_t i = 0; i < count; ++i) {
      int64_t any = 0;
      memshape_received(&any);
      found += any != 0;
    }
  return found;
}

void _FortranAPack(Descriptor *result, const Descriptor *array, const Descriptor *mask, const Descriptor *vector,
                   const char *file, int line) {
  establishLike(result, array, 1);
  int64_t count;
  if (vector)
    count = extentOf(vector, 0);
  else if (rankOf(mask))
    count = countTrue(mask);
  else
    count = integerAt(mask->base, mask->bytes) ? elements(array) : 0;
  setExtent(result, 0, count);
  allocateData(result);
}

void _FortranAUnpack(Descriptor *result, const Descriptor *vector, const Descriptor *mask, const Descriptor *field,
                     const char *file, int line) {
  establishLike(result, vector, rankOf(mask));
  FOR_DIMENSIONS(rankOf(mask)) setExtent(result, i, extentOf(mask, i));
  allocateData(result);
}

void _FortranASpread(Descriptor *result, const Descriptor *source, int at, int64_t copies, const char *file, int line) {
  const int rank = rankOf(source) + 1;
  establishLike(result, source, rank);
  FOR_DIMENSIONS(rank)
  setExtent(result, i, i == at - 1 ? (copies > 0 ? copies : 0) : extentOf(source, i < at ? i : i - 1));
  allocateData(result);
}

static inline void shift(Descriptor *result, const Descriptor *source) {
  establishLike(result, source, rankOf(source));
  FOR_DIMENSIONS(rankOf(source)) setExtent(result, i, extentOf(source, i));
  allocateData(result);
}

void _FortranACshift(Descriptor *result, const Descriptor *source, const Descriptor *by, int at, const char *file,
                     int line) {
  shift(result, source);
}
void _FortranACshiftVector(Descriptor *result, const Descriptor *source, int64_t by, const char *file, int line) {
  shift(result, source);
}
void _FortranAEoshift(Descriptor *result, const Descriptor *source, const Descriptor *by, const Descriptor *boundary,
                      int at, const char *file, int line) {
  shift(result, source);
}
void _FortranAEoshiftVector(Descriptor *result, const Descriptor *source, int64_t by, const Descriptor *boundary,
                            const char *file, int line) {
  shift(result, source);
}

// What is asked of arrays.

bool _FortranAIsContiguous(const Descriptor *d) { return isContiguous(d); }

int64_t _FortranASize(const Descriptor *d, const char *file, int line) { return elements(d); }

int64_t _FortranASizeDim(const Descriptor *d, int at, const char *file, int line) { return extentOf(d, at - 1); }

int64_t _FortranALboundDim(const Descriptor *d, int at, const char *file, int line) {
  return dimension(d, at - 1)->extent ? dimension(d, at - 1)->lower : 1;
}

/// Reductions. AT counts from 1; without it all of the array is reduced, to a scalar.
static inline void reduce(Descriptor *result, const Descriptor *array, int at, int type, int64_t bytes) {
  const int rank = at ? rankOf(array) - 1 : 0;
  establish(result, type, bytes, rank, 0);
  FOR_DIMENSIONS(rank) setExtent(result, i, extentOf(array, i < at - 1 ? i : i + 1));
  allocateData(result);
}

#define REDUCE(NAME)                                                                                                   \
  void _FortranA##NAME##Dim(Descriptor *result, const Descriptor *array, int at, const char *file, int line,           \
                            const Descriptor *mask) {                                                                  \
    reduce(result, array, at, array->type, array->bytes);                                                              \
  }
REDUCE(Sum)
REDUCE(Product)
REDUCE(Maxval)
REDUCE(Minval)
REDUCE(IAll)
REDUCE(IAny)
REDUCE(IParity)

void _FortranANorm2Dim(Descriptor *result, const Descriptor *array, int at, const char *file, int line) {
  reduce(result, array, at, array->type, array->bytes);
}

#define REDUCE_LOGICAL(NAME)                                                                                           \
  void _FortranA##NAME##Dim(Descriptor *result, const Descriptor *array, int at, const char *file, int line) {         \
    reduce(result, array, at, array->type, array->bytes);                                                              \
  }
REDUCE_LOGICAL(All)
REDUCE_LOGICAL(Any)
REDUCE_LOGICAL(Parity)

void _FortranACountDim(Descriptor *result, const Descriptor *array, int at, int kind, const char *file, int line) {
  reduce(result, array, at, kindCode(kind), kind);
}

/// Places: an index for each dimension, or one for each row.
static inline void locate(Descriptor *result, const Descriptor *array, int kind) {
  establish(result, kindCode(kind), kind, 1, 0);
  setExtent(result, 0, rankOf(array));
  allocateData(result);
}

#define LOCATE(NAME)                                                                                                   \
  void _FortranA##NAME(Descriptor *result, const Descriptor *array, int kind, const char *file, int line,              \
                       const Descriptor *mask, bool back) {                                                            \
    locate(result, array, kind);                                                                                       \
  }
#define LOCATE_OF(NAME)                                                                                                \
  LOCATE(NAME##Character)                                                                                              \
  LOCATE(NAME##Integer1)                                                                                               \
  LOCATE(NAME##Integer2)                                                                                               \
  LOCATE(NAME##Integer4)                                                                                               \
  LOCATE(NAME##Integer8)                                                                                               \
  LOCATE(NAME##Integer16) LOCATE(NAME##Real4) LOCATE(NAME##Real8) LOCATE(NAME##Real10) LOCATE(NAME##Real16)
LOCATE_OF(Maxloc)
LOCATE_OF(Minloc)

void _FortranAFindloc(Descriptor *result, const Descriptor *array, const Descriptor *value, int kind, const char *file,
                      int line, const Descriptor *mask, bool back) {
  locate(result, array, kind);
}

#define LOCATE_IN_ROWS(NAME)                                                                                           \
  void _FortranA##NAME##Dim(Descriptor *result, const Descriptor *array, int kind, int at, const char *file, int line, \
                            const Descriptor *mask, bool back) {                                                       \
    reduce(result, array, at, kindCode(kind), kind);                                                                   \
  }
LOCATE_IN_ROWS(Maxloc)
LOCATE_IN_ROWS(Minloc)

void _FortranAFindlocDim(Descriptor *result, const Descriptor *array, const Descriptor *value, int kind, int at,
                         const char *file, int line, const Descriptor *mask, bool back) {
  reduce(result, array, at, kindCode(kind), kind);
}

/// Integers are reduced for real, as sizes may be summed up; elements that do not lie side by side are data.
#define REDUCE_INTEGERS(NAME, BYTES, TYPE, FIRST, STEP)                                                                \
  TYPE _FortranA##NAME##Integer##BYTES(const Descriptor *array, const char *file, int line, int at,                    \
                                       const Descriptor *mask) {                                                       \
    const int64_t count = elements(array);                                                                             \
    TYPE found = FIRST;                                                                                                \
    if (mask || !isContiguous(array))                                                                                  \
      memshape_received(&found);                                                                                       \
    else                                                                                                               \
      for (int64_t i = 0; i < count; ++i) {                                                                            \
        const TYPE each = ((const TYPE *)array->base)[i];                                                              \
        found = STEP;                                                                                                  \
      }                                                                                                                \
    return found;                                                                                                      \
  }
#define REDUCE_ALL_INTEGERS(BYTES, TYPE)                                                                               \
  REDUCE_INTEGERS(Sum, BYTES, TYPE, 0, found + each)                                                                   \
  REDUCE_INTEGERS(Product, BYTES, TYPE, 1, found *each)                                                                \
  REDUCE_INTEGERS(Maxval, BYTES, TYPE, (TYPE)((uint64_t)1 << (8 * BYTES - 1)), found > each ? found : each)            \
  REDUCE_INTEGERS(Minval, BYTES, TYPE, (TYPE)(((uint64_t)1 << (8 * BYTES - 1)) - 1), found < each ? found : each)
REDUCE_ALL_INTEGERS(4, int32_t)
REDUCE_ALL_INTEGERS(8, int64_t)

/// Matrix products. The element is the wider of the two, complex where either is.
static inline void multiply(Descriptor *result, const Descriptor *x, const Descriptor *y, bool transposes, int type,
                            int64_t bytes) {
  const int rank = rankOf(x) + rankOf(y) - 2;
  establish(result, type, bytes, rank, 0);
  if (x->rank == 2)
    setExtent(result, 0, extentOf(x, transposes ? 1 : 0));
  if (y->rank == 2)
    setExtent(result, rank - 1, extentOf(y, 1));
  allocateData(result);
}

enum { ofInteger, ofUnsigned, ofReal, ofComplex, ofLogical };

static inline int64_t productKind(int x, int64_t kindOfX, int y, int64_t kindOfY) {
  const bool xIsReal = x == ofReal || x == ofComplex, yIsReal = y == ofReal || y == ofComplex;
  return xIsReal == yIsReal ? (kindOfX > kindOfY ? kindOfX : kindOfY) : xIsReal ? kindOfX : kindOfY;
}

static inline int productCode(int category, int64_t kind) {
  const int real = kind == 4 ? 27 : kind == 8 ? 28 : kind == 10 ? 29 : 31;
  return category == ofComplex                ? real + 7
         : category == ofReal                 ? real
         : category == ofLogical && kind == 1 ? TypeBool
                                              : kindCode((int)kind);
}

#define MULTIPLY(X, KX, Y, KY)                                                                                         \
  static inline void product##X##KX##Y##KY(Descriptor *result, const Descriptor *x, const Descriptor *y, bool turns) { \
    const int64_t kind = productKind(of##X, KX, of##Y, KY), real = kind == 10 ? 16 : kind;                             \
    const int category = of##X > of##Y ? of##X : of##Y;                                                                \
    multiply(result, x, y, turns, productCode(category, kind), category == ofComplex ? 2 * real : real);               \
  }                                                                                                                    \
  void _FortranAMatmul##X##KX##Y##KY(Descriptor *result, const Descriptor *x, const Descriptor *y, const char *file,   \
                                     int line) {                                                                       \
    product##X##KX##Y##KY(result, x, y, false);                                                                        \
  }                                                                                                                    \
  void _FortranAMatmulTranspose##X##KX##Y##KY(Descriptor *result, const Descriptor *x, const Descriptor *y,            \
                                              const char *file, int line) {                                            \
    product##X##KX##Y##KY(result, x, y, true);                                                                         \
  }
#define REALS(X, KX, Y) MULTIPLY(X, KX, Y, 4) MULTIPLY(X, KX, Y, 8) MULTIPLY(X, KX, Y, 10) MULTIPLY(X, KX, Y, 16)
#define WHOLES(X, KX, Y)                                                                                               \
  MULTIPLY(X, KX, Y, 1) MULTIPLY(X, KX, Y, 2) MULTIPLY(X, KX, Y, 4) MULTIPLY(X, KX, Y, 8) MULTIPLY(X, KX, Y, 16)
#define ALL(X, KX) WHOLES(X, KX, Integer) REALS(X, KX, Real) REALS(X, KX, Complex)
#define OF_WHOLE(KX) ALL(Integer, KX)
#define OF_REAL(KX) ALL(Real, KX) ALL(Complex, KX)
OF_WHOLE(1)
OF_WHOLE(2)
OF_WHOLE(4)
OF_WHOLE(8)
OF_WHOLE(16)
OF_REAL(4)
OF_REAL(8)
OF_REAL(10)
OF_REAL(16)
#define LOGICALS(KX)                                                                                                   \
  MULTIPLY(Logical, KX, Logical, 1)                                                                                    \
  MULTIPLY(Logical, KX, Logical, 2) MULTIPLY(Logical, KX, Logical, 4) MULTIPLY(Logical, KX, Logical, 8)
LOGICALS(1) LOGICALS(2) LOGICALS(4) LOGICALS(8)
