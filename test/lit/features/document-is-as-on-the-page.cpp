
// One operator with something in every list of the document.

// RUN: %clangxx -std=c++17 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py --page %S/../../../docs/formats.md %t.o | %says "as on the page: 1"

#include <string>
#include <vector>

void outside(float *, int);
struct Helper {
  Helper(int n) : Names(n) {}
  std::vector<std::string> Names;
};

[[memshape::operator]] std::vector<float> all(const float *in, int n, float level, Helper &helper, void (*then)(int)) {
  std::vector<float> result;
  Helper own(n);
  for (int i = 0; i < n; ++i)
    if (in[i] > level)
      result.push_back(in[i]);
  float *scratch = new float[n];
  outside(scratch, n);
  then(n);
  delete[] scratch;
  helper.Names.resize(n);
  if (result.empty())
    return {};
  return result;
}
