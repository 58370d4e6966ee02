// What a program brings before main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/resident/ProgramStart.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace memshape {

namespace {

/// Documents memshape.start/1.
constexpr const char *Documents[] = {
#include "StartDocuments.inc"
};

/// Programs of the corpus have so much, which is part of the prior's base.
constexpr double SmallProgram = 12288;

struct Start {
  std::vector<std::string> Symbols; ///< any of them
  double Resident;                  ///< bytes, once
};

std::vector<Start> readDocuments() {
  std::vector<Start> Found;
  for (const char *Text : Documents) {
    nlohmann::json Document = nlohmann::json::parse(Text);
    Found.push_back({Document.at("symbols"), Document.at("resident_bytes")});
  }
  return Found;
}

} // namespace

double startBytes(const std::vector<InstrumentedFile> &Files) {
  static const std::vector<Start> Known = readDocuments();
  double Program = 0, Libraries = 0;
  std::set<std::string_view> Imports;
  for (const InstrumentedFile &File : Files) {
    Program += static_cast<double>(File.ProgramBytes);
    Imports.insert(File.Imports.begin(), File.Imports.end());
  }
  for (const Start &Each : Known)
    if (std::any_of(Each.Symbols.begin(), Each.Symbols.end(),
                    [&](const std::string &Symbol) { return Imports.contains(Symbol); }))
      Libraries += Each.Resident;
  return std::max(0.0, Program - SmallProgram) + Libraries;
}

} // namespace memshape
