// Formulas that were found before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/FormulaCache.h"

#include <algorithm>
#include <array>

namespace memshape {

using Json = nlohmann::json;

namespace {

constexpr const char Schema[] = "memshape.formulas/5";
/// A file is a few kilobytes; what is much larger is none of ours.
constexpr std::uintmax_t MaxFileBytes = 4 << 20;
constexpr unsigned MaxLate = 3;

Json toJson(const Polynomial &P) {
  Json Terms = Json::array();
  for (const auto &[Powers, Coefficient] : P.terms())
    Terms.push_back({Powers, toDecimal(Coefficient.numerator()), toDecimal(Coefficient.denominator())});
  return Terms;
}

/// The kind by its number, then what it takes: a number, or an offset and the symbol of a size.
struct KeptRounding {
  std::size_t Kind;
  std::int64_t Number = 1, Offset = 0;
  std::optional<std::size_t> SizeSymbol = {};
};

KeptRounding keptOf(const rounding::Any &How) {
  KeptRounding Kept{How.index()};
  if (const auto *R = std::get_if<rounding::Blocks>(&How))
    Kept = {How.index(), R->Size, R->Offset, R->SizeSymbol};
  else if (const auto *Half = std::get_if<rounding::Halved>(&How))
    Kept.Number = Half->End;
  else if (const auto *Prime = std::get_if<rounding::Smooth>(&How))
    Kept.Number = Prime->LargestPrime;
  else if (const auto *Capped = std::get_if<rounding::Least>(&How))
    Kept.Number = Capped->Cap;
  else if (const auto *Beyond = std::get_if<rounding::Above>(&How))
    Kept.Number = Beyond->Limit;
  return Kept;
}

rounding::Any roundingFrom(const KeptRounding &Kept) {
  const rounding::Any Kinds[] = {rounding::None(),
                                 rounding::Blocks{Kept.Number, Kept.Offset, Kept.SizeSymbol},
                                 rounding::PowerOfTwo(),
                                 rounding::Halved{Kept.Number},
                                 rounding::Smooth{Kept.Number},
                                 rounding::Root(),
                                 rounding::Log2(),
                                 rounding::Least{Kept.Number},
                                 rounding::Above{Kept.Number}};
  static_assert(std::size(Kinds) == std::variant_size_v<rounding::Any>);
  if (Kept.Kind >= std::size(Kinds) || Kept.Number < 1)
    throw std::invalid_argument("atom");
  return Kinds[Kept.Kind];
}

Json toJson(const Recovered &R) {
  Json Atoms = Json::array(), Pieces = Json::array(), Ranges = Json::array();
  for (const Atom &A : R.Value.atoms()) {
    const KeptRounding Kept = keptOf(A.How);
    Atoms.push_back({Kept.Kind, A.Symbol, Kept.Number, Kept.Offset, Kept.SizeSymbol ? Json(*Kept.SizeSymbol) : Json(),
                     toJson(A.Inner)});
  }
  for (const Polynomial &P : R.Value.pieces())
    Pieces.push_back(toJson(P));
  for (const Range &Each : R.Valid.Ranges)
    Ranges.push_back({Each.Low, Each.High});
  return {{"atoms", Atoms},   {"pieces", Pieces},     {"least", R.Value.isLeast()},
          {"ranges", Ranges}, {"ties", R.Valid.Ties}, {"verified", R.VerifiedShapes}};
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
    KeptRounding Kept{Each.at(0).get<std::size_t>(), Each.at(2).get<std::int64_t>(), Each.at(3).get<std::int64_t>()};
    if (!Each.at(4).is_null())
      Kept.SizeSymbol = Each.at(4).get<std::size_t>();
    Atom A{roundingFrom(Kept), Each.at(1).get<std::size_t>()};
    if (!Each.at(5).empty())
      A.Inner = polynomialFrom(Each.at(5), Symbols);
    if (A.Symbol >= Symbols || Kept.SizeSymbol.value_or(0) >= Symbols)
      throw std::invalid_argument("atom");
    Atoms.push_back(A);
  }
  std::vector<Polynomial> Pieces;
  for (const Json &Terms : From.at("pieces"))
    Pieces.push_back(polynomialFrom(Terms, Atoms.size()));
  for (const Json &Each : From.at("ranges"))
    R.Valid.Ranges.push_back({Each.at(0).get<std::int64_t>(), Each.at(1).get<std::int64_t>()});
  R.Valid.Ties = From.at("ties").get<std::vector<std::size_t>>();
  if (R.Valid.Ranges.size() != Symbols || Pieces.empty())
    throw std::invalid_argument("ranges");
  if ((!R.Valid.Ties.empty() && R.Valid.Ties.size() != Symbols) ||
      std::ranges::any_of(R.Valid.Ties, [&](std::size_t Tie) { return Tie >= Symbols; }))
    throw std::invalid_argument("ties");
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

} // namespace

std::optional<Json> FormulaCache::document(const std::string &Key) const {
  const std::optional<std::string> Text = Folder.read(Key, MaxFileBytes);
  Json Document = Text ? Json::parse(*Text, nullptr, /*allow_exceptions=*/false) : Json();
  if (!Document.is_object() || Document.value("schema", "") != Schema)
    return std::nullopt;
  return Document;
}

std::string FormulaCache::keyOf(const Skeleton &S, const Question &Asked, const Footprint &AtShape, bool ForShape) {
  CacheKey Sum("formulas");
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
  for (const auto &[Tensor, IsThere] : Asked.Presence)
    Sum.addNumber(std::uint64_t(Tensor) << 1 | IsThere);
  Sum.addNumber(Asked.Presence.size());
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
  Sum.add(Asked.Space);
  const TriedChange &Tried = Asked.Tried;
  Sum.addNumber(static_cast<std::uint64_t>(Tried.What));
  for (const auto *Sites : {&Tried.Sites, &Tried.Before, &Tried.Into}) {
    for (std::uint32_t Site : *Sites)
      Sum.addNumber(Site);
    Sum.addNumber(Sites->size());
  }
  for (std::uint64_t Number : {Tried.Times, Tried.Parts, static_cast<std::uint64_t>(Tried.Extent.value_or(SIZE_MAX))})
    Sum.addNumber(Number);
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
  const std::optional<Json> Document = document(Key);
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
    Found.Arguments = sitesFrom(Document->at("arguments"), Found.Symbols.size());
    if (auto Part = Document->find("part"); Part != Document->end())
      Found.Part = partFrom(*Part, Found.Symbols.size());
    return Found;
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

void FormulaCache::keep(const std::string &Key, const FormulaSet &Found) const {
  if (!Folder.keeps())
    return;
  unsigned Late = 0;
  if (Found.OutOfTime) {
    std::optional<Json> Before = document(Key);
    Late = std::min(MaxLate,
                    (Before && (*Before)["late"].is_number_unsigned() ? (*Before)["late"].get<unsigned>() : 0) + 1);
  }
  Json Document = {{"schema", Schema},
                   {"late", Late},
                   {"symbols", Found.Symbols},
                   {"sites", sitesJson(Found.Sites)},
                   {"arguments", sitesJson(Found.Arguments)}};
  if (Found.Part)
    Document["part"] = toJson(*Found.Part);
  for (auto [Name, Figure] : figuresOf(Found))
    if (*Figure)
      Document[Name] = toJson(**Figure);
  Folder.write(Key, Document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace memshape
