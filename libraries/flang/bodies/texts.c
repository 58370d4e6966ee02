// Texts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "descriptors.h"

static inline int64_t bytesOfCharacter(const Descriptor *text) {
  return text->type == TypeText ? 1 : text->type == TypeText2 ? 2 : 4;
}

/// A scalar text of so many bytes.
static inline void makeText(Descriptor *result, const Descriptor *from, int64_t bytes) {
  establish(result, from->type, bytes, 0, 0);
  allocate(result);
}

void _FortranARepeat(Descriptor *result, const Descriptor *text, int64_t copies, const char *file, int line) {
  makeText(result, text, text->bytes * (copies > 0 ? copies : 0));
  memshape_received(result->base);
}

static inline int64_t lengthWithoutBlanks(const char *text, int64_t length) {
  while (length > 0 && text[length - 1] == ' ')
    --length;
  return length;
}

int64_t _FortranALenTrim1(const char *text, int64_t length) { return lengthWithoutBlanks(text, length); }

void _FortranATrim(Descriptor *result, const Descriptor *text, const char *file, int line) {
  int64_t bytes;
  if (bytesOfCharacter(text) == 1) {
    bytes = lengthWithoutBlanks(text->base, text->bytes);
  } else {
    memshape_received(&bytes);
    bytes = bytes < 0 ? 0 : bytes > text->bytes ? text->bytes : bytes;
  }
  makeText(result, text, bytes);
  memcpy(result->base, text->base, bytes);
}

static inline void adjust(Descriptor *result, const Descriptor *text) {
  establish(result, text->type, text->bytes, text->rank, 0);
  FOR_DIMENSIONS(rankOf(text)) setExtent(result, i, dimension(text, i)->extent);
  allocateData(result);
}

void _FortranAAdjustl(Descriptor *result, const Descriptor *text, const char *file, int line) { adjust(result, text); }
void _FortranAAdjustr(Descriptor *result, const Descriptor *text, const char *file, int line) { adjust(result, text); }
