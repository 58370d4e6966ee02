// The answer as code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/api/PipeSignal.h"
#include "libmemshape/emit/Emission.h"
#include "libmemshape/emit/FigureFormulas.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/CacheFolder.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "libmemshape/version/Version.h"
#include "memshape/OperatorName.h"

#include <algorithm>
#include <climits>
#include <filesystem>

namespace memshape::v1 {

namespace {

/// "smooth" of "imaging::smooth<float>".
std::string lastComponent(const std::string &Name) {
  const std::string Plain = operator_name::withoutArguments(Name.substr(0, Name.find('(')));
  const std::size_t At = Plain.rfind("::");
  return At == std::string::npos ? Plain : Plain.substr(At + 2);
}

/// The skeleton that the formulas come from.
std::string digestOf(const Skeleton &S) {
  CacheKey Key;
  Key.add(S.Symbol);
  Key.add(S.Bitcode);
  return Key.text();
}

/// What the formulas rest on beside the shape.
std::vector<std::string> restsOn(const memshape::Prediction &P, const Skeleton &S) {
  std::vector<std::string> Lines;
  const std::vector<Parameter> Settings = S.parametersOf(Role::Setting);
  for (std::size_t I = 0; I < Settings.size() && I < P.Asked.Settings.size(); ++I)
    Lines.push_back("setting  " + Settings[I].Name + " = " + textOf(P.Asked.Settings[I]));
  if (P.Heap.Threads)
    Lines.push_back("threads  " + std::to_string(P.Heap.Threads));
  for (const auto &[Name, Value] : P.Heap.Machine)
    Lines.push_back("machine  " + Name + " = " + std::to_string(Value));
  for (const auto &[Name, Value] : P.Heap.Environment)
    Lines.push_back("machine  $" + Name + " = " + Value);
  for (const memshape::Note &Each : P.Notes)
    if (Each.Code == NoteCode::called_for_real || Each.Code == NoteCode::present_tensor ||
        Each.Code == NoteCode::null_pool || Each.Code == NoteCode::initial_function ||
        Each.Code == NoteCode::replayed || Each.Code == NoteCode::missing_units)
      Lines.push_back("note     " + Each.Text);
  return Lines;
}

class Emitting {
public:
  Emitting(const Operator &Op, const Skeleton &S, const std::string &File, const FigureFormulas &Found)
      : Op(Op), S(S), File(File), Found(Found) {}

  /// Fails where nothing has a formula.
  Expected<Emission> run() {
    if (Found.Peak.All.empty() && Found.Upper.All.empty())
      return Error{ErrorCode::no_formula,
                   "no closed form of the peak of '" + S.Operator + "' was found, nor of its bound"};
    Made.Operator = S.Operator;
    Made.LastComponent = lastComponent(S.Operator);
    const char *Peak = Found.Exact ? "the greatest number of bytes that the call requests at a time"
                                   : "the same as it is expected: not every call is exact";
    Made.Figures[0] = figure("peak", Peak, Found.Peak);
    Made.Figures[0].IsThere = !Found.Peak.All.empty();
    Made.Figures[1] = figure(
        "upper", Found.Bounded ? "bytes that the call requests at most" : "there is no upper bound", Found.Upper);
    Made.Figures[2] = figure("output", "bytes that live at the return", Found.Output);
    Made.Figures[3] = figure("tensor", "bytes of the arguments that are built", Found.Tensors);
    if (Found.Upper.All.empty() && Found.Bounded)
      Made.Figures[1].What = "the upper bound has no closed form";
    addSymbols();
    writeHead();
    return std::move(Made);
  }

private:
  /// The first of the cases is what is used where no other is. Where a domain reaches to an end of what was tried its
  /// formula goes on beyond.
  EmittedFigure figure(const char *Name, const std::string &What, const Cases &Of) const {
    EmittedFigure Out{Name, What, {}, Of.Everywhere};
    for (std::size_t I = Of.All.size(); I-- > 0;) {
      EmittedCase Each{Of.All[I].Value, Of.All[I].Valid, Of.All[I].Valid};
      for (std::size_t K = 0; K < Found.Hull.Ranges.size(); ++K) {
        Range &Where = Each.Where.Ranges[K];
        const Range &Tried = Found.Hull.Ranges[K];
        Where = {Where.Low <= Tried.Low ? 0 : Where.Low, Where.High >= Tried.High ? Found.Most[K] : Where.High};
      }
      Out.Cases.push_back(std::move(Each));
    }
    return Out;
  }

  /// The functions take what formulas contain, what is bounded in them, and extents.
  void addSymbols() {
    for (std::size_t I = 0; I < Op.symbols().size(); ++I) {
      const std::string &Name = Op.symbols()[I].name;
      EmittedSymbol Each{Name, Found.Most[I], isExtent(Op, S, Name)};
      for (const EmittedFigure &Figure : Made.Figures)
        for (const EmittedCase &Case : Figure.Cases)
          Each.IsParameter = Each.IsParameter || Case.Value.dependsOn(I) || Case.Where.Ranges[I].Low > 0 ||
                             (Case.Where.Ranges[I].High < Found.Most[I]) || !Case.Where.Ties.empty();
      Made.Symbols.push_back(std::move(Each));
    }
  }

  void writeHead() {
    std::vector<std::string> &Head = Made.Head;
    Head.push_back("Memory of " + S.Operator + "(" + joined(Op.symbols(), ", ", &Symbol::name) + "), in bytes.");
    Head.push_back("");
    Head.push_back("Written by memshape " + thisBuild().Version + " (memshape emit) from " +
                   std::filesystem::path(File).filename().string() + ", skeleton " + digestOf(S) + ".");
    Head.push_back("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
    Head.push_back("");
    for (const EmittedFigure &Each : Made.Figures)
      if (Each.IsThere)
        writeFormulas(Each);
    unsigned Shapes = UINT_MAX;
    for (const Cases *Of : {&Found.Peak, &Found.Upper, &Found.Output, &Found.Tensors})
      for (const Recovered &Each : Of->All)
        if (Each.VerifiedShapes)
          Shapes = std::min(Shapes, Each.VerifiedShapes);
    Head.push_back("Each was verified at " + std::to_string(Shapes == UINT_MAX ? 1 : Shapes) + " shapes, and by " +
                   std::to_string(Found.Predictions) + " predictions" +
                   (Found.Exact ? ", all of them exact." : ", not all of them exact."));
    const std::vector<std::string> Facts = restsOn(Found.Typical, *Found.Source);
    Head.insert(Head.end(), Facts.begin(), Facts.end());
    Head.push_back("");
    Head.push_back("A value that 64 bits do not hold, or that does not exist, is the greatest number that they hold.");
  }

  /// Each with its domain, where that is not the one of the line before.
  void writeFormulas(const EmittedFigure &Of) {
    const std::string Name = Of.Name + std::string(9 - Of.Name.size(), ' ');
    if (Of.Cases.empty())
      Made.Head.push_back(Name + "no value");
    for (std::size_t I = Of.Cases.size(); I-- > 0;) {
      const EmittedCase &Case = Of.Cases[I];
      Domain Verified;
      std::vector<std::string> Names;
      for (std::size_t K = 0; K < Made.Symbols.size(); ++K)
        if (Made.Symbols[K].IsParameter) {
          Verified.Ranges.push_back(Case.Verified.Ranges[K]);
          Names.push_back(Made.Symbols[K].Name);
        }
      Verified.Ties = Case.Verified.Ties; // then all are parameters
      Made.Head.push_back((I + 1 == Of.Cases.size() ? Name : std::string(9, ' ')) + Case.Value.str(S.shapeSymbols()));
      const std::string Where = Names.empty() || Case.Verified == everyShape() ? "" : "for " + Verified.str(Names);
      if (Where != LastDomain && !Where.empty())
        Made.Head.push_back(std::string(11, ' ') + Where);
      LastDomain = Where.empty() ? LastDomain : Where;
    }
  }

  /// That of a constant which holds anywhere.
  Domain everyShape() const {
    Domain All;
    for (const Symbol &Each : Op.symbols())
      All.Ranges.push_back({0, Each.largest});
    return All;
  }

  std::string LastDomain;
  const Operator &Op;
  const Skeleton &S;
  const std::string &File;
  const FigureFormulas &Found;
  Emission Made;
};

} // namespace

Expected<std::string> Operator::emit(const Call &call, Language language) const {
  const PipeSignal Blocked;
  Call Any = call;
  for (const Symbol &Each : symbols())
    Any.shape[Each.name] = std::min<std::int64_t>(1, Each.largest);
  MEMSHAPE_TRY(const AskedCall Asked, of->asked(Any));
  MEMSHAPE_TRY(const FigureFormulas Found, expected(figureFormulas(*Asked.Whole, Asked.Asked, of->Files->forAnswer())));
  MEMSHAPE_TRY(Emission Made, Emitting(*this, *of->Stored, of->Files->Path, Found).run());
  return sourceOf(Made, language == Language::c ? EmittedLanguage::C : EmittedLanguage::Python);
}

} // namespace memshape::v1
