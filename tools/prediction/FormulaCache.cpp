//===- FormulaCache.cpp - Formulas that were found before -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/FormulaCache.h"
#include "tools/JsonFields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr const char Schema[] = "memshape.formulas/3";
/// Files in the folder; a write beyond drops a quarter of them.
constexpr std::size_t MaxFiles = 1024;
/// A file is a few kilobytes; what is much larger is none of ours.
constexpr std::uintmax_t MaxFileBytes = 4 << 20;
constexpr unsigned MaxLate = 3;

/// Two chains of FNV-1a with different starts: 128 bits, against accidents only.
class Hash {
public:
  void add(std::string_view Text) {
    addNumber(Text.size());
    for (unsigned char C : Text)
      step(C);
  }
  void addNumber(std::uint64_t Number) {
    for (unsigned I = 0; I < 8; ++I)
      step(static_cast<unsigned char>(Number >> (8 * I)));
  }
  std::string text() const {
    std::string Digits;
    for (std::uint64_t State : States)
      for (int Shift = 60; Shift >= 0; Shift -= 4)
        Digits += "0123456789abcdef"[State >> Shift & 15];
    return Digits;
  }

private:
  void step(unsigned char C) {
    States[0] = (States[0] ^ C) * 0x100000001b3;
    States[1] = (States[1] ^ C) * 0x9e3779b97f4a7c15;
    States[1] ^= States[1] >> 29;
  }
  std::array<std::uint64_t, 2> States = {0xcbf29ce484222325, 0x84222325cbf29ce4};
};

Json toJson(const Polynomial &P) {
  Json Terms = Json::array();
  for (const auto &[Powers, Coefficient] : P.terms())
    Terms.push_back({Powers, toDecimal(Coefficient.numerator()), toDecimal(Coefficient.denominator())});
  return Terms;
}

Json toJson(const Recovered &R) {
  Json Atoms = Json::array(), Pieces = Json::array(), Ranges = Json::array();
  for (const Atom &A : R.Value.atoms())
    Atoms.push_back({static_cast<unsigned>(A.What), A.Symbol, A.Period, A.Offset, A.Divisor ? Json(*A.Divisor) : Json(),
                     toJson(A.Inner)});
  for (const Polynomial &P : R.Value.pieces())
    Pieces.push_back(toJson(P));
  for (const Range &Each : R.Valid.Ranges)
    Ranges.push_back({Each.Low, Each.High});
  return {{"atoms", Atoms},
          {"pieces", Pieces},
          {"least", R.Value.isLeast()},
          {"ranges", Ranges},
          {"verified", R.VerifiedShapes}};
}

/// Throws what the JSON library throws; the caller takes any exception for a damaged file.
Polynomial polynomialFrom(const Json &Terms, std::size_t Variables) {
  Polynomial P(Variables);
  for (const Json &Term : Terms) {
    auto Powers = Term.at(0).get<Polynomial::Monomial>();
    Rational Coefficient =
        Rational::fraction(fromDecimal(Term.at(1).get<std::string>()), fromDecimal(Term.at(2).get<std::string>()));
    if (Powers.size() != Variables || !Coefficient.valid() ||
        std::any_of(Powers.begin(), Powers.end(), [](unsigned Power) { return Power > 64; }))
      throw std::invalid_argument("term");
    P = P + Polynomial::term(Powers, Coefficient);
  }
  return P;
}

Recovered recoveredFrom(const Json &From, std::size_t Symbols) {
  Recovered R;
  std::vector<Atom> Atoms;
  for (const Json &Each : From.at("atoms")) {
    Atom A;
    unsigned Kind = Each.at(0).get<unsigned>();
    A.What = static_cast<Atom::Kind>(Kind);
    A.Symbol = Each.at(1).get<std::size_t>();
    A.Period = Each.at(2).get<std::int64_t>();
    A.Offset = Each.at(3).get<std::int64_t>();
    if (!Each.at(4).is_null())
      A.Divisor = Each.at(4).get<std::size_t>();
    if (!Each.at(5).empty())
      A.Inner = polynomialFrom(Each.at(5), Symbols);
    if (Kind > static_cast<unsigned>(Atom::Kind::Above) || A.Symbol >= Symbols || A.Divisor.value_or(0) >= Symbols ||
        A.Period < 1)
      throw std::invalid_argument("atom");
    Atoms.push_back(A);
  }
  std::vector<Polynomial> Pieces;
  for (const Json &Terms : From.at("pieces"))
    Pieces.push_back(polynomialFrom(Terms, Atoms.size()));
  for (const Json &Each : From.at("ranges"))
    R.Valid.Ranges.push_back({Each.at(0).get<std::int64_t>(), Each.at(1).get<std::int64_t>()});
  if (R.Valid.Ranges.size() != Symbols || Pieces.empty())
    throw std::invalid_argument("ranges");
  R.Value = Formula(std::move(Atoms), std::move(Pieces), From.at("least").get<bool>());
  R.VerifiedShapes = From.at("verified").get<unsigned>();
  return R;
}

/// The members of a set that may be missing, by name.
template <class Set> auto figuresOf(Set &Found) {
  return std::array{std::pair("peak", &Found.Peak), std::pair("total", &Found.Total),
                    std::pair("output", &Found.Output), std::pair("allocations", &Found.Allocations)};
}

Json sitesJson(const std::map<std::int64_t, Recovered> &Sites) {
  Json Out = Json::array();
  for (const auto &[Id, Formula] : Sites)
    Out.push_back({Id, toJson(Formula)});
  return Out;
}

std::map<std::int64_t, Recovered> sitesFrom(const Json &From, std::size_t Symbols) {
  std::map<std::int64_t, Recovered> Sites;
  for (const Json &Site : From)
    Sites.emplace(Site.at(0).get<std::int64_t>(), recoveredFrom(Site.at(1), Symbols));
  return Sites;
}

Json toJson(const PartFormula &Part) {
  Json Own = Json::array();
  for (const Formula &Each : Part.Own)
    Own.push_back(toJson(Recovered{Each, Part.Valid, Part.VerifiedShapes}));
  return {{"own", Own},
          {"others", Part.Others},
          {"sites", sitesJson(Part.Sites)},
          {"output", Part.Output ? toJson(*Part.Output) : Json()},
          {"least", Part.Least},
          {"greatest", Part.Greatest},
          {"bound", Part.Bound ? toJson(*Part.Bound) : Json()},
          {"shapes", Part.Shapes}};
}

PartFormula partFrom(const Json &From, std::size_t Symbols) {
  PartFormula Part;
  for (const Json &Each : From.at("own")) {
    Recovered One = recoveredFrom(Each, Symbols);
    Part.Own.push_back(std::move(One.Value));
    Part.Valid = std::move(One.Valid);
    Part.VerifiedShapes = One.VerifiedShapes;
  }
  if (Part.Own.empty())
    throw std::invalid_argument("own");
  Part.Others = From.at("others").get<std::vector<std::int64_t>>();
  Part.Sites = sitesFrom(From.at("sites"), Symbols);
  Part.Least = From.at("least").get<std::int64_t>();
  Part.Greatest = From.at("greatest").get<std::int64_t>();
  Part.Shapes = From.at("shapes").get<std::size_t>();
  if (!From.at("output").is_null())
    Part.Output = recoveredFrom(From.at("output"), Symbols);
  if (!From.at("bound").is_null())
    Part.Bound = polynomialFrom(From.at("bound"), Symbols);
  return Part;
}

std::optional<Json> contentsOf(const fs::path &File) {
  std::error_code Error;
  if (fs::file_size(File, Error) > MaxFileBytes || Error)
    return std::nullopt;
  std::ifstream Stream(File, std::ios::binary);
  std::string Text(std::istreambuf_iterator<char>(Stream), {});
  Json Document = Json::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (!Document.is_object() || Document.value("schema", "") != Schema)
    return std::nullopt;
  return Document;
}

} // namespace

FormulaCache FormulaCache::ofUser() {
  auto Variable = [](const char *Name) {
    const char *Value = std::getenv(Name);
    return std::string(Value ? Value : "");
  };
  if (std::string Chosen = Variable("MEMSHAPE_CACHE"); !Chosen.empty())
    return Chosen == "off" ? FormulaCache() : FormulaCache(Chosen);
  // Relative paths in these variables are to be ignored (XDG Base Directory Specification).
  if (std::string Base = Variable("XDG_CACHE_HOME"); Base.starts_with("/"))
    return FormulaCache(fs::path(Base) / "memshape");
  if (std::string Home = Variable("HOME"); Home.starts_with("/"))
    return FormulaCache(fs::path(Home) / ".cache" / "memshape");
  return FormulaCache();
}

std::string FormulaCache::keyOf(const Skeleton &S, const Question &Asked, const Footprint &AtShape, bool ForShape) {
  Hash Sum;
  Sum.add(MEMSHAPE_VERSION);
  // Another build may search in another way.
  struct stat Own;
  if (::stat("/proc/self/exe", &Own) == 0) {
    Sum.addNumber(static_cast<std::uint64_t>(Own.st_size));
    Sum.addNumber(static_cast<std::uint64_t>(Own.st_mtim.tv_sec));
    Sum.addNumber(static_cast<std::uint64_t>(Own.st_mtim.tv_nsec));
  }
  Sum.add(S.Symbol);
  Sum.add(S.Bitcode);
  Sum.add(S.Object);
  Sum.addNumber(S.Sites.size());
  for (const std::string &Symbol : S.shapeSymbols())
    Sum.add(Symbol);
  auto AddBytes = [&](const auto &Number) {
    Sum.add(std::string_view(reinterpret_cast<const char *>(&Number), sizeof(Number)));
  };
  for (double Setting : Asked.Settings)
    AddBytes(Setting);
  for (const auto *Answers : {&AtShape.Environment})
    for (const auto &[Name, Value] : *Answers) {
      Sum.add(Name);
      Sum.add(Value);
    }
  for (const auto &[Name, Value] : AtShape.Machine) {
    Sum.add(Name);
    AddBytes(Value);
  }
  for (const auto &[Id, Answer] : Asked.Branches)
    Sum.addNumber(std::uint64_t(Id) << 32 | Answer);
  Sum.addNumber(Asked.Branches.size());
  Sum.addNumber(AtShape.Threads);
  for (const DecisionUse &Use : AtShape.Decisions)
    if (Use.Id < S.Decisions.size() && S.Decisions[Use.Id].IsValue)
      Sum.addNumber(Use.Id);
  Sum.addNumber(ForShape);
  if (ForShape) {
    for (std::int64_t Extent : Asked.Shape)
      AddBytes(Extent);
    for (const auto &[Id, Value] : Asked.Values) {
      Sum.addNumber(Id);
      Sum.addNumber(Value);
    }
  }
  return Sum.text();
}

std::optional<FormulaSet> FormulaCache::find(const std::string &Key) const {
  std::optional<Json> Document = Folder.empty() ? std::nullopt : contentsOf(Folder / Key);
  if (!Document)
    return std::nullopt;
  try {
    FormulaSet Found;
    unsigned Late = Document->at("late").get<unsigned>();
    if (Late > 0 && Late < MaxLate && !Document->contains("part"))
      return std::nullopt;
    Found.OutOfTime = Late > 0;
    Found.Symbols = Document->at("symbols").get<std::vector<std::string>>();
    for (auto [Name, Figure] : figuresOf(Found))
      if (auto Place = Document->find(Name); Place != Document->end())
        *Figure = recoveredFrom(*Place, Found.Symbols.size());
    Found.Sites = sitesFrom(Document->at("sites"), Found.Symbols.size());
    if (auto Part = Document->find("part"); Part != Document->end())
      Found.Part = partFrom(*Part, Found.Symbols.size());
    return Found;
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

void FormulaCache::keep(const std::string &Key, const FormulaSet &Found) const {
  std::error_code Error;
  if (Folder.empty() || (fs::create_directories(Folder, Error), Error))
    return;
  unsigned Late = 0;
  if (Found.OutOfTime) {
    std::optional<Json> Before = contentsOf(Folder / Key);
    Late = std::min(MaxLate,
                    (Before && (*Before)["late"].is_number_unsigned() ? (*Before)["late"].get<unsigned>() : 0) + 1);
  }
  Json Document = {{"schema", Schema}, {"late", Late}, {"symbols", Found.Symbols}, {"sites", sitesJson(Found.Sites)}};
  if (Found.Part)
    Document["part"] = toJson(*Found.Part);
  for (auto [Name, Figure] : figuresOf(Found))
    if (*Figure)
      Document[Name] = toJson(**Figure);
  std::string Text = Document.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Readers see a whole file or none; of two writers the later one wins.
  std::string Temporary = (Folder / ("new.XXXXXX")).string();
  int Descriptor = ::mkostemp(Temporary.data(), O_CLOEXEC);
  if (Descriptor < 0)
    return;
  bool Written = ::write(Descriptor, Text.data(), Text.size()) == static_cast<ssize_t>(Text.size());
  ::close(Descriptor);
  if (Written)
    fs::rename(Temporary, Folder / Key, Error);
  if (!Written || Error)
    ::unlink(Temporary.c_str());
  dropOldest();
}

void FormulaCache::dropOldest() const {
  std::error_code Error;
  std::vector<std::pair<fs::file_time_type, fs::path>> Files;
  for (fs::directory_iterator At(Folder, Error), End; !Error && At != End; At.increment(Error))
    Files.emplace_back(At->last_write_time(Error), At->path());
  if (Files.size() <= MaxFiles)
    return;
  std::sort(Files.begin(), Files.end());
  for (std::size_t I = 0; I < MaxFiles / 4; ++I)
    fs::remove(Files[I].second, Error);
}

} // namespace memshape
