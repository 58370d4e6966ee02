// Strings that come with their characters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a copy needs follows from the length alone, and so does what a longer one needs.
//
// RUN: %held -std=c++17 -O2 -fplugin-arg-memshape-operator=copied
// HELD s.size=100 s.size=10
// HELD -DFILLED n=100
//
// A string that is moved leaves its length, and its capacity beside that.
// HELD -DMEMBER s.text.size=100
//
// A number that is read from characters is another matter.
// RUN: %clangxx -std=c++17 -O2 -DREAD -fplugin=%plugin -fplugin-arg-memshape-operator=copied -I%include -c %s -o %t.o
// RUN: %predict --shape s.size=100 --json | %says '"exact": false'

// Of two constructors that without a text is taken: a text says where to read an object.
// RUN: %clangxx -std=c++17 -O2 -DREADS -fplugin=%plugin -fplugin-arg-memshape-operator=copied -I%include -c %s -o %t.o
// RUN: %predict --shape x.s.dim=3,x.most=10 | %says "peak heap {{.*}} 120 bytes exact"

#include "../Inputs/twice.h"
#include <string>

#if defined(READS)
#include <vector>
struct Space {
  int dim;
  explicit Space(int dim) : dim(dim) {}
};
class Index {
  std::vector<float> values;
  std::size_t most;

public:
  Index(Space *s, const std::string &file) : most(file.size()) { values.resize(most * s->dim); }
  Index(Space *s, std::size_t most) : values(most * s->dim), most(most) {}
  std::vector<float> copy() const { return values; }
};
std::vector<float> copied(const Index &x) { return x.copy(); }
#elif defined(FILLED)
std::size_t copied(int n, const float *in) {
  std::string text(std::size_t(n), ' ');
  for (int i = 0; i < n; ++i)
    text[std::size_t(i)] = char(in[i]);
  std::string kept = text;
  return kept.size();
}

TWICE(sink = (float)copied((int)number(1), data))
#elif defined(MEMBER)
struct label {
  std::string text;
};

std::size_t copied(const label &s) {
  std::string kept = s.text;
  return kept.size();
}

TWICE(sink = (float)copied(label{std::string(std::size_t(number(1)), 'a')}))
#elif defined(READ)
std::size_t copied(const std::string &s) {
  std::string kept = s, longer(std::size_t(kept[3]), 'x');
  return longer.size() + kept.size();
}
#else
std::size_t copied(const std::string &s) {
  std::string kept = s, longer = s + ".h5";
  return kept.size() + longer.size();
}

TWICE(sink = (float)copied(std::string(std::size_t(number(1)), 'a')))
#endif
