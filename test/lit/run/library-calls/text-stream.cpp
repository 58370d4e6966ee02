// Numbers written into a string stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream into memory allocates as it is written to; what goes to std::cerr leaves the process, and is never written.
//
// RUN: %held -std=c++20 -O2
// HELD n=100 n=700 n=7
//
// How many digits an address has is chance.
// HELD -DADDRESS n=7 --bounds 0..none --because on_zeros
//
// Numbers are rounded as the caller says: 9.5 is 9 or 10.
// HELD -DROUNDED n=19 --bounds 13..23
//
// What is written goes where a stream's buffer puts it: into blocks of a class of the operator's own, into arrays, or
// into strings of the older layout. Only streams that others have built take nothing.
// HELD -DBUILT n=40 --bounds 0..none --because replayed
// HELD -DBUILT -DCOUNTS n=40 --bounds 0..none --because replayed
// HELD -DBUILT -DOF_ARRAYS -Wno-deprecated n=40
// HELD -DBUILT -DIN_TEXT -D_GLIBCXX_USE_CXX11_ABI=0 n=40 --bounds 0..none --because replayed

#include "../Inputs/taken.h"
#include "../Inputs/twice.h"
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <strstream>
#include <vector>

#ifdef BUILT

struct Kept : std::streambuf {
  std::vector<char> letters;
  int count = 0;
  int_type overflow(int_type letter) override {
#ifdef COUNTS
    ++count;
#else
    letters.push_back(char(letter));
#endif
    return letter;
  }
};

MEMSHAPE_OPERATOR
float written(const float *in, int n) {
#ifdef OF_ARRAYS
  std::ostrstream stream;
  stream << n << "abc";
  const int count = stream.pcount();
  stream.freeze(false);
#elif defined IN_TEXT
  std::ostringstream stream;
  std::tm day{};
  day.tm_mday = 1;
  stream << std::put_time(&day, "%d") << n;
  const int count = stream.str().size();
#else
  Kept buffer;
  std::ostream stream(&buffer);
  stream << n << "abc";
  const int count = buffer.count + buffer.letters.size();
#endif
  return taken(in, count * 10 + 3);
}

TWICE(sink = written(data, number(1)))

#else

#ifdef ROUNDED

MEMSHAPE_OPERATOR
float header(const float *in, int n) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(0) << n * 0.5;
  return taken(in, text.str().size() * 10 + 3);
}
#else

MEMSHAPE_OPERATOR
int header(const float *in, int n) {
  std::ostringstream text;
  for (int i = 0; i < n; ++i)
    text << i << ' ';
#ifdef ADDRESS
  text << static_cast<const void *>(in);
#endif
  std::string line = text.str();
  std::cerr << "header of " << n << " columns: " << line << std::endl;
  return line[n] + (in[0] > 0);
}
#endif

TWICE(sink = header(data, number(1)))

#endif
