// Containers that no document describes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a class template has data() and size() and is made from a size_type, it is built like a vector: the symbol is
// `size`, also where the constructor calls it something else, and also where elements may lie in the object itself.
//
// DEFINE: %{compile} = %clangxx -std=c++17 -O2 -DNDEBUG -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %{compile} -DVECTOR -fplugin-arg-memshape-operator=sums
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape v.size=1000 -- 1000
// RUN: %predict --shape v.size=1000 | %says "argument v {{.*}} 4,000 bytes the caller's: 4*v.size"
//
// RUN: %{compile} -DSMALL -fplugin-arg-memshape-operator=doubled
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape v.size=1000 -- 1000
// RUN: %predict --shape v.size=1000 | %says "argument v {{.*}} 8,000 bytes the caller's"
//
// A member that refers to an object without members of its own, as to a factory, holds nothing.
// RUN: %{compile} -DFACTORY -fplugin-arg-memshape-operator=ramp
// RUN: %predict --shape v.size=1000 | %says "peak heap {{.*}} 8,000 bytes exact"
//
// A constructor that takes no size_type says nothing of size().
// RUN: %{compile} -DSQUARE -fplugin-arg-memshape-operator=trace
// RUN: %predict --shape v.side=100 | %says "argument v {{.*}} 40,000 bytes the caller's: 4*v.side^2"

#include <cstddef>
#include <cstdlib>
#include <vector>

#ifdef VECTOR
#include <boost/container/vector.hpp>

std::vector<double> sums(const boost::container::vector<float> &v) {
  std::vector<double> sum(v.size() + 1);
  for (std::size_t i = 0; i < v.size(); ++i)
    sum[i + 1] = sum[i] + v[i];
  return sum;
}

int main(int, char **argv) {
  const boost::container::vector<float> v(std::size_t(std::atoi(argv[1])));
  return sums(v).size() != sums(v).size();
}
#endif

#ifdef SMALL
/// Up to four elements lie in the object.
template <typename T> class SmallArray {
public:
  using value_type = T;
  using size_type = std::size_t;

  explicit SmallArray(size_type count) : Count(count), Elements(count > 4 ? new T[count]() : Own) {}
  SmallArray(const SmallArray &) = delete;
  ~SmallArray() {
    if (Elements != Own)
      delete[] Elements;
  }
  size_type size() const { return Count; }
  T *data() { return Elements; }
  const T *data() const { return Elements; }
  T *begin() { return Elements; }
  T *end() { return Elements + Count; }
  const T *begin() const { return Elements; }
  const T *end() const { return Elements + Count; }

private:
  size_type Count;
  T *Elements;
  union {
    T Own[4];
    unsigned char Bytes[4 * sizeof(T)];
  };
};

std::vector<float> doubled(const SmallArray<double> &v) {
  std::vector<float> twice(v.size());
  for (std::size_t i = 0; i < v.size(); ++i)
    twice[i] = float(2 * v.data()[i]);
  return twice;
}

int main(int, char **argv) {
  const SmallArray<double> v(std::size_t(std::atoi(argv[1])));
  return doubled(v).size() != doubled(v).size();
}
#endif

#ifdef SQUARE
template <typename T> class Square {
public:
  using value_type = T;

  explicit Square(int side) : Side(side), Elements(new T[std::size_t(side) * std::size_t(side)]()) {}
  Square(const Square &) = delete;
  ~Square() { delete[] Elements; }
  std::size_t size() const { return std::size_t(Side) * std::size_t(Side); }
  T *data() { return Elements; }
  const T *data() const { return Elements; }
  T *begin() { return Elements; }
  T *end() { return Elements + size(); }
  const T *begin() const { return Elements; }
  const T *end() const { return Elements + size(); }

private:
  int Side;
  T *Elements;
};

std::vector<float> trace(const Square<float> &v) { return std::vector<float>(v.size(), v.data()[0]); }
#endif

#ifdef FACTORY
class Factory {
public:
  virtual ~Factory() = default;
};
inline const Factory usual;

class Row {
public:
  explicit Row(int size, const Factory &from = usual)
      : Count(size), Elements(new float[std::size_t(size)]()), From(from) {}
  Row(const Row &) = delete;
  ~Row() { delete[] Elements; }
  int size() const { return Count; }

private:
  int Count;
  float *Elements;
  const Factory &From;
};

std::vector<double> ramp(const Row &v) { return std::vector<double>(std::size_t(v.size())); }
#endif
