// What bodies of libraries' functions are written with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body says what a function requests and frees, and what it leaves behind (docs/libraries.md). It knows memshape's own
// functions, those of the C library that are declared here, and what it declares itself.

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void abort(void) __attribute__((noreturn));
#define memcpy __builtin_memcpy
#define memmove __builtin_memmove
#define memset __builtin_memset

/// Data, 0 where all goes well.
int memshape_outcome(void);
/// All that it points to is data from then on.
void memshape_received(void *);
/// So many bytes are.
#define DATA(POINTER, BYTES) __asm__ volatile("# memshape.data" : : "r"(POINTER), "r"((size_t)(BYTES)) : "memory")

/// Said of a body: see docs/libraries.md.
#define SAYS(KEY, VALUE) __attribute__((annotate("memshape-" KEY "=" VALUE)))
#define THROWS SAYS("throws", "")
/// Said of all bodies of a file.
#define UNLESS(WORDS) const char memshape_unless[] = WORDS
#define FOR_CEILINGS const char memshape_for_ceilings[] = "yes"
/// Lines of functions and what is called before them.
#define BEFORE const char memshape_before[]

#define PASTE(A, B, C) A##B##C
/// The name that A, the macro B and C make.
#define NAME(A, B, C) PASTE(A, B, C)
