//===- SourceExcerpts.cpp - The lines of source that a report speaks of ---===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/SourceExcerpts.h"
#include "tools/JsonFields.h"
#include "tools/prediction/Prediction.h"

#include <filesystem>
#include <fstream>

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

/// Files up to this length are shown as a whole.
constexpr std::size_t ShortFile = 400;
constexpr std::uint32_t LinesAround = 12;
constexpr std::uintmax_t LargestFile = std::uintmax_t(4) << 20; ///< bytes
/// Generated code may have everything on one line.
constexpr std::size_t LongestLine = 400;

struct Text {
  std::vector<std::string> Lines;
  std::string Missing; ///< why it could not be read
};

/// A report may be published, and whoever made the instrumented file chose the names in it: nothing is shown that does
/// not look like source.
bool looksLikeSource(const std::filesystem::path &Path) {
  static const std::set<std::string> Known = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".cu",  ".h",   ".hh",
                                              ".hpp", ".hxx", ".h++", ".cuh", ".hip", ".inl", ".ipp", ".tcc",
                                              ".tpp", ".txx", ".inc", ".def", ".m",   ".mm",  ".C",   ".H"};
  // Headers of the C++ library, and Eigen's, have no ending.
  return Known.contains(Path.extension()) ||
         (!Path.has_extension() && Path.string().find("/include/") != std::string::npos);
}

Text read(const std::string &Path) {
  if (!looksLikeSource(Path))
    return {{}, "its name is not that of a source file"};
  std::error_code Error;
  std::filesystem::file_status Status = std::filesystem::status(Path, Error);
  if (Status.type() == std::filesystem::file_type::not_found)
    return {{}, "the file is not there any more"};
  // A pipe or a device would be waited for.
  if (Error || Status.type() != std::filesystem::file_type::regular)
    return {{}, "the file cannot be read"};
  if (std::filesystem::file_size(Path, Error) > LargestFile || Error)
    return {{}, "the file is too large to be shown"};
  std::ifstream Stream(Path);
  Text Source;
  for (std::string Line; std::getline(Stream, Line);) {
    bool Cut = Line.size() > LongestLine;
    std::string Shown;
    for (char C : Line.substr(0, LongestLine))
      Shown += C == '\t' ? std::string(4, ' ') : std::string(1, C);
    Source.Lines.push_back(oneLine(Shown) + (Cut ? " ..." : ""));
  }
  if (!Stream.eof())
    return {{}, "the file cannot be read"};
  return Source;
}

Json parts(const Text &Source, const std::set<std::uint32_t> &Wanted, bool Whole) {
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

} // namespace

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
    Text Source = read(Each.Path);
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
