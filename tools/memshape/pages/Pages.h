// Manual pages and completions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "tools/memshape/pages/CommandTree.h"

#include <map>
#include <optional>

namespace memshape {

/// A page per command, by its file's name: "memshape-predict.1" and so on.
std::map<std::string, std::string> manPages(const CommandTree &Program);

std::string bashCompletion(const CommandTree &Program);
std::string zshCompletion(const CommandTree &Program);
std::string fishCompletion(const CommandTree &Program);

/// Writes all of them below Folder, where systems look for them below share.
std::optional<Failure> writePages(const std::vector<CommandTree> &Programs, const std::string &Folder);

} // namespace memshape
