// The lines that a change comes from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A baseline has no lines. Sites are paired with former ones by their requests and their code: first those where all is
// equal, then with less and less in common. A site without a partner is new, or has vanished.

#include "libmemshape/check/SiteChanges.h"
#include "libmemshape/check/baseline/Ordered.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace memshape {

namespace {

using Pairing = std::function<bool(const BaselineSite &, const BaselineSite &)>;

const Pairing Passes[] = {
    [](const BaselineSite &A, const BaselineSite &B) {
      return A.sameRequests(B) && A.Function == B.Function && A.Code == B.Code && A.From == B.From;
    },
    [](const BaselineSite &A, const BaselineSite &B) {
      return A.sameRequests(B) && A.Code == B.Code && A.From == B.From;
    },
    [](const BaselineSite &A, const BaselineSite &B) { return A.sameRequests(B) && A.Code == B.Code; },
    [](const BaselineSite &A, const BaselineSite &B) { return A.sameRequests(B) && A.Function == B.Function; },
    // From here on something has changed: first sites whose line still exists, then edited ones.
    [](const BaselineSite &A, const BaselineSite &B) {
      return A.Code == B.Code && A.From == B.From && A.Space == B.Space;
    },
    [](const BaselineSite &A, const BaselineSite &B) { return A.sameRequests(B); },
    [](const BaselineSite &A, const BaselineSite &B) {
      return A.Function == B.Function && A.From == B.From && A.Times == B.Times && A.Space == B.Space;
    },
    [](const BaselineSite &A, const BaselineSite &B) { return A.Code == B.Code && A.Space == B.Space; },
    [](const BaselineSite &A, const BaselineSite &B) { return A.Function == B.Function && A.Space == B.Space; },
};

bool grew(const std::vector<std::uint64_t> &Then, const std::vector<std::uint64_t> &Now) {
  for (std::size_t I = 0; I < Now.size(); ++I)
    if (Now[I] > (I < Then.size() ? Then[I] : 0))
      return true;
  return false;
}

std::uint64_t last(const std::vector<std::uint64_t> &Figures) { return Figures.empty() ? 0 : Figures.back(); }

/// How Now differs from Then; nothing if it does not.
std::optional<SiteChange::Kind> kindOf(const BaselineSite &Then, const BaselineSite &Now) {
  if (grew(Then.Requested, Now.Requested) || grew(Then.Times, Now.Times))
    return SiteChange::Kind::Grew;
  if (!Now.sameRequests(Then))
    return SiteChange::Kind::Shrank;
  if (grew(Then.Held, Now.Held) || grew(Then.Kept, Now.Kept))
    return SiteChange::Kind::Longer;
  return std::nullopt;
}

std::uint64_t excess(std::uint64_t Then, std::uint64_t Now) { return Now > Then ? Now - Then : 0; }

std::set<std::string> wordsOf(const std::string &Code) {
  std::set<std::string> Words;
  std::string Word;
  for (char C : Code + " ")
    if (std::isalnum(static_cast<unsigned char>(C)) || C == '_')
      Word += C;
    else if (!Word.empty())
      Words.insert(std::exchange(Word, ""));
  return Words;
}

/// How much of Code is in Known, from 0 to 1: a line that was split contains nothing new.
double knownShare(const std::string &Code, const std::set<std::string> &Known) {
  const std::set<std::string> Words = wordsOf(Code);
  const auto Found = std::count_if(Words.begin(), Words.end(), [&](const std::string &W) { return Known.contains(W); });
  return Words.empty() ? 0 : static_cast<double>(Found) / static_cast<double>(Words.size());
}

/// Which sites of a build are those of the one before it.
struct Pairs {
  std::vector<const BaselineSite *> Partner; ///< of each site now; null where it is new
  std::vector<bool> Taken;                   ///< of each site before: it has a partner
};

Pairs pairSites(const BaselineOperator &Before, const BaselineOperator &Now,
                const std::vector<std::set<std::string>> &WordsBefore) {
  Pairs Found{std::vector<const BaselineSite *>(Now.Sites.size(), nullptr),
              std::vector<bool>(Before.Sites.size(), false)};
  for (const Pairing &Alike : Passes) {
    // Of several that would do, those whose lines say nearly the same.
    std::multimap<double, std::pair<std::size_t, std::size_t>> Candidates;
    for (std::size_t N = 0; N < Now.Sites.size(); ++N)
      for (std::size_t B = 0; !Found.Partner[N] && B < Before.Sites.size(); ++B)
        if (!Found.Taken[B] && Alike(Before.Sites[B], Now.Sites[N]))
          Candidates.insert({-knownShare(Now.Sites[N].Code, WordsBefore[B]), {N, B}});
    for (const auto &[Order, Pair] : Candidates) {
      const auto [N, B] = Pair;
      if (Found.Partner[N] || Found.Taken[B])
        continue;
      Found.Partner[N] = &Before.Sites[B];
      Found.Taken[B] = true;
    }
  }
  return Found;
}

/// With the figures of both builds.
SiteChange described(const BaselineSite *Then, const BaselineSite &At) {
  SiteChange Change;
  Change.Formula = At.Formula;
  Change.Now = last(At.Requested);
  Change.TimesNow = last(At.Times);
  Change.HeldNow = last(At.Held);
  if (Then) {
    Change.Then = last(Then->Requested);
    Change.TimesThen = last(Then->Times);
    Change.HeldThen = last(Then->Held);
  }
  if (At.Places.empty())
    Change.Place = {"", At.Function, At.Code, 0, 0};
  else
    Change.Place = At.Places.front();
  return Change;
}

/// Names the outermost or innermost call, where another than the site itself explains the change.
template <class Calls> void nameCall(SiteChange &Change, const BaselineSite &Site, Calls Call) {
  if (&*Call == &Site.Places.front())
    return;
  Change.Via.assign(Site.Places.begin(), Site.Places.end());
  Change.Place = *Call;
}

} // namespace

const char *changeWord(SiteChange::Kind What) {
  static constexpr const char *Words[] = {"new", "grew", "lives longer", "gone", "shrank"};
  return Words[static_cast<unsigned>(What)];
}

std::vector<SiteChange> siteChanges(const BaselineOperator &Before, const BaselineOperator &Now) {
  std::vector<std::set<std::string>> WordsBefore;
  std::set<std::string> Known;
  for (const BaselineSite &Site : Before.Sites) {
    WordsBefore.push_back(wordsOf(Site.Code));
    Known.insert(WordsBefore.back().begin(), WordsBefore.back().end());
  }
  const auto [Partner, Taken] = pairSites(Before, Now, WordsBefore);
  // If several calls lead to a line, and only some of them request more, that call is to be named.
  std::set<std::pair<std::string, std::uint32_t>> Paired, Unchanged;
  for (std::size_t N = 0; N < Now.Sites.size(); ++N)
    if (Partner[N])
      for (const CodePlace &Call : Now.Sites[N].Places)
        Paired.insert({Call.File, Call.Line});
  for (std::size_t N = 0; N < Now.Sites.size(); ++N)
    if (Partner[N] && kindOf(*Partner[N], Now.Sites[N]) == std::nullopt)
      for (const CodePlace &Call : Now.Sites[N].Places)
        Unchanged.insert({Call.File, Call.Line});
  std::vector<SiteChange> Changes;
  for (std::size_t N = 0; N < Now.Sites.size(); ++N) {
    const BaselineSite &Site = Now.Sites[N];
    SiteChange Change = described(Partner[N], Site);
    if (!Partner[N]) {
      Change.What = SiteChange::Kind::New;
      // The outermost call that leads to no former site: the site is new because of it.
      auto Call = std::find_if(Site.Places.rbegin(), Site.Places.rend(),
                               [&](const CodePlace &At) { return At.Line && !Paired.contains({At.File, At.Line}); });
      if (Call != Site.Places.rend())
        nameCall(Change, Site, Call);
    } else {
      const std::optional<SiteChange::Kind> What = kindOf(*Partner[N], Site);
      if (!What)
        continue;
      Change.What = *What;
      auto Call = std::find_if(Site.Places.begin(), Site.Places.end(),
                               [&](const CodePlace &At) { return At.Line && !Unchanged.contains({At.File, At.Line}); });
      if (Call != Site.Places.end())
        nameCall(Change, Site, Call);
    }
    Changes.push_back(std::move(Change));
  }
  for (std::size_t B = 0; B < Before.Sites.size(); ++B)
    if (!Taken[B]) {
      SiteChange Change = described(nullptr, Before.Sites[B]);
      std::swap(Change.Then, Change.Now);
      std::swap(Change.TimesThen, Change.TimesNow);
      std::swap(Change.HeldThen, Change.HeldNow);
      Change.What = SiteChange::Kind::Vanished;
      Changes.push_back(std::move(Change));
    }
  // A site that requests more explains more than one that only lives longer because the peak is now elsewhere. Among
  // equals, a line with new code comes first.
  orderBy(Changes, [&](const SiteChange &C) {
    const unsigned Class = C.What <= SiteChange::Kind::Grew ? 0 : static_cast<unsigned>(C.What);
    return std::tuple(Class, ~excess(C.Then, C.Now), ~excess(C.TimesThen, C.TimesNow), ~excess(C.HeldThen, C.HeldNow),
                      knownShare(C.Place.Code, Known));
  });
  return Changes;
}

} // namespace memshape
