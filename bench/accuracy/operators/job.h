// What every operator of this folder is run with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job reads its shape from the command line, makes the tensors that the operator is given, and says at the end, as
// one line of JSON, what the process held for the caller and what the kernel counted. Nothing else is allocated.

#pragma once

#include <memshape/operator.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// Out of line, so that the operator is a call as it would be from another file.
#define ACCURACY_OPERATOR extern "C" __attribute__((noinline)) MEMSHAPE_OPERATOR

class Job {
public:
  explicit Job(char **Arguments) : Next(Arguments + 1), Before(resident("VmHWM:")) {}

  int extent() { return *Next ? std::atoi(*Next++) : 0; }

  /// Filled with a signal that repeats slowly.
  template <class T> T *input(long Count) {
    T *Data = take<T>(Count);
    unsigned Noise = 2463534242u;
    for (long I = 0; I < Count; ++I) {
      Noise ^= Noise << 13, Noise ^= Noise >> 17, Noise ^= Noise << 5;
      Data[I] = static_cast<T>((I % 97) * (97 - I % 97) / 24 + Noise % 16);
    }
    return Data;
  }

  /// Zeros that were never written: if they are many, their pages become resident with the operator's first writes.
  template <class T> T *output(long Count) {
    Fresh += Count * static_cast<long>(sizeof(T));
    return take<T>(Count);
  }

  int finish() const {
    std::printf("{\"held_bytes\": %ld, \"fresh_bytes\": %ld, \"rss_start_bytes\": %ld, \"rss_peak_bytes\": %ld}\n",
                Held, Fresh, Before, resident("VmHWM:"));
    return 0;
  }

private:
  template <class T> T *take(long Count) {
    Held += Count * static_cast<long>(sizeof(T));
    void *Data = std::calloc(static_cast<std::size_t>(Count), sizeof(T));
    if (!Data)
      std::abort();
    return static_cast<T *>(Data);
  }

  /// A line of /proc/self/status, in bytes.
  static long resident(const char *Member) {
    char Text[4096];
    std::FILE *File = std::fopen("/proc/self/status", "r");
    if (!File)
      return -1;
    std::setvbuf(File, nullptr, _IONBF, 0);
    std::size_t Length = std::fread(Text, 1, sizeof Text - 1, File);
    std::fclose(File);
    Text[Length] = 0;
    const char *Line = std::strstr(Text, Member);
    return Line ? 1024 * std::atol(Line + std::strlen(Member)) : -1;
  }

  char **Next;
  long Before;
  long Held = 0, Fresh = 0;
};
