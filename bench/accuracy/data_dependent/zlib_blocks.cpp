// Blocks compressed one by one and kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=zlib symbols=blocks,length smallest=40,20000 link=-lz

#include "../operators/job.h"

#include <vector>
#include <zlib.h>

ACCURACY_OPERATOR void zlib_blocks(const float *In, int blocks, int length, float *Out) {
  std::vector<std::vector<unsigned char>> Kept;
  for (int B = 0; B < blocks; ++B) {
    uLong Size = static_cast<uLong>(length) * sizeof(float);
    uLongf Packed = compressBound(Size);
    std::vector<unsigned char> Block(Packed);
    const auto *From = reinterpret_cast<const Bytef *>(In + static_cast<long>(B) * length);
    if (compress2(Block.data(), &Packed, From, Size, 1) != Z_OK)
      break;
    Kept.emplace_back(Block.begin(), Block.begin() + static_cast<long>(Packed));
  }
  for (const std::vector<unsigned char> &Block : Kept)
    *Out += static_cast<float>(Block.size());
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int blocks = J.extent();
  int length = J.extent();
  float *In = J.input<float>(static_cast<long>(blocks) * length);
  float *Out = J.output<float>(1);
  zlib_blocks(In, blocks, length, Out);
  return J.finish();
}
