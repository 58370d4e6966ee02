// Calls what nobody defines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/SkeletonAbi.h"

void nobody_defines_this(void);

void memshape_skeleton(const int64_t *shape, const double *settings) { nobody_defines_this(); }
