// A baseline as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON with line breaks for reviewing: the library's own format would give every number a line.

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/text/Escapes.h"

#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

std::string compact(const Json &Value) {
  std::string Text = jsonText(Value);
  return Text;
}

/// {"a": 1, "b": [2, 3]} on one line, with blanks.
std::string inLine(const Json &Value) {
  std::string Text;
  if (Value.is_object()) {
    for (const auto &[Key, Member] : Value.items())
      Text += (Text.empty() ? "" : ", ") + compact(Json(Key)) + ": " + inLine(Member);
    return "{" + Text + "}";
  }
  if (Value.is_array()) {
    for (const Json &Element : Value)
      Text += (Text.empty() ? "" : ", ") + inLine(Element);
    return "[" + Text + "]";
  }
  return compact(Value);
}

/// Writes each member of an object on its own line, and each element of a list of objects.
class Writer {
public:
  explicit Writer(unsigned Depth) : Indent(2 * Depth, ' ') {}

  void member(const std::string &Key, const std::string &Text) {
    Lines += (Lines.empty() ? "" : ",\n") + Indent + "  " + compact(Json(Key)) + ": " + Text;
  }
  void member(const std::string &Key, const Json &Value) { member(Key, inLine(Value)); }
  void list(const std::string &Key, const std::vector<Json> &Elements) {
    std::string Text;
    for (const Json &Element : Elements)
      Text += (Text.empty() ? "\n" : ",\n") + Indent + "    " + inLine(Element);
    member(Key, Text.empty() ? "[]" : "[" + Text + "\n" + Indent + "  ]");
  }
  std::string text() const { return Lines.empty() ? "{}" : "{\n" + Lines + "\n" + Indent + "}"; }

private:
  std::string Indent, Lines;
};

/// The shortest text that reads back as Value.
std::string numberText(double Value) {
  char Text[32];
  return std::string(Text, std::to_chars(std::begin(Text), std::end(Text), Value).ptr);
}

Json textOrNull(const std::optional<std::string> &Text) { return Text ? Json(*Text) : Json(nullptr); }

Json rowJson(const BaselineOperator &Op, const BaselineRow &Row) {
  Json Shape = Json::object(), Out = Json::object();
  for (std::size_t I = 0; I < Op.Symbols.size(); ++I)
    Shape[Op.Symbols[I]] = Row.Shape[I];
  Out["shape"] = std::move(Shape);
  for (std::size_t I = 0; I < FigureCount; ++I)
    Out[FigureNames[I]] = Row.Figures[I];
  if (!Row.Spaces.empty())
    Out["spaces"] = Row.Spaces;
  if (!Row.Exact) {
    Out["lower"] = Row.Lower;
    Out["upper"] = Row.Upper ? Json(*Row.Upper) : Json(nullptr);
  }
  return Out;
}

Json siteJson(const BaselineSite &Site) {
  Json Out = Json::object();
  Out["function"] = Site.Function;
  Out["code"] = Site.Code;
  if (!Site.From.empty())
    Out["from"] = Site.From;
  Out["allocator"] = Site.Allocator;
  if (Site.Space != "host")
    Out["space"] = Site.Space;
  Out["peak"] = textOrNull(Site.Formula);
  Out["held"] = Site.Held;
  Out["requested"] = Site.Requested;
  Out["times"] = Site.Times;
  if (!Site.Kept.empty())
    Out["kept"] = Site.Kept;
  return Out;
}

Json decisionJson(const BaselineDecision &Decision) {
  return {{"function", Decision.Function},
          {"condition", Decision.Condition},
          {"kind", Decision.IsValue ? "value" : "branch"}};
}

std::string operatorText(const BaselineOperator &Op) {
  Writer Out(2);
  Out.member("shape", Json(Op.Symbols));
  if (!Op.Sizes.empty())
    Out.member("sizes_from_data", Json(Op.Sizes));
  if (!Op.Settings.empty()) {
    Json Settings = Json::array();
    for (const auto &[Name, Value] : Op.Settings)
      Settings.push_back(Name + "=" + numberText(Value));
    Out.member("settings", Settings);
  }
  if (Op.Tolerance)
    Out.member("tolerance", Json(*Op.Tolerance));
  if (!Op.Trouble.empty())
    Out.member("trouble", Json(Op.Trouble));
  if (!Op.Method.empty())
    Out.member("method", Json(Op.Method));
  for (std::size_t I = 0; I < FigureCount; ++I)
    Out.member(FigureNames[I], textOrNull(Op.Formulas[I]));
  if (!Op.Where.empty()) {
    Json Where = Json::object();
    for (const auto &[Symbol, Range] : Op.Where)
      Where[Symbol] = {Range.Low, Range.High};
    Out.member("where", Where);
  }
  if (!Op.DependsOn.empty())
    Out.member("depends_on", Json(Op.DependsOn));
  std::vector<Json> Rows, Sites, Decisions;
  for (const BaselineRow &Row : Op.Rows)
    Rows.push_back(rowJson(Op, Row));
  for (const BaselineSite &Site : Op.Sites)
    Sites.push_back(siteJson(Site));
  for (const BaselineDecision &Decision : Op.Decisions)
    Decisions.push_back(decisionJson(Decision));
  Out.list("at", Rows);
  Out.list("sites", Sites);
  Out.list("decisions", Decisions);
  return Out.text();
}

} // namespace

std::string baselineText(const BaselineFile &L) {
  Writer Out(0), Operators(1);
  Out.member("schema", Json(BaselineSchema));
  Out.member("compiler", Json(L.Compiler));
  Out.member("machine", Json(L.Machine));
  Out.member("tolerance", Json(L.Tolerance));
  for (const BaselineOperator &Op : L.Operators)
    Operators.member(Op.Name, operatorText(Op));
  Out.member("operators", Operators.text());
  return Out.text() + "\n";
}

} // namespace memshape
