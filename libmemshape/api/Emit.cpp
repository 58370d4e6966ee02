// The answer as code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/api/PipeSignal.h"
#include "libmemshape/emit/Emission.h"
#include "libmemshape/emit/FigureFormulas.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/CacheFolder.h"
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
    if (Each.Code == NoteCode::CalledForReal || Each.Code == NoteCode::PresentTensor ||
        Each.Code == NoteCode::Replayed || Each.Code == NoteCode::MissingUnits)
      Lines.push_back("note     " + Each.Text);
  return Lines;
}

class Emitting {
public:
  Emitting(const Operator &Op, const Skeleton &S, const std::string &File, const FigureFormulas &Found)
      : Op(Op), S(S), File(File), Found(Found) {}

  /// Fails where nothing has a formula.
  Expected<Emission> run() {
    if (!Found.Peak && !Found.Upper)
      return Error{ErrorCode::no_formula,
                   "no closed form of the peak of '" + S.Operator + "' was found, nor of its bound"};
    Made.Operator = S.Operator;
    Made.LastComponent = lastComponent(S.Operator);
    const char *Peak = Found.Exact ? "the greatest number of bytes that the call requests at a time"
                                   : "the same as it is expected: data decides";
    Made.Figures[0] = figure("peak", Peak, Found.Peak);
    Made.Figures[0].IsThere = Found.Peak.has_value();
    Made.Figures[1] =
        figure("upper", Found.Upper ? "bytes that the call requests at most" : "there is no upper bound", Found.Upper);
    Made.Figures[2] = figure("output", "bytes that live at the return", Found.Output);
    Made.Figures[3] = figure("tensor", "bytes of the arguments that are built", Found.Tensors);
    if (!Found.Upper && Found.Bounded)
      Made.Figures[1].What = "the upper bound has no closed form";
    addSymbols();
    writeHead();
    return std::move(Made);
  }

private:
  static EmittedFigure figure(const char *Name, const std::string &What, const std::optional<Recovered> &Of) {
    EmittedFigure Out{Name, What, std::nullopt};
    if (Of)
      Out.Value = Of->Value;
    return Out;
  }

  std::vector<const Recovered *> formulas() const {
    std::vector<const Recovered *> All;
    for (const std::optional<Recovered> *Each : {&Found.Peak, &Found.Upper, &Found.Output, &Found.Tensors})
      if (*Each)
        All.push_back(&**Each);
    return All;
  }

  /// The functions take what formulas contain, what is held or bounded in them, and extents.
  void addSymbols() {
    for (std::size_t I = 0; I < Op.symbols().size(); ++I) {
      const Symbol &From = Op.symbols()[I];
      EmittedSymbol Each{From.name, From.largest, isExtent(Op, S, From.name), {0, From.largest}};
      for (const Recovered *Of : formulas()) {
        const Range &Where = Of->Valid.Ranges[I];
        Each.Verified = {std::max(Each.Verified.Low, Where.Low), std::min(Each.Verified.High, Where.High)};
        Each.IsParameter = Each.IsParameter || Of->Value.dependsOn(I) || Where.Low > 1 || Where.Low == Where.High;
      }
      Made.Symbols.push_back(std::move(Each));
    }
  }

  void writeHead() {
    std::vector<std::string> &Head = Made.Head;
    std::string Signature;
    for (const Symbol &Each : Op.symbols())
      Signature += (Signature.empty() ? "" : ", ") + Each.name;
    Head.push_back("Memory of " + S.Operator + "(" + Signature + "), in bytes.");
    Head.push_back("");
    Head.push_back("Written by memshape " + thisBuild().Version + " (memshape emit) from " +
                   std::filesystem::path(File).filename().string() + ", skeleton " + digestOf(S) + ".");
    Head.push_back("SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
    Head.push_back("");
    for (const EmittedFigure &Each : Made.Figures)
      if (Each.IsThere)
        Head.push_back(Each.Name + std::string(9 - Each.Name.size(), ' ') +
                       (Each.Value ? Each.Value->str(S.shapeSymbols()) : "no value"));
    Domain Verified;
    std::vector<std::string> Names;
    for (const EmittedSymbol &Each : Made.Symbols)
      if (Each.IsParameter) {
        Verified.Ranges.push_back(Each.Verified);
        Names.push_back(Each.Name);
      }
    unsigned Shapes = UINT_MAX;
    for (const Recovered *Of : formulas())
      if (Of->VerifiedShapes)
        Shapes = std::min(Shapes, Of->VerifiedShapes);
    if (!Names.empty())
      Head.push_back("domain   " + Verified.str(Names));
    Head.push_back("verified at " + std::to_string(Shapes == UINT_MAX ? 1 : Shapes) + " shapes, and by " +
                   std::to_string(Found.Predictions) + " predictions" +
                   (Found.Exact ? ", all of them exact" : "; data decides, so that they are not exact"));
    const std::vector<std::string> Facts = restsOn(Found.Typical, *Found.Source);
    Head.insert(Head.end(), Facts.begin(), Facts.end());
    Head.push_back("");
    Head.push_back("A value that 64 bits do not hold, or that does not exist, is the greatest number that they hold.");
  }

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
  Expected<Question> Asked = questionOf(*of->Stored, Any);
  if (!Asked)
    return Asked.error();
  Result<std::shared_ptr<const WholeOperator>> Whole = of->whole();
  if (!Whole)
    return errorOf(Whole.failure(), ErrorCode::no_answer);
  if (std::optional<Error> Wrong = assume((*Whole)->Source, call, *Asked))
    return *Wrong;
  const Result<FigureFormulas> Found = figureFormulas(**Whole, *Asked, of->Files->forAnswer());
  if (!Found)
    return errorOf(Found.failure(), codeOf(Found.failure()));
  Expected<Emission> Made = Emitting(*this, *of->Stored, of->Files->Path, *Found).run();
  if (!Made)
    return Made.error();
  return sourceOf(*Made, language == Language::c ? EmittedLanguage::C : EmittedLanguage::Python);
}

} // namespace memshape::v1
