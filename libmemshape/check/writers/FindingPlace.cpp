// Where a finding is, and how it is known again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/text/Sarif.h"

namespace memshape {

namespace fs = std::filesystem;

std::string placeText(const CodePlace &Place, const Presentation &Shown) {
  return Place.File.empty() || !Place.Line ? "" : pathFrom(Shown.Root, Place.File) + ":" + std::to_string(Place.Line);
}

CodePlace shownPlace(const Finding &F, const Presentation &Shown) {
  CodePlace At;
  if (F.Place && F.Place->Line && !F.Place->File.empty())
    At = *F.Place;
  else
    At = {fs::absolute(Shown.Baseline).string(), "", "", 1, 0};
  At.File = pathFrom(Shown.Root, At.File);
  return At;
}

// FNV-1a, as sixteen digits.
std::string fingerprint(const Finding &F) {
  std::uint64_t State = 0xcbf29ce484222325;
  auto Add = [&](const std::string &Text) {
    for (unsigned char C : Text + '\0')
      State = (State ^ C) * 0x100000001b3;
  };
  Add(F.Rule);
  Add(F.Operator);
  if (F.Place) {
    Add(F.Place->Function);
    Add(F.Place->Code);
  }
  std::string Digits;
  for (int Shift = 60; Shift >= 0; Shift -= 4)
    Digits += "0123456789abcdef"[State >> Shift & 15];
  return Digits;
}

} // namespace memshape
