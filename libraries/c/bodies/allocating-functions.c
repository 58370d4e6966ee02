// Functions of the C library that allocate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As glibc has them. memshape_outcome is data, 0 where all goes well.
//
// A stream is 472 bytes from when it is opened until it is closed. The first transfer gives it a buffer as large as a
// block of the file system, 4096 bytes on all that are common (libio/filedoalloc.c). Of the stream the skeleton uses
// what <stdio.h> uses inline - flags at 0, ends of what is buffered at 8, 16, 40 and 48 -, the buffer at 56, and at 72
// the block that goes when it is closed. What ungetc puts back goes, unless it is what was read, into a buffer of 128
// bytes that doubles (libio/genops.c): its bytes at 80, what is in it at most at 88, the block at 96. At 104 stands a
// mark: a stream without it was opened elsewhere. Files whose mode says more than how they are opened are not followed.
//
// perror writes through a stream of its own while nobody has written to stderr. atexit keeps its functions in blocks of
// 32, the first of which is no block.
//
// raise calls a function of the program's, unless it ends the program.
//
// qsort merges in a block of its own where that has 1024 bytes and takes no more than a quarter of the memory
// (stdlib/msort.c); elements above 32 bytes are sorted through pointers. It is stable, as the exchange sort here is. How
// often the library compares depends on the data and on how it sorts.

#include "bodies.h"

typedef struct {
  int flags;
  void *read, *filled, *unused[2], *write, *full, *buffer, *others, *own;
  size_t bytes, back;
  void *backup;
  size_t mark;
  char rest[360];
} Stream;
_Static_assert(sizeof(Stream) == 472, "as glibc lays it out");

enum { Block = 4096, Mark = 472472472 };
enum { FullBuffering = 0, NoBuffering = 2 };
enum { PageSize = 30, PhysicalPages = 85 };

extern Stream *stdin, *stdout, *stderr;
extern void (*handler)(int) __asm__("the handler of a signal");
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
long sysconf(int);
char *strpbrk(const char *, const char *);
Stream *_IO_file_fopen(Stream *, const char *, const char *, int);
int _IO_sputbackc(Stream *, int);

int raise(int number) {
  handler(number);
  return 0;
}

char *strdup(const char *text) {
  const size_t bytes = strlen(text) + 1;
  return memcpy(malloc(bytes), text, bytes);
}

char *strndup(const char *text, size_t most) {
  const size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *__strdup(const char *text) { return strdup(text); }
char *__strndup(const char *text, size_t most) { return strndup(text, most); }

void memshape_exchange(char *base, size_t whole, size_t size, int (*compare)(const void *, const void *)) {
  char *spare = __builtin_alloca_with_align(size, 128);
  for (size_t end = whole; end > size; end -= size) {
    size_t at = 0;
    do {
      char *left = base + at, *right = base + (at += size);
      if (compare(left, right) > 0) {
        memcpy(spare, left, size);
        memcpy(left, right, size);
        memcpy(right, spare, size);
      }
    } while (at < end - size);
  }
}

SAYS("computes", "3")
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const size_t whole = count * size, room = size > 32 ? count * 16 + size : whole;
  void *held = 0;
  if (room >= 1024) {
    const long pages = sysconf(PhysicalPages), page = sysconf(PageSize);
    if (room / (size_t)page <= (size_t)(pages / 4))
      held = malloc(room);
  }
  memshape_exchange(base, whole, size, compare);
  free(held);
}

void memshape_empty(Stream *file) {
  file->read = file->filled = file->write = file->full = file->buffer = file->own = 0;
}

Stream *memshape_open(void) {
  Stream *file = malloc(sizeof(Stream));
  if (memshape_outcome()) {
    free(file);
    return 0;
  }
  file->flags = memshape_outcome();
  memshape_empty(file);
  file->bytes = file->back = 0;
  file->backup = 0;
  file->mark = Mark;
  return file;
}

bool memshape_is_passing(const Stream *file) { return !file | (file == stdin) | (file == stdout) | (file == stderr); }

void memshape_transfer(Stream *file, size_t size, size_t count) {
  if (size * count && !memshape_is_passing(file) && !file->buffer)
    file->own = file->buffer = malloc(Block);
}

void memshape_take(Stream *file) {
  memshape_transfer(file, 1, 1);
  if (!memshape_is_passing(file) && file->back)
    --file->back;
}

int ungetc(int character, Stream *file) {
  if (file->mark != Mark)
    return _IO_sputbackc(file, character);
  if (memshape_outcome() && ++file->back > file->bytes) {
    const size_t wanted = file->bytes ? 2 * file->bytes : 128;
    void *block = malloc(wanted);
    free(file->backup);
    file->backup = block;
    file->bytes = wanted;
  }
  return character;
}

void memshape_buffer(Stream *file, void *buffer, int mode) {
  if (memshape_is_passing(file))
    return;
  if (buffer || mode == NoBuffering) {
    free(file->own);
    file->own = 0;
    file->buffer = file;
  } else if (mode == FullBuffering) {
    memshape_transfer(file, 1, 1);
  }
}

int fclose(Stream *file) {
  const int outcome = memshape_outcome();
  if (!memshape_is_passing(file)) {
    free(file->own);
    free(file->backup);
    free(file);
  }
  return outcome;
}

Stream *fopen(const char *name, const char *mode) {
  return strpbrk(mode, ",m") ? _IO_file_fopen(0, name, mode, 0) : memshape_open();
}

Stream *fopen64(const char *name, const char *mode) { return fopen(name, mode); }
Stream *fdopen(int number, const char *mode) { return memshape_open(); }
Stream *tmpfile(void) { return memshape_open(); }
Stream *tmpfile64(void) { return memshape_open(); }

void perror(const char *text) {
  if (memshape_outcome()) {
    void *file = malloc(sizeof(Stream));
    free(malloc(Block));
    free(file);
  }
}

int atexit(void (*function)(void)) {
  if (memshape_outcome())
    malloc(1040);
  return 0;
}

void *opendir(const char *name) { return memshape_outcome() ? 0 : malloc(32816); }

int closedir(void *directory) {
  const int outcome = memshape_outcome();
  free(directory);
  return outcome;
}

/// What is done to a stream's buffer before each transfer.
BEFORE = "fgetc getc fgetc_unlocked getc_unlocked _IO_getc: memshape_take 0\n"
         "__uflow __underflow fscanf __isoc99_fscanf __isoc23_fscanf fprintf vfscanf __isoc99_vfscanf __isoc23_vfscanf "
         "vfprintf __fprintf_chk __vfprintf_chk fseek fseeko fseeko64 fsetpos fsetpos64 rewind __overflow: "
         "memshape_transfer 0 =1 =1\n"
         "fputs fputs_unlocked fputc putc fputc_unlocked putc_unlocked: memshape_transfer 1 =1 =1\n"
         "fgets fgets_unlocked: memshape_transfer 2 =1 =1\n"
         "fread fwrite fread_unlocked fwrite_unlocked: memshape_transfer 3 1 2\n"
         "setvbuf: memshape_buffer 0 1 2\n"
         "setbuf: memshape_buffer 0 1 =2\n";
