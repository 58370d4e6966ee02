//===- blocks.h - Bytes of blocks that are live, as malloc sees them ------ ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_BENCH_BLOCKS_H
#define MEMSHAPE_BENCH_BLOCKS_H

/// The bytes that were asked for in blocks that are not freed.
long liveBytes();

#endif // MEMSHAPE_BENCH_BLOCKS_H
