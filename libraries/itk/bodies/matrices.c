// Matrices and vectors of VNL.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bodies.h"

#define T f
#define ELEMENT float
#define TOLERANCE_AT 168
#include "matrices.inc"
#undef T
#undef ELEMENT
#undef TOLERANCE_AT
#define T d
#define ELEMENT double
#define TOLERANCE_AT 176
#include "matrices.inc"
