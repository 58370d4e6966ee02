//===- SourceText.cpp - The source that an answer speaks of ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/skeletons/SourceText.h"
#include "libmemshape/text/JsonFields.h"

#include "memshape/SourceCondition.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace memshape {

namespace {

constexpr std::uintmax_t LargestFile = std::uintmax_t(4) << 20; ///< bytes
/// Generated code may have everything on one line.
constexpr std::size_t LongestLine = 400;

/// An answer may be published: nothing is shown that does not look like source.
bool looksLikeSource(const std::filesystem::path &Path) {
  static const std::set<std::string> Known = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".cu",  ".h",   ".hh",
                                              ".hpp", ".hxx", ".h++", ".cuh", ".hip", ".inl", ".ipp", ".tcc",
                                              ".tpp", ".txx", ".inc", ".def", ".m",   ".mm",  ".C",   ".H"};
  // Headers of the C++ library, and Eigen's, have no ending.
  return Known.contains(Path.extension()) ||
         (!Path.has_extension() && Path.string().find("/include/") != std::string::npos);
}

} // namespace

SourceText readSource(const std::string &Path) {
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
  SourceText Source;
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

void readConditions(Skeleton &S) {
  std::map<std::string, SourceText> Files;
  for (SkeletonDecision &D : S.Decisions) {
    // A condition is where it is written; a size is named where it is asked for.
    const SourcePlace &Place = D.IsValue || !D.Inside.Line ? D.Place : D.Inside;
    if (!D.Condition.empty() || Place.File.empty() || !Place.Line)
      continue;
    const std::string Path = (std::filesystem::path(S.Directory) / Place.File).string();
    auto [Known, IsNew] = Files.try_emplace(Path);
    if (IsNew)
      Known->second = readSource(Path);
    if (Place.Line <= Known->second.Lines.size())
      D.Condition = conditionOn(Known->second.Lines[Place.Line - 1]);
  }
}

} // namespace memshape
