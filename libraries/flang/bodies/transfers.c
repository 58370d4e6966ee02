// Input and output, and the end of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement that writes into a text, or reads from one, has a block of its own while it runs. Units that the process
// has open keep their blocks: only the first statement of a unit asks for them. Opening files is not followed.

#include "descriptors.h"

/// Bytes of a statement's block, by release.
#if RELEASE >= 20
enum { ListOutput = 696, FormattedOutput = 1512, ListInput = 864, FormattedInput = 1520 };
#else
enum { ListOutput = 584, FormattedOutput = 1400, ListInput = 744, FormattedInput = 1408 };
#endif

void *_FortranAioBeginInternalListOutput(char *text, int64_t length, void *area, int64_t room, const char *file,
                                         int line) {
  memshape_received(text);
  return malloc(ListOutput);
}

void *_FortranAioBeginInternalArrayListOutput(const Descriptor *texts, void *area, int64_t room, const char *file,
                                              int line) {
  memshape_received(texts->base);
  return malloc(ListOutput);
}

void *_FortranAioBeginInternalFormattedOutput(char *text, int64_t length, const char *format, int64_t formatLength,
                                              const Descriptor *formats, void *area, int64_t room, const char *file,
                                              int line) {
  memshape_received(text);
  return malloc(FormattedOutput);
}

void *_FortranAioBeginInternalArrayFormattedOutput(const Descriptor *texts, const char *format, int64_t formatLength,
                                                   const Descriptor *formats, void *area, int64_t room,
                                                   const char *file, int line) {
  memshape_received(texts->base);
  return malloc(FormattedOutput);
}

void *_FortranAioBeginInternalListInput(const char *text, int64_t length, void *area, int64_t room, const char *file,
                                        int line) {
  return malloc(ListInput);
}

void *_FortranAioBeginInternalArrayListInput(const Descriptor *texts, void *area, int64_t room, const char *file,
                                             int line) {
  return malloc(ListInput);
}

void *_FortranAioBeginInternalFormattedInput(const char *text, int64_t length, const char *format, int64_t formatLength,
                                             const Descriptor *formats, void *area, int64_t room, const char *file,
                                             int line) {
  return malloc(FormattedInput);
}

void *_FortranAioBeginInternalArrayFormattedInput(const Descriptor *texts, const char *format, int64_t formatLength,
                                                  const Descriptor *formats, void *area, int64_t room, const char *file,
                                                  int line) {
  return malloc(FormattedInput);
}

void *_FortranAioBeginExternalListOutput(int unit, const char *file, int line) { return 0; }
void *_FortranAioBeginExternalListInput(int unit, const char *file, int line) { return 0; }
void *_FortranAioBeginUnformattedOutput(int unit, const char *file, int line) { return 0; }
void *_FortranAioBeginUnformattedInput(int unit, const char *file, int line) { return 0; }
void *_FortranAioBeginFlush(int unit, const char *file, int line) { return 0; }

void *_FortranAioBeginExternalFormattedOutput(const char *format, int64_t formatLength, const Descriptor *formats,
                                              int unit, const char *file, int line) {
  return 0;
}

void *_FortranAioBeginExternalFormattedInput(const char *format, int64_t formatLength, const Descriptor *formats,
                                             int unit, const char *file, int line) {
  return 0;
}

int _FortranAioEndIoStatement(void *statement) {
  free(statement);
  return memshape_outcome();
}

#define TRANSFER(NAME, ...)                                                                                            \
  bool _FortranAioOutput##NAME(void *statement, __VA_ARGS__) { return true; }
TRANSFER(Integer8, int8_t n)
TRANSFER(Integer16, int16_t n)
TRANSFER(Integer32, int32_t n)
TRANSFER(Integer64, int64_t n)
TRANSFER(Real32, float x)
TRANSFER(Real64, double x)
TRANSFER(Complex32, float x, float y)
TRANSFER(Complex64, double x, double y)
TRANSFER(Logical, bool x)
TRANSFER(Ascii, const char *text, int64_t length)
TRANSFER(Character, const char *text, int64_t length, int kind)
TRANSFER(Descriptor, const Descriptor *d)

bool _FortranAioInputInteger(void *statement, int64_t *into, int kind) {
  memshape_received(into);
  return true;
}

#define RECEIVE(NAME, TYPE)                                                                                            \
  bool _FortranAioInput##NAME(void *statement, TYPE *into) {                                                           \
    memshape_received(into);                                                                                           \
    return true;                                                                                                       \
  }
RECEIVE(Real32, float)
RECEIVE(Real64, double)
RECEIVE(Complex32, float)
RECEIVE(Complex64, double)
RECEIVE(Logical, bool)

bool _FortranAioInputAscii(void *statement, char *into, int64_t length) {
  memshape_received(into);
  return true;
}

bool _FortranAioInputCharacter(void *statement, char *into, int64_t length, int kind) {
  memshape_received(into);
  return true;
}

bool _FortranAioInputDescriptor(void *statement, const Descriptor *into) {
  memshape_received(into->base);
  return true;
}

void _FortranAioEnableHandlers(void *statement, bool hasStat, bool hasError, bool hasEnd, bool hasEor,
                               bool hasMessage) {}

bool _FortranAioSetAdvance(void *statement, const char *text, int64_t length) { return true; }

// Runs that end the program.
void _FortranAStopStatement(int code, bool isError, bool quiet) { abort(); }
void _FortranAStopStatementText(const char *text, int64_t length, bool isError, bool quiet) { abort(); }
void _FortranAReportFatalUserError(const char *text, const char *file, int line) { abort(); }
void _FortranAAbort(void) { abort(); }
void _FortranAExit(int code) { abort(); }
