// Where in the source an instruction stands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include <map>
#include <string>
#include <vector>

namespace memshape {

struct SourcePlace {
  std::string File;      ///< as the compiler knows it; "" where unknown
  std::string Directory; ///< the directory that File is relative to; "" if File is absolute
  std::string Function;
  unsigned Line = 0;
  unsigned Column = 0;
};

/// Where the file of Place can be read.
std::string readablePath(const SourcePlace &Place);

/// The directory in which the unit of F was compiled, if its lines name files relative to it.
std::string compilationFolder(const llvm::Function &F);

/// The inlining chain of Loc, innermost place first; empty without a location.
llvm::SmallVector<SourcePlace, 8> inliningChain(const llvm::DebugLoc &Loc);

/// Whether the function's source is a system header.
bool isInSystemHeader(const llvm::DISubprogram &Function);
bool isInSystemHeader(const llvm::DILocation &Where);

/// The place to display for Loc: the innermost one outside system headers, or the innermost of all.
SourcePlace displayPlace(const llvm::DebugLoc &Loc);

/// Whether a reader knows the file of Place: it is no system header.
bool isShown(const SourcePlace &Place);

/// The innermost place.
SourcePlace innermostPlace(const llvm::DebugLoc &Loc);

/// The condition written at Place, read from the source file ("x <= 0"): the parenthesised text after if, while, for or
/// switch on that line, else the trimmed line; "" when the file cannot be read.
std::string conditionText(const SourcePlace &Place);

/// The arithmetic written at Place, without blanks ("4*w*h*2"); "" when the file cannot be read.
std::string expressionText(const SourcePlace &Place);

/// Lines of source files without comments and indentation. Each file is read once.
class SourceLines {
public:
  /// "" if the file cannot be read, and for system headers.
  std::string at(const SourcePlace &Place);

  /// Names in the file of Place that consist of First and digits, such as "k" and "k2".
  std::vector<std::string> namesLike(const SourcePlace &Place, char First);

private:
  std::map<std::string, std::vector<std::string>> Files;
};

} // namespace memshape
