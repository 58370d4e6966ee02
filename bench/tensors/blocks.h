// Bytes of blocks that are live, as malloc sees them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

/// The bytes that were asked for in blocks that are not freed.
long liveBytes();
