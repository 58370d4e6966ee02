// The members of a JSON object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/Members.h"
#include <limits>

using namespace llvm;

namespace memshape {

bool readNumbers(Members &M, StringLiteral Name, uint64_t &Mask) {
  const json::Value *V = M.get(Name);
  if (!V)
    return true;
  std::vector<int64_t> Numbers;
  if (!fromJSON(*V, Numbers, M.at(Name)))
    return false;
  Mask = 0;
  for (auto [I, N] : enumerate(Numbers)) {
    if (N < 0 || N > 63) {
      M.at(Name).index(unsigned(I)).report("an argument's number is 0 to 63");
      return false;
    }
    Mask |= 1ull << N;
  }
  return true;
}

template <class Number>
static bool readUpTo(Members &M, StringLiteral Name, int64_t Most, StringLiteral Expected, Number &Out) {
  const json::Value *V = M.get(Name);
  if (!V)
    return true;
  const std::optional<int64_t> Given = V->getAsInteger();
  if (!Given || *Given < 0 || *Given > Most) {
    M.at(Name).report(Expected);
    return false;
  }
  Out = Number(*Given);
  return true;
}

bool readArgument(Members &M, StringLiteral Name, int &Out) {
  return readUpTo(M, Name, 63, "an argument's number is 0 to 63", Out);
}

bool readSize(Members &M, StringLiteral Name, unsigned &Out) {
  return readUpTo(M, Name, std::numeric_limits<int>::max(), "expected a number from 0 to 2147483647", Out);
}

void expand(StringRef Rest, std::string Done, SmallVectorImpl<std::string> &Out) {
  size_t Open = Rest.find_first_of("[{");
  size_t Close = Open == StringRef::npos ? Open : Rest.find(Rest[Open] == '[' ? ']' : '}', Open);
  if (Close == StringRef::npos) {
    Out.push_back(Done + Rest.str());
    return;
  }
  Done += Rest.take_front(Open);
  StringRef Choices = Rest.slice(Open + 1, Close), After = Rest.drop_front(Close + 1);
  if (Rest[Open] == '[') {
    for (char C : Choices)
      expand(After, Done + C, Out);
    return;
  }
  SmallVector<StringRef, 4> Words;
  Choices.split(Words, ',');
  for (StringRef Word : Words)
    expand(After, Done + Word.str(), Out);
}

bool readNameList(Members &M, SmallVectorImpl<std::string> &Out, bool Wildcards) {
  std::vector<std::string> Patterns;
  if (!M.optional("names", Patterns))
    return false;
  if (Patterns.empty()) {
    M.at("names").report("expected names of functions");
    return false;
  }
  for (auto [I, Pattern] : enumerate(Patterns)) {
    if (!Wildcards && StringRef(Pattern).find_first_of("*?") != StringRef::npos) {
      M.at("names").index(unsigned(I)).report("* and ? do not belong here");
      return false;
    }
    expand(Pattern, "", Out);
  }
  return true;
}

} // namespace memshape
