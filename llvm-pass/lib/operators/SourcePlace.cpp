// Where in the source an instruction stands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/SourcePlace.h"
#include "memshape/SourceCondition.h"
#include "memshape/SourceExpression.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace memshape {

/// The file as the user named it: relative to the compilation's directory if the compiler was given it so.
static std::string fileOf(const DILocation &L) {
  StringRef Name = L.getFilename(), Directory = L.getDirectory();
  if (Directory.empty() || sys::path::is_absolute(Name))
    return Name.str();
  const DIFile *Main = nullptr;
  if (const DISubprogram *SP = L.getScope()->getSubprogram(); SP && SP->getUnit())
    Main = SP->getUnit()->getFile();
  if (Main && Main->getDirectory() == Directory)
    return Name.str();
  SmallString<256> Path(Directory);
  sys::path::append(Path, Name);
  return Path.str().str();
}

std::string readablePath(const SourcePlace &Place) {
  SmallString<256> Path(Place.Directory);
  sys::path::append(Path, Place.File);
  return Path.str().str();
}

std::string compilationFolder(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  const DIFile *Main = SP && SP->getUnit() ? SP->getUnit()->getFile() : nullptr;
  return Main ? Main->getDirectory().str() : "";
}

SmallVector<SourcePlace, 8> inliningChain(const DebugLoc &Loc) {
  SmallVector<SourcePlace, 8> Chain;
  for (const DILocation *L = Loc.get(); L; L = L->getInlinedAt()) {
    SourcePlace P;
    P.File = fileOf(*L);
    if (!sys::path::is_absolute(P.File))
      P.Directory = L->getDirectory().str();
    P.Line = L->getLine();
    P.Column = L->getColumn();
    if (const DISubprogram *SP = L->getScope()->getSubprogram())
      P.Function = SP->getName().str();
    Chain.push_back(std::move(P));
  }
  return Chain;
}

/// Whether File is a system header, or source of Rust's library, which is not shown as a place. That of a toolchain as it
/// is shipped lies below /rustc/COMMIT, what it depends on below /rust/deps.
static bool isSystemHeader(StringRef File) {
  return File.starts_with("/usr/") || File.starts_with("/rustc/") || File.starts_with("/rust/deps/") ||
         File.contains("/include/c++/") || File.contains("/lib/clang/") || File.contains("/rustlib/src/rust/library/");
}

bool isInSystemHeader(const DISubprogram &Function) {
  if (sys::path::is_absolute(Function.getFilename()))
    return isSystemHeader(Function.getFilename());
  SmallString<256> Path(Function.getDirectory());
  sys::path::append(Path, Function.getFilename());
  return isSystemHeader(Path);
}

bool isInSystemHeader(const DILocation &Where) { return isSystemHeader(fileOf(Where)); }

bool isShown(const SourcePlace &Place) { return Place.Line && !isSystemHeader(readablePath(Place)); }

SourcePlace displayPlace(const DebugLoc &Loc) {
  SmallVector<SourcePlace, 8> Chain = inliningChain(Loc);
  for (const SourcePlace &P : Chain)
    if (isShown(P))
      return P;
  return Chain.empty() ? SourcePlace() : Chain.front();
}

SourcePlace innermostPlace(const DebugLoc &Loc) {
  for (const SourcePlace &P : inliningChain(Loc))
    if (P.Line)
      return P;
  return {};
}

/// The statement on a line: without comments, with single blanks, and of limited length.
static std::string statementOf(StringRef Line) {
  constexpr size_t Longest = 120;
  std::string Text;
  char Quote = 0;
  for (size_t I = 0; I < Line.size(); ++I) {
    const char C = Line[I];
    if (!Quote && Line.substr(I).starts_with("//"))
      break;
    if (!Quote && Line.substr(I).starts_with("/*")) {
      const size_t End = Line.find("*/", I + 2);
      if (End == StringRef::npos)
        break;
      I = End + 1;
      continue;
    }
    if (Quote ? C == Quote && Line[I - 1] != '\\' : C == '"' || C == '\'')
      Quote = Quote ? 0 : C;
    if (!isSpace(C))
      Text += C;
    else if (!Text.empty() && Text.back() != ' ')
      Text += ' ';
  }
  return json::fixUTF8(StringRef(Text).rtrim().take_front(Longest));
}

std::string SourceLines::at(const SourcePlace &Place) {
  if (!Place.Line || isSystemHeader(Place.File))
    return "";
  auto [Known, IsNew] = Files.try_emplace(readablePath(Place));
  if (IsNew)
    if (auto Buffer = MemoryBuffer::getFile(readablePath(Place), /*IsText=*/true))
      for (line_iterator Line(**Buffer, /*SkipBlanks=*/false); !Line.is_at_eof(); ++Line)
        Known->second.push_back(statementOf(*Line));
  return Place.Line <= Known->second.size() ? Known->second[Place.Line - 1] : "";
}

std::vector<std::string> SourceLines::namesLike(const SourcePlace &Place, char First) {
  std::set<std::string> Names;
  (void)at(Place);
  for (const std::string &Line : Files[readablePath(Place)])
    for (size_t I = 0; I < Line.size(); ++I) {
      const bool Starts = Line[I] == First && (I == 0 || !(isAlnum(Line[I - 1]) || Line[I - 1] == '_'));
      if (!Starts)
        continue;
      const StringRef Word = StringRef(Line).substr(I).take_while([](char C) { return isAlnum(C) || C == '_'; });
      if (all_of(Word.drop_front(), isDigit))
        Names.insert(Word.str());
    }
  return {Names.begin(), Names.end()};
}

/// The line of Place; "" where its file cannot be read.
static std::string lineOf(const SourcePlace &Place) {
  if (Place.File.empty() || !Place.Line)
    return "";
  auto Buffer = MemoryBuffer::getFile(readablePath(Place), /*IsText=*/true);
  if (!Buffer)
    return "";
  for (line_iterator Line(**Buffer, /*SkipBlanks=*/false); !Line.is_at_eof(); ++Line)
    if (Line.line_number() == Place.Line)
      return Line->str();
  return "";
}

std::string conditionText(const SourcePlace &Place) { return std::string(conditionOn(lineOf(Place))); }

std::string expressionText(const SourcePlace &Place) {
  return json::fixUTF8(expressionOn(lineOf(Place), Place.Column));
}

} // namespace memshape
