// File streams of the C++ library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As libstdc++ has them: an open stream holds a FILE of the C library, which it does not transfer through, and a buffer
// of BUFSIZ, 8192 bytes (filebuf's _M_allocate_internal_buffer). Of an object the skeleton has what headers use inline:
// the table that tells where basic_ios is, in that the state and the pointer to the character table, how many
// characters were read last, and the FILE. The state is data: any operation may have failed.
//
// Streams into memory are objects of the library's own, and what is done to any stream is called for real beside them.
//
// How long text is that is read from a stream, nobody knows.

#include "bodies.h"

UNLESS("stringstreamIc stringbufIc");

typedef struct {
  void *stream, *buffer;
} File;

/// basic_ios.
typedef struct {
  char unused[32];
  int state;
  char others[204];
  const void *characters;
  char rest[16];
} Ios;
_Static_assert(sizeof(Ios) == 264, "as libstdc++ lays it out");

void *memshape_open(void);

const struct {
  char unused[56], filled, others[512];
} memshape_characters = {.filled = 1};

static void prepare(Ios *base) {
  memset(base, 0, sizeof *base);
  base->characters = &memshape_characters;
  base->state = memshape_outcome();
}

static void fill(File *file) {
  file->stream = memshape_open();
  file->buffer = 0;
  if (file->stream)
    file->buffer = malloc(8192);
}

static void emptyOut(File *file) {
  free(file->buffer);
  file->buffer = 0;
  free(file->stream);
  file->stream = 0;
}

#define FILEBUF(NAME) _ZNSt13basic_filebufIcSt11char_traitsIcEE##NAME
static File *fileIn(char *buffer) { return (File *)(buffer + 104); }

void *FILEBUF(4openEPKcSt13_Ios_Openmode)(char *this, const char *name, int mode) {
  File *file = fileIn(this);
  emptyOut(file);
  fill(file);
  return file->stream ? this : 0;
}

void *FILEBUF(5closeEv)(char *this) {
  const bool open = fileIn(this)->stream;
  emptyOut(fileIn(this));
  return open ? this : 0;
}

bool _ZNKSt12__basic_fileIcE7is_openEv(const File *file) { return file->stream; }

void gathersText(void *) __asm__("text read from a stream");
#define TYPES IcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE

void *NAME(_ZSt7getline, TYPES, S4_)(void *stream, void *text, char end) {
  gathersText(text);
  return stream;
}

void *NAME(_ZSt7getline, TYPES, )(void *stream, void *text) {
  gathersText(text);
  return stream;
}

void *NAME(_ZStrs, TYPES, )(void *stream, void *text) {
  gathersText(text);
  return stream;
}

#define CLASS 14basic_ifstream
#define FILE_AT 120
#define BASE_AT 256
#include "file-stream-class.inc"
#define CLASS 14basic_ofstream
#define FILE_AT 112
#define BASE_AT 248
#include "file-stream-class.inc"
#define CLASS 13basic_fstream
#define FILE_AT 128
#define BASE_AT 264
#include "file-stream-class.inc"

// Numbers: their characters are gathered in a string with room for 56 of them, before its end (num_get's do_get).
// Nothing is gathered from a stream that has come to its end.
void gathersMore(void *) __asm__("a number of more than 56 characters, read from a stream");

#define NUMBER(TYPE)                                                                                                   \
  void *_ZNSi10_M_extractI##TYPE##EERSiRT_(void *stream, void *number) {                                               \
    if (!memshape_outcome()) {                                                                                         \
      void *text = malloc(57);                                                                                         \
      if (memshape_outcome())                                                                                          \
        gathersMore(number);                                                                                           \
      free(text);                                                                                                      \
    }                                                                                                                  \
    memshape_received(number);                                                                                         \
    return stream;                                                                                                     \
  }                                                                                                                    \
  void *_ZNSirsER##TYPE(void *stream, void *number) { return _ZNSi10_M_extractI##TYPE##EERSiRT_(stream, number); }
NUMBER(f)
NUMBER(d)
NUMBER(e)
