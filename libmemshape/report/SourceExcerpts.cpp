// The lines of source that a report speaks of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/SourceExcerpts.h"
#include "libmemshape/prediction/Prediction.h"

namespace memshape {

using Json = nlohmann::ordered_json;

/// Files up to this length are shown as a whole.
constexpr std::size_t ShortFile = 400;
constexpr std::uint32_t LinesAround = 12;

static Json parts(const SourceText &Source, const std::set<std::uint32_t> &Wanted, bool Whole) {
  Json Parts = Json::array();
  std::size_t Next = 1; // the first line not yet shown
  auto Add = [&](std::size_t First, std::size_t Last) {
    First = std::max(First, Next);
    Last = std::min(Last, Source.Lines.size());
    if (First > Last)
      return;
    if (Parts.empty() || First != Next)
      Parts.push_back({First, ""});
    std::string Block = Parts.back()[1].get<std::string>();
    for (std::size_t Line = First; Line <= Last; ++Line)
      Block += Source.Lines[Line - 1] + "\n";
    Parts.back()[1] = std::move(Block);
    Next = Last + 1;
  };
  if (Whole)
    Add(1, Source.Lines.size());
  else
    for (std::uint32_t Line : Wanted)
      Add(Line > LinesAround ? Line - LinesAround : 1, std::size_t(Line) + LinesAround);
  return Parts;
}

std::size_t SourceExcerpts::add(const std::string &File, std::uint32_t Line) {
  auto [Place, New] = Numbers.try_emplace(File, Files.size());
  if (New)
    Files.push_back({File, {}});
  if (Line)
    Files[Place->second].Lines.insert(Line);
  return Place->second;
}

Json SourceExcerpts::json() const {
  Json All = Json::array();
  for (const File &Each : Files) {
    SourcePlace Place;
    Place.File = Each.Path;
    Json Entry = {{"path", Each.Path}, {"name", shortPlace(Place)}};
    SourceText Source = readSource(Each.Path, Shown);
    if (Source.Missing.empty()) {
      bool Whole = Source.Lines.size() <= ShortFile;
      Entry["parts"] = parts(Source, Each.Lines, Whole);
      Entry["whole"] = Whole;
    } else
      Entry["missing"] = Source.Missing;
    All.push_back(std::move(Entry));
  }
  return All;
}

} // namespace memshape
