// Profiles that were written as documents.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>

namespace memshape {

using nlohmann::json;

static StackFrame frameOf(JsonFields &Place) {
  // A place that is not known is null.
  return {Place.string("function"), Place.string("file"),
          static_cast<std::uint32_t>(std::min<std::uint64_t>(Place.natural("line"), UINT32_MAX))};
}

/// Members that are null are as good as absent.
static json withoutNulls(const json &Object) {
  json Out = json::object();
  if (Object.is_object())
    for (const auto &[Name, Value] : Object.items())
      if (!Value.is_null())
        Out[Name] = Value;
  return Out;
}

/// A document's sites in the heap, below an operator whose peak is Whole.
static std::optional<Failure> addSites(Profile &To, const std::string &Operator, const json &Sites,
                                       std::int64_t Whole) {
  Profile Call;
  for (const json &Each : Sites) {
    const json Site = withoutNulls(Each);
    JsonFields Fields(Site);
    if (Fields.string("space") != "host")
      continue;
    Stack Calls;
    for (const json &Place : Fields.array("chain")) {
      const json Known = withoutNulls(Place);
      JsonFields Of(Known);
      Calls.insert(Calls.begin(), frameOf(Of));
    }
    StackFrame Last = frameOf(Fields);
    if (const std::string Library = Fields.string("library"); Last.File.empty() && !Library.empty())
      Last = {Library.substr(Library.rfind('/') + 1), Library, 0};
    const std::int64_t Bytes = Fields.integer("bytes_at_peak");
    if (Fields.failed())
      return Failure{"has a site whose " + *Fields.failed()};
    Call.Stacks[stackBelow({Operator, "", 0}, std::move(Calls), Last)].LiveBytes += Bytes;
  }
  Call.complete({Whole}, {Operator, "", 0});
  for (const auto &[Where, Figures] : Call.Stacks)
    To.Stacks[Where] += Figures;
  return std::nullopt;
}

static std::int64_t peakOf(const json &Call) {
  const auto Heap = Call.find("heap");
  if (Heap == Call.end() || !Heap->is_object())
    return 0;
  JsonFields Fields(*Heap);
  return Fields.integer("peak_bytes");
}

static Result<Profile> profileOfPrediction(const json &Document) {
  Profile P;
  JsonFields Fields(Document);
  P.Program = Fields.string("operator");
  const json &Sites = Fields.array("sites");
  if (Fields.failed())
    return Failure{"is no prediction: " + *Fields.failed()};
  MEMSHAPE_CHECK(addSites(P, P.Program, Sites, peakOf(Document)));
  return P;
}

static Result<Profile> profileOfRun(const json &Document) {
  Profile P;
  P.HasChains = false;
  JsonFields Fields(Document);
  P.Program = Fields.string("program");
  std::map<std::string, const json *> Highest;
  for (const json &Call : Fields.array("calls")) {
    if (!Call.is_object())
      return Failure{"is no run: a call is no object"};
    const json *&Known = Highest[JsonFields(Call).string("operator")];
    if (!Known || peakOf(Call) > peakOf(*Known))
      Known = &Call;
  }
  if (Fields.failed())
    return Failure{"is no run: " + *Fields.failed()};
  for (const auto &[Operator, Call] : Highest)
    MEMSHAPE_CHECK(addSites(P, Operator, JsonFields(*Call).array("sites"), peakOf(*Call)));
  return P;
}

static std::optional<Profile> profileOfStacks(const std::string &Text, v1::Sample What) {
  Profile P;
  for (const std::string &Line : split(Text, '\n')) {
    if (Line.empty())
      continue;
    const std::size_t Blank = Line.rfind(' ');
    if (Blank == std::string::npos || Blank == 0)
      return std::nullopt;
    const auto Value = numberIn<std::int64_t>(std::string_view(Line).substr(Blank + 1));
    if (!Value)
      return std::nullopt;
    Stack Where;
    for (const std::string &Name : split(Line.substr(0, Blank), ';'))
      Where.push_back({Name, "", 0});
    StackFigures &Figures = P.Stacks[Where];
    (What == v1::Sample::peak    ? Figures.LiveBytes
     : What == v1::Sample::total ? Figures.TotalBytes
                                 : Figures.Allocations) += *Value;
  }
  return P;
}

std::optional<Result<Profile>> readProfile(std::string_view Text, v1::Sample What) {
  const std::size_t Begin = Text.find_first_not_of(" \t\r\n");
  if (Begin == std::string_view::npos || Text[Begin] != '{') {
    if (Text.find('\0') != std::string_view::npos)
      return std::nullopt;
    if (std::optional<Profile> Found = profileOfStacks(std::string(Text), What))
      return std::move(*Found);
    return std::nullopt;
  }
  MEMSHAPE_TRY(const json Document, inContext("is no JSON: ", parseJson(Text)));
  const std::string Schema = Document.is_object() ? JsonFields(Document).string("schema") : "";
  if (Schema != "memshape.prediction/1" && Schema != "memshape.run/1")
    return Failure{"is neither memshape.prediction/1 nor memshape.run/1"};
  if (What != v1::Sample::peak)
    return Failure{"says what is live at the peak alone; folded stacks and objects tell --sample " +
                   std::string(v1::name_of(What))};
  return Schema == "memshape.run/1" ? profileOfRun(Document) : profileOfPrediction(Document);
}

} // namespace memshape
