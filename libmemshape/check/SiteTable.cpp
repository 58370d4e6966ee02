// The sites of a skeleton, for a baseline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/BaselineParts.h"
#include "libmemshape/check/baseline/Ordered.h"
#include "libmemshape/prediction/Prediction.h"

#include <algorithm>
#include <tuple>

namespace memshape {

/// Whether File is a system header, which the user has not written.
static bool isSystemHeader(const std::string &File) {
  return File.starts_with("/usr/") || File.find("/include/c++/") != std::string::npos ||
         File.find("/lib/clang/") != std::string::npos;
}

static CodePlace codePlace(const Skeleton &S, const SourcePlace &Place) {
  return {wholePath(S, Place.File), shortFunction(Place.Function), Place.Text, Place.Line, Place.Column};
}

/// An implicit member function has the line of its class.
static bool isImplicitMember(const SourcePlace &Place) {
  for (std::string_view Word : {"class ", "struct ", "union "})
    if (Place.Text.starts_with(Word))
      return true;
  return false;
}

/// The place of the site, then the calls that lead there, without system headers.
static std::vector<CodePlace> placesOf(const Skeleton &S, const SkeletonSite &Site) {
  std::vector<CodePlace> Places;
  auto At = std::find_if(Site.Chain.begin(), Site.Chain.end(), [&](const SourcePlace &Call) {
    return Call.Line == Site.Place.Line && Call.File == Site.Place.File && Call.Column == Site.Place.Column;
  });
  Places.push_back(codePlace(S, At == Site.Chain.end() ? Site.Place : *At));
  const SourcePlace *Innermost = At == Site.Chain.end() ? &Site.Place : &*At;
  if (At != Site.Chain.end())
    for (++At; At != Site.Chain.end(); ++At)
      if (At->Line && !isSystemHeader(At->File)) {
        if (Places.size() == 1 && isImplicitMember(*Innermost))
          Places.clear();
        Places.push_back(codePlace(S, *At));
        Innermost = &*At;
      }
  return Places;
}

static std::uint64_t last(const std::vector<std::uint64_t> &Figures) { return Figures.empty() ? 0 : Figures.back(); }

static void addInto(std::vector<std::uint64_t> &To, const std::vector<std::uint64_t> &Figures) {
  for (std::size_t I = 0; I < To.size(); ++I)
    To[I] += Figures[I];
}

std::string wholePath(const Skeleton &S, const std::string &File) {
  return File.empty() || File.front() == '/' || S.Directory.empty() ? File : S.Directory + "/" + File;
}

std::vector<BaselineSite> siteTable(const Skeleton &S, const std::vector<Footprint> &Rows, const FormulaSet &Formulas) {
  struct Grouped {
    BaselineSite Site;
    std::optional<Formula> Sum;
  };
  std::vector<Grouped> Groups;
  for (std::int64_t Id = LibrarySite; Id < static_cast<std::int64_t>(S.Sites.size()); ++Id) {
    if (Id != LibrarySite && !S.Sites[static_cast<std::size_t>(Id)].allocates())
      continue;
    BaselineSite Site;
    bool Used = false;
    for (const Footprint &Row : Rows) {
      auto Held = Row.SiteBytes.find(Id);
      auto Asked = Row.Requested.find(Id);
      Site.Held.push_back(Held == Row.SiteBytes.end() ? 0 : Held->second);
      Site.Requested.push_back(Asked == Row.Requested.end() ? 0 : Asked->second.Bytes);
      Site.Times.push_back(Asked == Row.Requested.end() ? 0 : Asked->second.Times);
      Site.Kept.push_back(Asked == Row.Requested.end() ? 0 : Asked->second.Left);
      Used |= Site.Held.back() || Site.Times.back();
    }
    if (!Used)
      continue;
    if (Id == LibrarySite) {
      Site.Function = "(libraries)";
      Site.Space = "host";
    } else {
      const SkeletonSite &From = S.Sites[static_cast<std::size_t>(Id)];
      Site.Places = placesOf(S, From);
      Site.Function = Site.Places.front().Function;
      Site.Code = Site.Places.front().Code;
      for (std::size_t I = 1; I < Site.Places.size(); ++I)
        Site.From.push_back(Site.Places[I].Code);
      Site.Allocator = From.Allocator;
      Site.Space = From.Space.empty() ? "host" : From.Space;
    }
    std::optional<Formula> Value;
    if (auto Found = Formulas.Sites.find(Id); Found != Formulas.Sites.end())
      Value = Found->second.Value;
    auto Same = std::find_if(Groups.begin(), Groups.end(), [&](const Grouped &G) {
      return std::tie(G.Site.Function, G.Site.Code, G.Site.From, G.Site.Allocator, G.Site.Space) ==
             std::tie(Site.Function, Site.Code, Site.From, Site.Allocator, Site.Space);
    });
    if (Same == Groups.end()) {
      Groups.push_back({std::move(Site), std::move(Value)});
      continue;
    }
    addInto(Same->Site.Held, Site.Held);
    addInto(Same->Site.Requested, Site.Requested);
    addInto(Same->Site.Times, Site.Times);
    addInto(Same->Site.Kept, Site.Kept);
    Same->Sum = Same->Sum && Value ? Formula::sum(*Same->Sum, *Value) : std::nullopt;
  }
  std::vector<BaselineSite> Table;
  for (Grouped &G : Groups) {
    if (G.Sum)
      G.Site.Formula = G.Sum->str(Formulas.Symbols);
    if (std::all_of(G.Site.Kept.begin(), G.Site.Kept.end(), [](std::uint64_t Bytes) { return Bytes == 0; }))
      G.Site.Kept.clear();
    Table.push_back(std::move(G.Site));
  }
  orderBy(Table, [](const BaselineSite &Site) {
    return std::tuple(~last(Site.Held), ~last(Site.Requested), Site.Function, Site.Code, Site.From, Site.Allocator);
  });
  return Table;
}

std::vector<BaselineDecision> decisionTable(const Skeleton &S, const std::vector<Footprint> &Rows) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, BaselineDecision> ByPlace;
  for (const Footprint &Row : Rows)
    for (const DecisionUse &Use : Row.Decisions)
      if (Use.Id < S.Decisions.size()) {
        const SkeletonDecision &From = S.Decisions[Use.Id];
        BaselineDecision Decision;
        Decision.Place = codePlace(S, From.Place);
        Decision.Function = Decision.Place.Function;
        Decision.Condition = From.Condition;
        Decision.IsValue = From.IsValue;
        ByPlace.emplace(std::tuple(From.Place.File, From.Place.Line, From.Place.Column), std::move(Decision));
      }
  std::vector<BaselineDecision> Table;
  for (auto &[Place, Decision] : ByPlace)
    Table.push_back(std::move(Decision));
  orderBy(Table, [](const BaselineDecision &D) { return std::tuple(D.Function, D.Condition, D.IsValue); });
  return Table;
}

} // namespace memshape
