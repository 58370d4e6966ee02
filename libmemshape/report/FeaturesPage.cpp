// What the source says about an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads one operator of a document memshape.features/1 (docs/formats.md). Documents come from files, so that every
// member may be missing or of another type; then its part of the page is left out, and so is an element of a list that
// is not an object.

#include "libmemshape/files/Records.h"
#include "libmemshape/report/Report.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/JsonFields.h"

#include <algorithm>

namespace memshape {

using Json = nlohmann::ordered_json;

constexpr unsigned Indent = 2;
/// A page is for reading; the JSON has the rest.
constexpr std::size_t MaxRows = 20;

static const Json &member(const Json &Object, const char *Key) {
  static const Json None;
  if (!Object.is_object())
    return None;
  auto Place = Object.find(Key);
  return Place == Object.end() ? None : *Place;
}

static std::vector<const Json *> objectsOf(const Json &Object, const char *Key) {
  std::vector<const Json *> Objects;
  if (const Json &List = member(Object, Key); List.is_array())
    for (const Json &Element : List)
      if (Element.is_object())
        Objects.push_back(&Element);
  return Objects;
}

static std::string textOf(const Json &Object, const char *Key) {
  const Json &Value = member(Object, Key);
  return Value.is_string() ? oneLine(Value.get<std::string>()) : "";
}

static bool isTrue(const Json &Object, const char *Key) {
  const Json &Value = member(Object, Key);
  return Value.is_boolean() && Value.get<bool>();
}

static std::string numberOf(const Json &Object, const char *Key) {
  const Json &Value = member(Object, Key);
  return Value.is_number_integer() ? std::to_string(Value.get<std::int64_t>()) : "";
}

/// The name of a file without its folders: the page is about one operator, whose files have different names.
static std::string placeOf(const Json &Element) {
  const Json &Location = member(Element, "location");
  std::string File = textOf(Location, "file"), Line = numberOf(Location, "line");
  File = File.substr(File.rfind('/') + 1);
  return Line.empty() || Line == "0" ? File : File + ":" + Line;
}

static std::string counted(std::size_t Count, const char *What) {
  return std::to_string(Count) + " " + What + (Count == 1 ? "" : "s");
}

static std::string table(const char *Title, const std::vector<std::vector<std::string>> &Rows, std::size_t All,
                         const Terminal &Screen) {
  if (Rows.empty())
    return "";
  std::string Text = "\n  " + inked(Title, Ink::Strong, Screen) + "\n" + aligned(Rows, {}, 2 * Indent);
  if (All > Rows.size())
    Text += "    and " + std::to_string(All - Rows.size()) + " more\n";
  return Text;
}

static std::string shortened(const std::string &Expression) {
  constexpr std::size_t Longest = 40;
  return Expression.size() > Longest ? oneLine(Expression.substr(0, Longest - 3)) + "..." : Expression;
}

static std::string allocations(const Json &Operator, const Terminal &Screen) {
  const std::vector<const Json *> List = objectsOf(Operator, "allocations");
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I != std::min(List.size(), MaxRows); ++I) {
    const Json &Entry = *List[I];
    std::string Size = textOf(Entry, "size_written"), Space = textOf(Entry, "space");
    std::string Remark;
    auto Add = [&](const std::string &Words) { Remark += (Remark.empty() ? "" : ", ") + Words; };
    if (const Json &Loops = member(Entry, "loop_depth"); Loops.is_number() && Loops != 0)
      Add("in a loop");
    if (isTrue(Entry, "growth"))
      Add("grows");
    if (isTrue(Entry, "conditional"))
      Add("conditional");
    if (!Space.empty() && Space != "host")
      Add(Space);
    std::string Name = textOf(Entry, "name"), Written = textOf(Entry, "written_as");
    Rows.push_back({placeOf(Entry), shortened(Name.empty() ? Written : Name),
                    Size.empty() ? textOf(Entry, "depends_on") + " size" : shortened(Size), Remark});
  }
  return table("Allocations in the source", Rows, List.size(), Screen);
}

static std::string intermediates(const Json &Operator, const Terminal &Screen) {
  const std::vector<const Json *> List = objectsOf(Operator, "intermediates");
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I != std::min(List.size(), MaxRows); ++I) {
    const Json &Entry = *List[I];
    std::string First = numberOf(Entry, "first_use"), Last = numberOf(Entry, "last_use");
    const Json &Dies = member(Entry, "dies_before_return");
    Rows.push_back({placeOf(Entry), textOf(Entry, "name"),
                    First.empty() || Last.empty() ? "not used" : "used in lines " + First + " to " + Last,
                    !Dies.is_boolean() ? ""
                    : Dies.get<bool>() ? "dies before return"
                                       : "outlives the call"});
  }
  return table("Intermediates", Rows, List.size(), Screen);
}

static std::string control(const Json &Operator, const Terminal &Screen) {
  if (!member(Operator, "control").is_array())
    return "";
  const std::vector<const Json *> List = objectsOf(Operator, "control");
  std::size_t OnData = 0, Guarding = 0, Both = 0;
  std::vector<std::vector<std::string>> Rows;
  for (const Json *Each : List) {
    const Json &Entry = *Each;
    bool Data = textOf(Entry, "depends_on") == "data", Guards = isTrue(Entry, "guards_allocation");
    OnData += Data;
    Guarding += Guards;
    if (!Data || !Guards)
      continue;
    ++Both;
    if (Rows.size() < MaxRows)
      Rows.push_back({placeOf(Entry), textOf(Entry, "kind"), textOf(Entry, "condition")});
  }
  std::string Text = "\n  Control       " + counted(List.size(), "statement");
  const Json &Share = member(member(Operator, "shares"), "control");
  if (Share.is_number())
    Text += format(" (%.1f %% of all)", 100 * Share.get<double>());
  if (!List.empty())
    Text += ", " + std::to_string(OnData) + " on data (" + share(OnData, List.size()) + "), " +
            std::to_string(Guarding) + " over an allocation";
  return Text + "\n" + table("Control on data over an allocation", Rows, Both, Screen);
}

static std::string pattern(const Json &Operator) {
  const Json &Transformation = member(Operator, "transformation");
  std::string Pattern = textOf(Transformation, "pattern");
  if (Pattern.empty())
    return "";
  for (char &C : Pattern)
    if (C == '_')
      C = ' ';
  std::string Text = "  Pattern       " + Pattern;
  std::string Outputs;
  for (const Json *Output : objectsOf(Transformation, "outputs")) {
    const std::string Name = textOf(*Output, "name");
    Outputs += (Outputs.empty() ? ": " : ", ") + (Name.empty() ? "returned value" : Name);
  }
  return Text + Outputs + "\n";
}

std::string featuresPage(const Json &Operator, const Terminal &Screen) {
  std::string Text =
      allocations(Operator, Screen) + intermediates(Operator, Screen) + control(Operator, Screen) + pattern(Operator);
  if (isTrue(Operator, "truncated"))
    Text += "  The source was too large to be walked as a whole: these lists may be incomplete.\n";
  return Text;
}

static constexpr const char FeaturesSchema[] = "memshape.features/1";

Result<nlohmann::ordered_json> parseFeatures(std::string_view Payload) {
  Result<nlohmann::ordered_json> Document = parseOrderedJson(Payload);
  if (!Document)
    return damagedRecord("features", Document.failure().Message);
  if (!Document->is_object())
    return damagedRecord("features", "it is not valid JSON");
  auto Schema = Document->find("schema");
  std::string Name = Schema != Document->end() && Schema->is_string() ? oneLine(Schema->get<std::string>()) : "";
  if (Name != FeaturesSchema) {
    if (Name.starts_with("memshape.features/"))
      return Failure{"was made by a newer memshape (" + Name + "; this one reads " + FeaturesSchema + ")"};
    return damagedRecord("features", "it is not a " + std::string(FeaturesSchema));
  }
  return Document;
}

} // namespace memshape
