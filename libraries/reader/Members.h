// The members of a JSON object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each reader reports at most one mistake, by its place in the document: "expected an array at
// the document.libraries[0].functions".

#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <utility>

namespace memshape {

/// The members of a JSON object. A member that nobody asks for is an error: a typing error shall not look like a rule.
class Members {
  const llvm::json::Object *Fields;
  llvm::json::Path P;
  llvm::SmallVector<llvm::StringRef, 12> Known;

public:
  Members(const llvm::json::Value &V, llvm::json::Path Where) : Fields(V.getAsObject()), P(Where) {
    if (!Fields)
      P.report("expected an object");
  }
  explicit operator bool() const { return Fields; }

  template <class T> bool optional(llvm::StringLiteral Name, T &Out) {
    Known.push_back(Name);
    const llvm::json::Value *V = Fields->get(Name);
    return !V || fromJSON(*V, Out, P.field(Name));
  }
  const llvm::json::Value *get(llvm::StringLiteral Name) {
    Known.push_back(Name);
    return Fields->get(Name);
  }
  llvm::json::Path at(llvm::StringLiteral Name) const { return P.field(Name); }
  bool noOthers() {
    for (const auto &[Name, V] : *Fields)
      if (!llvm::is_contained(Known, llvm::StringRef(Name))) {
        P.field(Name).report("unknown member");
        return false;
      }
    return true;
  }
};

/// Out becomes what the word in member Name stands for. Message: what it has to be.
template <class T>
bool readChoice(Members &M, llvm::StringLiteral Name, llvm::ArrayRef<std::pair<llvm::StringLiteral, T>> Choices,
                llvm::StringLiteral Message, T &Out) {
  const llvm::json::Value *V = M.get(Name);
  const std::optional<llvm::StringRef> Word = V ? V->getAsString() : std::nullopt;
  for (const auto &[Text, Meaning] : Choices)
    if (Word == llvm::StringRef(Text)) {
      Out = Meaning;
      return true;
    }
  M.at(Name).report(Message);
  return false;
}

/// Bit i of Mask: i is in the array Name; Mask stays where the member is not there.
bool readNumbers(Members &M, llvm::StringLiteral Name, uint64_t &Mask);

/// The number of an argument, 0 to 63; Out stays where the member is not there.
bool readArgument(Members &M, llvm::StringLiteral Name, int &Out);

/// A number from 0 to 2^31 - 1; Out stays where the member is not there.
bool readSize(Members &M, llvm::StringLiteral Name, unsigned &Out);

/// Calls F with each of the elements of array Name.
template <class Function> bool readEach(Members &M, llvm::StringLiteral Name, Function F) {
  const llvm::json::Value *V = M.get(Name);
  if (!V)
    return true;
  const llvm::json::Array *Elements = V->getAsArray();
  if (!Elements) {
    M.at(Name).report("expected an array");
    return false;
  }
  for (auto [I, Element] : llvm::enumerate(*Elements))
    if (!F(Element, M.at(Name).index(unsigned(I))))
      return false;
  return true;
}

/// Member "names": not empty; [abc] and {ab,c} are written out, * and ? stay.
bool readNameList(Members &M, llvm::SmallVectorImpl<std::string> &Out, bool Wildcards);

/// [abc] and {ab,c} of Rest written out behind Done; * and ? stay.
void expand(llvm::StringRef Rest, std::string Done, llvm::SmallVectorImpl<std::string> &Out);

} // namespace memshape
