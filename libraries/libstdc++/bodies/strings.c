// Members of std::string that the library has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::basic_string<char> of libstdc++: a pointer, a length, and room for 15 characters or the capacity. A skeleton calls
// these for real; a bound is counted from what they allocate. What has to be longer gets at least twice the capacity, in
// a block that is filled before the old one goes.

#include "bodies.h"

FOR_CEILINGS;

typedef struct {
  char *text;
  size_t length;
  union {
    size_t capacity;
    char room[16];
  };
} String;

#define STRING(NAME) _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##NAME
#define CREATE STRING(9_M_createERmm)
#define DISPOSE STRING(10_M_disposeEv)
#define MUTATE STRING(9_M_mutateEmmPKcm)
#define APPEND STRING(9_M_appendEPKcm)
#define REPLACE_AUX STRING(14_M_replace_auxEmmmc)
#define COPY STRING(C2ERKS4_)
static const size_t Most = INT64_MAX - 1;

void _ZSt20__throw_length_errorPKc(const char *) __attribute__((noreturn));
void *_Znwm(size_t);
void _ZdlPv(void *);
size_t strlen(const char *);

static size_t capacityOf(const String *s) { return s->text == s->room ? 15 : s->capacity; }

/// What is behind so many characters is no part of the string.
static void end(String *s, size_t length) {
  s->length = length;
  s->text[length] = 0;
}

static void setBlock(String *s, char *block, size_t capacity) {
  s->text = block;
  s->capacity = capacity;
}

/// What stands behind the first OLD of the characters from PLACE on stands behind the first NEW of them.
static void shift(String *s, size_t place, size_t old, size_t new) {
  char *at = s->text + place;
  memmove(at + new, at + old, s->length - (old + place));
}

/// The length with NEW characters in place of OLD ones.
THROWS static size_t lengthWith(const String *s, size_t old, size_t new, const char *function) {
  if (Most + old - s->length < new)
    _ZSt20__throw_length_errorPKc(function);
  return s->length + (new - old);
}

THROWS void *CREATE(String *this, size_t *capacity, size_t old) {
  if (*capacity > Most)
    _ZSt20__throw_length_errorPKc("basic_string::_M_create");
  if (*capacity > old && *capacity < 2 * old)
    *capacity = 2 * old < Most ? 2 * old : Most;
  return _Znwm(*capacity + 1);
}

void DISPOSE(String *s) {
  if (s->text != s->room)
    _ZdlPv(s->text);
}

THROWS void MUTATE(String *s, size_t place, size_t old, const char *text, size_t new) {
  const size_t rest = s->length - (old + place);
  size_t capacity = s->length + (new - old);
  char *block = CREATE(s, &capacity, capacityOf(s));
  memcpy(block, s->text, place);
  if (text)
    memcpy(block + place, text, new);
  memcpy(block + place + new, s->text + place + old, rest);
  DISPOSE(s);
  setBlock(s, block, capacity);
}

THROWS String *APPEND(String *s, const char *text, size_t count) {
  const size_t wanted = s->length + count;
  if (wanted > capacityOf(s))
    MUTATE(s, s->length, 0, text, count);
  else
    memcpy(s->text + s->length, text, count);
  end(s, wanted);
  return s;
}

THROWS String *STRING(10_M_replaceEmmPKcm)(String *s, size_t place, size_t old, const char *text, size_t new) {
  const size_t wanted = lengthWith(s, old, new, "basic_string::_M_replace");
  if (wanted > capacityOf(s)) {
    MUTATE(s, place, old, text, new);
  } else {
    shift(s, place, old, new);
    memmove(s->text + place, text, new);
  }
  end(s, wanted);
  return s;
}

THROWS String *REPLACE_AUX(String *s, size_t place, size_t old, size_t new, char character) {
  const size_t wanted = lengthWith(s, old, new, "basic_string::_M_replace_aux");
  if (wanted > capacityOf(s))
    MUTATE(s, place, old, 0, new);
  else
    shift(s, place, old, new);
  memset(s->text + place, character, new);
  end(s, wanted);
  return s;
}

THROWS void STRING(9_M_assignERKS4_)(String *s, const String *other) {
  if (s == other)
    return;
  const size_t length = other->length, old = capacityOf(s);
  if (length > old) {
    size_t capacity = length;
    char *block = CREATE(s, &capacity, old);
    DISPOSE(s);
    setBlock(s, block, capacity);
  }
  memcpy(s->text, other->text, length);
  end(s, length);
}

/// A block for so many characters, where the string has no room for them.
THROWS static void construct(String *s, size_t count) {
  size_t capacity = count;
  if (count > 15) {
    char *block = CREATE(s, &capacity, 0);
    setBlock(s, block, capacity);
  }
}

THROWS void STRING(12_M_constructEmc)(String *s, size_t count, char character) {
  construct(s, count);
  memset(s->text, character, count);
  end(s, count);
}

THROWS void STRING(7reserveEm)(String *s, size_t wanted) {
  const size_t old = capacityOf(s);
  if (old < wanted) {
    char *block = CREATE(s, &wanted, old);
    memcpy(block, s->text, s->length + 1);
    DISPOSE(s);
    setBlock(s, block, wanted);
  }
}

THROWS void STRING(6resizeEmc)(String *s, size_t count, char character) {
  if (s->length < count)
    REPLACE_AUX(s, s->length, 0, count - s->length, character);
  else if (s->length > count)
    end(s, count);
}

THROWS void STRING(9push_backEc)(String *s, char character) {
  const size_t length = s->length;
  if (length + 1 > capacityOf(s))
    MUTATE(s, length, 0, 0, 1);
  s->text[length] = character;
  end(s, length + 1);
}

THROWS void STRING(8_M_eraseEmm)(String *s, size_t place, size_t count) {
  shift(s, place, count, 0);
  end(s, s->length - count);
}

THROWS void STRING(D1Ev)(String *s) { DISPOSE(s); }
THROWS void STRING(D2Ev)(String *s) { DISPOSE(s); }

THROWS void COPY(String *s, const String *other) {
  const size_t length = other->length;
  const char *from = other->text;
  s->text = s->room;
  construct(s, length);
  memcpy(s->text, from, length);
  end(s, length);
}

THROWS void STRING(C1ERKS4_)(String *s, const String *other) { COPY(s, other); }
THROWS String *STRING(6appendEPKc)(String *s, const char *text) { return APPEND(s, text, strlen(text)); }
THROWS String *STRING(6appendERKS4_)(String *s, const String *other) { return APPEND(s, other->text, other->length); }
THROWS String *STRING(6appendEmc)(String *s, size_t count, char character) {
  return REPLACE_AUX(s, s->length, 0, count, character);
}
