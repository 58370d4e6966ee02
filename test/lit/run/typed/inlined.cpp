// Vectors whose first elements lie in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements share their bytes with a pointer and a capacity, and the size has a bit that says which of them are there.
// What is written to elements is data; the size, the bit and the pointer are not.
//
// DEFINE: %{compile} = %clangxx -std=c++17 -O2 -DNDEBUG -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %{compile} -fplugin-arg-memshape-operator=doubled
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape in.size=100 -- 100
// RUN: %compare %t --shape in.size=2 -- 2
// RUN: %predict --shape in.size=100 | %says "peak heap {{.*}} 800 bytes exact" "result.size 200 2*in.size"
//
// RUN: %{compile} -fplugin-arg-memshape-operator=summed
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 400 bytes exact"
//
// RUN: %{compile} -DBOOST -fplugin-arg-memshape-operator=doubled
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape in.size=100 -- 100
// RUN: %compare %t --shape in.size=1 -- 1

#include <cstddef>
#include <cstdlib>

#ifdef BOOST
#include <boost/container/small_vector.hpp>
using Vector = boost::container::small_vector<float, 4>;
#else
template <typename T, std::size_t N> class InlinedVector {
public:
  using value_type = T;
  using size_type = std::size_t;

  explicit InlinedVector(size_type count) : InlinedVector(count, T()) {}
  InlinedVector(size_type count, T value) {
    if (count > N) {
      Elements.Allocated = {new T[count], count};
      Metadata = 1;
    }
    for (size_type i = 0; i < count; ++i)
      data()[i] = value;
    Metadata += count << 1;
  }
  InlinedVector(InlinedVector &&other) : Metadata(other.Metadata), Elements(other.Elements) { other.Metadata = 0; }
  ~InlinedVector() {
    if (isAllocated())
      delete[] Elements.Allocated.Data;
  }
  size_type size() const { return Metadata >> 1; }
  T *data() { return isAllocated() ? Elements.Allocated.Data : Elements.Inlined; }
  const T *data() const { return isAllocated() ? Elements.Allocated.Data : Elements.Inlined; }
  T &operator[](size_type i) { return data()[i]; }
  const T &operator[](size_type i) const { return data()[i]; }
  T *begin() { return data(); }
  T *end() { return data() + size(); }
  const T *begin() const { return data(); }
  const T *end() const { return data() + size(); }

private:
  bool isAllocated() const { return Metadata & 1; }

  std::size_t Metadata = 0;
  union {
    struct {
      T *Data;
      std::size_t Capacity;
    } Allocated;
    T Inlined[N];
  } Elements;
};
using Vector = InlinedVector<float, 4>;
#endif

Vector doubled(const Vector &in) {
  Vector out(in.size() * 2);
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = out[in.size() + i] = in[i];
  return out;
}

float summed(const float *in, int n) {
  Vector copy(static_cast<std::size_t>(n), 0.0f);
  for (int i = 0; i < n; ++i)
    copy[static_cast<std::size_t>(i)] = in[i];
  float sum = 0;
  for (float x : copy)
    sum += x;
  return sum;
}

int main(int, char **argv) {
  const Vector v(static_cast<std::size_t>(std::atoi(argv[1])));
  return doubled(v).size() != doubled(v).size();
}
