// A whole table of distances.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=C smallest=900,800 tensors=left,right,1

#include "job.h"

ACCURACY_OPERATOR void edit_distance(const float *A, const float *B, int left, int right, int *Out) {
  std::size_t Row = static_cast<std::size_t>(right) + 1;
  int *Table = static_cast<int *>(std::malloc((static_cast<std::size_t>(left) + 1) * Row * sizeof(int)));
  for (int I = 0; I <= left; ++I)
    for (int K = 0; K <= right; ++K) {
      if (I == 0 || K == 0) {
        Table[I * Row + K] = I + K;
        continue;
      }
      int Best = Table[(I - 1) * Row + K - 1] + (A[I - 1] != B[K - 1]);
      int Skip =
          1 + (Table[(I - 1) * Row + K] < Table[I * Row + K - 1] ? Table[(I - 1) * Row + K] : Table[I * Row + K - 1]);
      Table[I * Row + K] = Best < Skip ? Best : Skip;
    }
  *Out = Table[left * Row + right];
  std::free(Table);
}
