// Bytes of arguments beside those of their blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of a prediction have the bytes that malloc saw for the arguments: Eigen's, Armadillo's in the object and
// out of it, CImg's, xtensor's, and those of vectors.
//
// DEFINE: %{sources} = %S/../../../bench/tensors
// RUN: %clangxx -O2 -fno-builtin -c %{sources}/blocks.cpp -o %t-blocks.o
// RUN: %clangxx -std=c++17 -O2 -DNDEBUG -fplugin=%plugin -I/usr/include/eigen3 -fplugin-arg-memshape-operator=shifted \
// RUN:   -fplugin-arg-memshape-operator=halved -fplugin-arg-memshape-operator=centred \
// RUN:   -fplugin-arg-memshape-operator=doubled -fplugin-arg-memshape-operator=squared \
// RUN:   -fplugin-arg-memshape-operator=mirrored -fplugin-arg-memshape-operator=scaled \
// RUN:   -fplugin-arg-memshape-operator=copied -fplugin-arg-memshape-operator=sums \
// RUN:   -fplugin-arg-memshape-operator=ranks -c %{sources}/operators.cpp -o %t.o
// RUN: %clangxx %t.o %t-blocks.o -o %t -lpthread
// RUN: %python %{sources}/measure.py %memshape %t --bytes 100 40000
