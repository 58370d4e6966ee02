// A baseline from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Try.h"
#include "model/formula/Expression.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace memshape {

namespace {

using Json = nlohmann::json;

/// Reads one operator, and remembers the first problem.
class OperatorReader {
public:
  explicit OperatorReader(std::string Name) { Op.Name = std::move(Name); }

  Result<BaselineOperator> read(const Json &From) {
    JsonFields Fields(From);
    Op.Symbols = Fields.strings("shape");
    Op.Sizes = Fields.strings("sizes_from_data");
    Op.Trouble = Fields.string("trouble");
    Op.Method = Fields.string("method");
    Op.DependsOn = Fields.strings("depends_on");
    if (From.is_object() && From.contains("tolerance"))
      Op.Tolerance = Fields.string("tolerance");
    for (std::size_t I = 0; I < FigureCount; ++I)
      Op.Formulas[I] = formula(From, FigureNames[I]);
    if (From.is_object() && From.contains("where"))
      where(From["where"]);
    for (const std::string &Setting : Fields.strings("settings"))
      setting(Setting);
    for (const Json &Row : Fields.array("at"))
      row(Row);
    for (const Json &Site : Fields.array("sites"))
      site(Site);
    for (const Json &Decision : Fields.array("decisions"))
      decision(Decision);
    keep(Fields);
    if (Op.Tolerance && Wrong.empty())
      if (Result<double> Read = readTolerance(*Op.Tolerance); !Read)
        Wrong = Read.failure().Message;
    if (!Wrong.empty())
      return Failure{"operator '" + oneLine(Op.Name) + "': " + oneLine(Wrong)};
    return std::move(Op);
  }

private:
  void refuse(const std::string &Why) {
    if (Wrong.empty())
      Wrong = Why;
  }
  void keep(const JsonFields &Fields) {
    if (Fields.failed())
      refuse(*Fields.failed());
  }

  std::optional<std::string> formula(const Json &From, const char *Key) {
    if (!From.is_object() || !From.contains(Key) || From[Key].is_null())
      return std::nullopt;
    if (!From[Key].is_string()) {
      refuse("'" + std::string(Key) + "' is no formula");
      return std::nullopt;
    }
    std::string Text = From[Key].get<std::string>(), Why;
    if (!Expression::parse(Text, &Why))
      refuse("'" + Text + "' is no formula: " + Why);
    return Text;
  }

  void where(const Json &From) {
    if (!From.is_object())
      return refuse("'where' is no object");
    for (const auto &[Symbol, Ends] : From.items()) {
      const bool Known = std::find(Op.Symbols.begin(), Op.Symbols.end(), Symbol) != Op.Symbols.end();
      if (!Known || !Ends.is_array() || Ends.size() != 2 || !Ends[0].is_number_integer() ||
          !Ends[1].is_number_integer())
        return refuse("'where' gives no range of '" + Symbol + "'");
      const Range Read = {Ends[0].get<std::int64_t>(), Ends[1].get<std::int64_t>()};
      if (Read.Low < 1 || Read.High < Read.Low)
        return refuse("'where' gives no range of '" + Symbol + "'");
      Op.Where[Symbol] = Read;
    }
  }

  void setting(const std::string &Text) {
    const std::size_t Equals = Text.find('=');
    double Value = 0;
    const char *End = Text.data() + Text.size();
    if (Equals == std::string::npos || std::from_chars(Text.data() + Equals + 1, End, Value).ptr != End)
      return refuse("'" + Text + "' is no setting");
    Op.Settings.emplace_back(Text.substr(0, Equals), Value);
  }

  void row(const Json &From) {
    JsonFields Fields(From);
    BaselineRow Row;
    for (std::size_t I = 0; I < FigureCount; ++I)
      Row.Figures[I] = Fields.natural(FigureNames[I]);
    const Json *Shape = From.is_object() && From.contains("shape") ? &From["shape"] : nullptr;
    for (const std::string &Symbol : Op.Symbols) {
      auto Value = Shape && Shape->is_object() ? Shape->find(Symbol) : Json::const_iterator();
      if (!Shape || !Shape->is_object() || Value == Shape->end() || !Value->is_number_integer())
        return refuse("a reference shape has no value for '" + Symbol + "'");
      Row.Shape.push_back(Value->get<std::int64_t>());
    }
    if (From.contains("lower")) {
      Row.Exact = false;
      Row.Lower = Fields.natural("lower");
      if (From.contains("upper") && !From["upper"].is_null())
        Row.Upper = Fields.natural("upper");
    }
    if (From.contains("spaces") && From["spaces"].is_object())
      for (const auto &[Name, Bytes] : From["spaces"].items()) {
        if (!Bytes.is_number_unsigned())
          return refuse("'spaces' contains a value that is not a number of bytes");
        Row.Spaces[Name] = Bytes.get<std::uint64_t>();
      }
    keep(Fields);
    Op.Rows.push_back(std::move(Row));
  }

  std::vector<std::uint64_t> perRow(JsonFields &Fields, const char *Key) {
    std::vector<std::uint64_t> Figures;
    for (const Json &Each : Fields.array(Key))
      if (Each.is_number_unsigned())
        Figures.push_back(Each.get<std::uint64_t>());
      else
        refuse("'" + std::string(Key) + "' contains a value that is not a natural number");
    if (Figures.size() != Op.Rows.size())
      refuse("'" + std::string(Key) + "' of a site needs one figure for each reference shape");
    return Figures;
  }

  void site(const Json &From) {
    JsonFields Fields(From);
    BaselineSite Site;
    Site.Function = Fields.string("function");
    Site.Code = Fields.string("code");
    Site.From = Fields.strings("from");
    Site.Allocator = Fields.string("allocator");
    Site.Space = Fields.string("space");
    if (Site.Space.empty())
      Site.Space = "host";
    Site.Formula = formula(From, "peak");
    Site.Held = perRow(Fields, "held");
    Site.Requested = perRow(Fields, "requested");
    Site.Times = perRow(Fields, "times");
    if (From.is_object() && From.contains("kept"))
      Site.Kept = perRow(Fields, "kept");
    keep(Fields);
    Op.Sites.push_back(std::move(Site));
  }

  void decision(const Json &From) {
    JsonFields Fields(From);
    BaselineDecision Decision;
    Decision.Function = Fields.string("function");
    Decision.Condition = Fields.string("condition");
    Decision.IsValue = Fields.string("kind") == "value";
    keep(Fields);
    Op.Decisions.push_back(std::move(Decision));
  }

  BaselineOperator Op;
  std::string Wrong;
};

/// Whether a line starts with a conflict marker of an unfinished merge.
bool hasConflictMarkers(std::string_view Text) {
  for (std::string_view Marker : {"<<<<<<< ", "=======\n", "=======\r\n", ">>>>>>> ", "||||||| "})
    if (Text.starts_with(Marker) || Text.find("\n" + std::string(Marker)) != std::string_view::npos)
      return true;
  return false;
}

/// JSON objects may repeat a name, of which a parser takes the last: a merge can produce that.
std::optional<std::string> repeatedOperator(std::string_view Text) {
  std::set<std::string> Seen;
  std::vector<std::string> Path;
  std::optional<std::string> Repeated;
  Json::parser_callback_t Watch = [&](int Depth, Json::parse_event_t Event, Json &Parsed) {
    if (Event == Json::parse_event_t::key) {
      Path.resize(static_cast<std::size_t>(std::max(Depth, 1)));
      Path.back() = Parsed.get<std::string>();
      if (Depth == 2 && Path.front() == "operators" && !Seen.insert(Path.back()).second && !Repeated)
        Repeated = Path.back();
    }
    return true;
  };
  (void)Json::parse(Text, Watch, /*allow_exceptions=*/false);
  return Repeated;
}

} // namespace

Result<BaselineFile> parseBaseline(std::string_view Text) {
  if (hasConflictMarkers(Text))
    return Failure{
        "contains conflict markers of an unfinished merge: resolve them, or remove the file and make a new one "
        "with --update"};
  MEMSHAPE_TRY(Json Document, inContext("is not a baseline: ", parseJson(Text)));
  JsonFields Fields(Document);
  std::string Schema = Fields.string("schema");
  if (Schema != BaselineSchema) {
    if (Schema.starts_with("memshape.lock/"))
      return Failure{"was made by another memshape (" + oneLine(Schema) + "; this one reads " + BaselineSchema +
                     "): remove it and make a new one with --update, or use that memshape"};
    return Failure{"is not a baseline: its schema is not " + std::string(BaselineSchema)};
  }
  BaselineFile L;
  L.Compiler = Fields.string("compiler");
  L.Tolerance = Fields.string("tolerance");
  if (Result<double> Read = readTolerance(L.Tolerance); !Read && !Fields.failed())
    return Failure{"is damaged: " + oneLine(Read.failure().Message)};
  auto Member = [&](const char *Key) -> const Json * {
    auto Found = Document.find(Key);
    return Found != Document.end() && Found->is_object() ? &*Found : nullptr;
  };
  const Json *Machine = Member("machine"), *Operators = Member("operators");
  if (!Machine || !Operators)
    return Failure{std::string("is damaged: it has no object '") + (Machine ? "operators" : "machine") + "'"};
  for (const auto &[Name, Value] : Machine->items()) {
    if (!referenceMachine().contains(Name) || !Value.is_number_unsigned() || Value.get<std::uint64_t>() > INT64_MAX)
      return Failure{"is damaged: '" + oneLine(Name) + "' of 'machine' is unknown or not a natural number"};
    L.Machine[Name] = Value.get<std::int64_t>();
  }
  if (std::optional<std::string> Repeated = repeatedOperator(Text))
    return Failure{"describes the operator '" + oneLine(*Repeated) + "' twice: remove one of the two"};
  for (const auto &[Name, Described] : Operators->items()) {
    MEMSHAPE_TRY(BaselineOperator Op, inContext("is damaged: ", OperatorReader(Name).read(Described)));
    L.Operators.push_back(std::move(Op));
  }
  if (Fields.failed())
    return Failure{"is damaged: " + oneLine(*Fields.failed())};
  return L;
}

} // namespace memshape
