// A program of several processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many processes there are is data, which the user can give; messages are never sent, and the answer says so. Not the
// real library: a prediction must not need it.
//
// RUN: %clang -std=c11 -O2 -DLIBRARY -c %s -o %t.library.o
// RUN: %clang -std=c11 -O2 %operator %t.library.o
// RUN: %compare %t --shape n=1000 --assume k=4 --bounds 1000..none --because left_out -- 1000
// RUN: %memshape predict %t --shape n=1000 --assume k=4 --json | %says '"exact": false' '"formula"' "MPI_Allreduce"

typedef void *Communicator;
int MPI_Comm_size(Communicator comm, int *size);
int MPI_Allreduce(const void *from, void *to, int count, void *type, void *operation, Communicator comm);

#ifdef LIBRARY
int MPI_Comm_size(Communicator comm, int *size) {
  (void)comm;
  *size = 4;
  return 0;
}

int MPI_Allreduce(const void *from, void *to, int count, void *type, void *operation, Communicator comm) {
  (void)from, (void)to, (void)count, (void)type, (void)operation, (void)comm;
  return 0;
}
#else
#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float sum(const float *in, int n) {
  int size;
  MPI_Comm_size(0, &size);
  int mine = n / size;
  float *part = malloc((size_t)mine * sizeof(float)), all = 0;
  for (int i = 0; i < mine; ++i)
    part[i] = 2 * in[i];
  MPI_Allreduce(part, &all, 1, 0, 0, 0);
  free(part);
  return all;
}

TWICE(sink = sum(data, number(1)))
#endif
