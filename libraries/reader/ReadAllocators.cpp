// Allocators of a document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/LibraryTable.h"
#include "libraries/reader/Members.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace memshape {

static constexpr std::pair<StringLiteral, Space> Spaces[] = {{"host", Space::Host},     {"device", Space::Device},
                                                             {"pinned", Space::Pinned}, {"managed", Space::Managed},
                                                             {"stack", Space::Stack},   {"mapped", Space::Mapped}};

StringRef spaceName(Space S) { return Spaces[static_cast<int>(S)].first; }

static bool readSpace(Members &M, Space &Out) {
  return !M.get("space") ||
         readChoice<Space>(M, "space", Spaces, "expected host, device, pinned, managed, mapped or stack", Out);
}

bool LibraryTable::readAllocator(const json::Value &V, json::Path P) {
  Members M(V, P);
  KnownAllocator A;
  SmallVector<std::string, 8> Names;
  std::string Label;
  if (!M || !readNameList(M, Names, /*Wildcards=*/false) ||
      !readChoice<AllocationKind>(M, "kind",
                                  {{"allocate", AllocationKind::Allocate},
                                   {"store", AllocationKind::Store},
                                   {"reallocate", AllocationKind::Reallocate},
                                   {"release", AllocationKind::Release}},
                                  "expected allocate, store, reallocate or release", A.Kind) ||
      !M.optional("display", Label) || !readArgument(M, "size", A.Size) || !readArgument(M, "count", A.Count) ||
      !readArgument(M, "alignment", A.Alignment) || !readArgument(M, "block", A.Block) ||
      !readSize(M, "element_bytes", A.ElementBytes) || !M.optional("zeroed", A.Zeroed) ||
      !M.optional("nothing_is_one_byte", A.ZeroBecomesOne) || !M.optional("rounds_to_alignment", A.RoundsToAlignment) ||
      !M.optional("pages", A.Pages) || !M.optional("padded", A.Padded) || !M.optional("predicted", A.Predicted) ||
      !M.optional("inside", A.Inside) || !readSpace(M, A.In) || !M.noOthers())
    return false;
  const bool Sized = A.Kind != AllocationKind::Release;
  const bool OfBlock = A.Kind == AllocationKind::Release || A.Kind == AllocationKind::Reallocate;
  const bool MaybeUnsized = Sized && (!A.Predicted || A.Inside);
  if ((Sized != (A.Size >= 0) && !MaybeUnsized) || OfBlock != (A.Block >= 0)) {
    P.report("what allocates has a 'size', what frees a 'block', what reallocates both");
    return false;
  }
  if (A.Padded && A.Predicted) {
    P.field("padded").report("belongs to what is not 'predicted'");
    return false;
  }
  if (!A.ElementBytes || (A.ElementBytes != 1 && (A.Size < 0 || A.Count >= 0))) {
    P.field("element_bytes").report("expected a number above 0, beside a 'size' and no 'count'");
    return false;
  }
  for (const std::string &Name : Names) {
    A.Label = Label.empty() ? demangle(Name) : Label;
    Allocators.try_emplace(Name, A);
  }
  return true;
}

} // namespace memshape
