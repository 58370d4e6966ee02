// Bytes of nodes that name an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/graph/GraphDocument.h"

#include <functional>

namespace memshape {

/// Predicts each operator once per shape, and fills in output and work bytes that the document leaves open. Files are
/// looked for in Folder, the graph's, and then where the process runs. AtNode is told each id, before its prediction.
/// Returns what a reader has to know of the bytes.
Result<std::vector<std::string>> predictNodes(GraphDocument &Document, const std::string &Folder, bool Trust,
                                              const std::function<void(const std::string &)> &AtNode = {});

} // namespace memshape
