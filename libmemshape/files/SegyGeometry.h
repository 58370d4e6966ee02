// The shape of a SEG-Y cube.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"

namespace memshape {

/// Extents of a post-stack cube.
struct SegyGeometry {
  std::int64_t Inlines = 0;
  std::int64_t Crosslines = 0;
  std::int64_t Samples = 0; ///< per trace
};

/// Reads binary header and trace headers (SEG-Y rev 2, sections 5 and 7); traces themselves are not touched. Refuses
/// files that end inside a trace and sets of traces that do not fill a cube.
Result<SegyGeometry> readSegyGeometry(const std::string &Path);

/// The same for bytes in memory; messages continue a sentence that starts with the file's name.
Result<SegyGeometry> segyGeometryOf(Bytes File);

} // namespace memshape
