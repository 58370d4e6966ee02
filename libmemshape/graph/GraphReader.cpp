// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/GraphReader.h"
#include "libmemshape/text/JsonFields.h"

#include <algorithm>
#include <cmath>

namespace memshape {

using graph::Node;

const char *const Schema = "memshape.graph/1";
constexpr std::size_t MostProcessors = 1000;

std::string shownId(const std::string &Id) {
  constexpr std::size_t Most = 60; // bytes; none of a character's are left over
  std::string Shown = Id.substr(0, Most);
  if (Id.size() > Most) {
    while (!Shown.empty() && (static_cast<unsigned char>(Id[Shown.size()]) & 0xC0) == 0x80)
      Shown.pop_back();
    Shown += "...";
  }
  return "'" + oneLine(Shown) + "'";
}

std::string GraphReader::here() const {
  return Id ? "node " + shownId(*Id) : "node " + std::to_string(Nodes.size() + 1);
}

bool GraphReader::refuse(std::string Message) {
  if (!Wrong)
    Wrong = Failure{std::move(Message)};
  return false;
}

bool GraphReader::refuseValue(const std::string &Found) {
  switch (At) {
  case Level::Outside: return refuse("a graph is an object, " + std::string(Schema));
  case Level::Document:
    return refuse(Now == Member::Schema
                      ? "its schema is not " + std::string(Schema)
                      : (Now == Member::Nodes ? "nodes" : "processors") + std::string(" is an array of objects"));
  case Level::Processors: return refuse("a processor is an object, with memory and speed");
  case Level::Processor:
    return refuse("processor " + std::to_string(Processors.size()) +
                  (Now == Member::Speed ? ": speed is a number above 0, not "
                                        : ": memory is a whole number from 0 to 9223372036854775807, not ") +
                  Found);
  case Level::Nodes: return refuse("node " + std::to_string(Nodes.size() + 1) + ": a node is an object");
  case Level::Inputs: return refuse(here() + ": inputs are ids, and " + Found + " is none");
  case Level::Shape: return refuse(here() + ": " + shownId(Name) + " of its shape is a whole number, not " + Found);
  case Level::Settings:
    return refuse(here() + ": " + shownId(Name) + " of its settings is a number or a bool, not " + Found);
  case Level::Node: break;
  }
  switch (Now) {
  case Member::Output:
  case Member::Work:
    return refuse(here() + ": " + (Now == Member::Output ? "output_bytes" : "work_bytes") +
                  " is a whole number from 0 to 9223372036854775807, not " + Found);
  case Member::Time:
  case Member::Speedup:
    return refuse(here() + ": " + (Now == Member::Time ? "time" : "speedup") + " is a number from 0, not " + Found);
  case Member::Inputs: return refuse(here() + ": inputs is an array of ids, not " + Found);
  case Member::Shape:
  case Member::Settings:
    return refuse(here() + ": " + (Now == Member::Shape ? "shape" : "settings") + " is an object, not " + Found);
  default: return refuse(here() + ": id, operator, file and in_place are strings, not " + Found);
  }
}

bool GraphReader::processorKey(const std::string &Key) {
  Now = Key == "memory" ? Member::Memory : Key == "speed" ? Member::Speed : Member::None;
  if (Now == Member::None)
    return refuse("a processor has the members memory and speed, and no " + shownId(Key));
  if (std::find(Seen.begin(), Seen.end(), Now) != Seen.end())
    return refuse("processor " + std::to_string(Processors.size()) + " has the member " + shownId(Key) + " twice");
  Seen.push_back(Now);
  return true;
}

bool GraphReader::bytes(std::int64_t Value) {
  if (Value < 0)
    return refuseValue(std::to_string(Value));
  (Now == Member::Output ? Task.Output : Task.Work) = Value;
  return true;
}

bool GraphReader::duration(double Value) {
  if (Now == Member::Speed) {
    Processors.back().Speed = Value;
    return (Value > 0 && std::isfinite(Value)) || refuseValue("0 or less");
  }
  if (!(Value >= 0) || !std::isfinite(Value))
    return refuseValue("a negative number");
  (Now == Member::Time ? Task.Time : Task.Speedup) = Value;
  return true;
}

bool GraphReader::boolean(bool Value) {
  if (At != Level::Settings)
    return refuseValue(Value ? "true" : "false");
  Call.Settings[Name] = Value;
  return true;
}

bool GraphReader::number_integer(std::int64_t Value) {
  if (At == Level::Node && (Now == Member::Output || Now == Member::Work))
    return bytes(Value);
  if (isDuration())
    return duration(static_cast<double>(Value));
  if (At == Level::Processor && Now == Member::Memory && Value >= 0) {
    Processors.back().Memory = Value;
    return true;
  }
  if (At == Level::Shape && Value >= 0) {
    Call.Shape[Name] = Value;
    return true;
  }
  if (At == Level::Settings) {
    Call.Settings[Name] = static_cast<double>(Value);
    return true;
  }
  return refuseValue(std::to_string(Value));
}

bool GraphReader::number_unsigned(std::uint64_t Value) {
  if (Value <= INT64_MAX)
    return number_integer(static_cast<std::int64_t>(Value));
  return number_float(static_cast<double>(Value), std::to_string(Value));
}

bool GraphReader::number_float(double Value, const std::string &Text) {
  if (isDuration())
    return duration(Value);
  if (At == Level::Settings) {
    Call.Settings[Name] = Value;
    return true;
  }
  return refuseValue(shownId(Text));
}

bool GraphReader::string(std::string &Value) {
  if (At == Level::Document && Now == Member::Schema) {
    SchemaSeen = Value == Schema;
    return SchemaSeen || refuseValue(Value);
  }
  if (At == Level::Inputs) {
    const Node Input = numberOf(Value);
    if (std::exchange(ReadBy[Input], Nodes.size() + 1) == Nodes.size() + 1)
      return refuse(here() + " has the input " + shownId(Value) + " twice");
    Read.push_back(Input);
    return true;
  }
  if (At == Level::Node && Now == Member::Id)
    Id = Value;
  else if (At == Level::Node && Now == Member::InPlace)
    Place = Value;
  else if (At == Level::Node && (Now == Member::Operator || Now == Member::File))
    (Now == Member::Operator ? Call.Operator : Call.File) = Value;
  else
    return refuseValue(shownId(Value));
  return true;
}

bool GraphReader::start_object(std::size_t) {
  if (At == Level::Outside)
    At = Level::Document;
  else if (At == Level::Nodes) {
    if (Nodes.size() >= MostNodes)
      return refuse("it has more than " + std::to_string(MostNodes) + " nodes");
    At = Level::Node;
    Id.reset();
    Seen.clear();
    Read.clear();
    Task = {};
    Call = {};
  } else if (At == Level::Processors) {
    At = Level::Processor;
    Seen.clear();
    Processors.emplace_back();
  } else if (At == Level::Node && Now == Member::Shape)
    At = Level::Shape;
  else if (At == Level::Node && Now == Member::Settings)
    At = Level::Settings;
  else
    return refuseValue("an object");
  return true;
}

bool GraphReader::key(std::string &Key) {
  if (At == Level::Document) {
    Now = Key == "schema"       ? Member::Schema
          : Key == "nodes"      ? Member::Nodes
          : Key == "processors" ? Member::Processors
                                : Member::None;
    bool &Before = Now == Member::Schema ? SchemaSeen : Now == Member::Nodes ? NodesSeen : ProcessorsSeen;
    if (Now == Member::None)
      return refuse("a graph has the members schema, nodes and processors, and no " + shownId(Key));
    if (Before)
      return refuse("it has the member " + shownId(Key) + " twice");
    if (Now != Member::Schema)
      Before = true;
    return true;
  }
  if (At == Level::Processor)
    return processorKey(Key);
  if (At == Level::Node) {
    constexpr std::pair<const char *, Member> Known[] = {{"id", Member::Id},
                                                         {"output_bytes", Member::Output},
                                                         {"work_bytes", Member::Work},
                                                         {"time", Member::Time},
                                                         {"speedup", Member::Speedup},
                                                         {"inputs", Member::Inputs},
                                                         {"operator", Member::Operator},
                                                         {"file", Member::File},
                                                         {"shape", Member::Shape},
                                                         {"settings", Member::Settings},
                                                         {"in_place", Member::InPlace}};
    const auto *Found =
        std::find_if(std::begin(Known), std::end(Known), [&](const auto &Each) { return Key == Each.first; });
    if (Found == std::end(Known))
      return refuse(here() + ": a node has no member " + shownId(Key) +
                    "; there are id, output_bytes, work_bytes, time, speedup, inputs, in_place, operator, file, shape "
                    "and settings");
    Now = Found->second;
    if (std::find(Seen.begin(), Seen.end(), Now) != Seen.end())
      return refuse(here() + " has the member " + shownId(Key) + " twice");
    Seen.push_back(Now);
    return true;
  }
  Name = Key;
  const bool Twice = At == Level::Shape ? Call.Shape.contains(Name) : Call.Settings.contains(Name);
  return !Twice || refuse(here() + " has " + shownId(Name) + " twice");
}

bool GraphReader::end_object() {
  if (At == Level::Node)
    return endNode();
  if (At == Level::Shape || At == Level::Settings || At == Level::Processor) {
    At = At == Level::Processor ? Level::Processors : Level::Node;
    return true;
  }
  if (!SchemaSeen)
    return refuse("it has no schema, and " + std::string(Schema) + " is wanted");
  if (!NodesSeen)
    return refuse("it has no nodes");
  Complete = true;
  At = Level::Outside;
  return true;
}

bool GraphReader::start_array(std::size_t) {
  if (At == Level::Document && Now == Member::Nodes)
    At = Level::Nodes;
  else if (At == Level::Document && Now == Member::Processors)
    At = Level::Processors;
  else if (At == Level::Node && Now == Member::Inputs)
    At = Level::Inputs;
  else
    return refuseValue("an array");
  return true;
}

bool GraphReader::end_array() {
  if (At == Level::Processors && (Processors.empty() || Processors.size() > MostProcessors))
    return refuse("it has 1 to " + std::to_string(MostProcessors) + " processors, where it says them");
  At = At == Level::Inputs ? Level::Node : Level::Document;
  return true;
}

bool GraphReader::parse_error(std::size_t Position, const std::string &, const nlohmann::json::exception &) {
  return refuse("it is not valid JSON near byte " + std::to_string(Position));
}

Node GraphReader::numberOf(const std::string &Of) {
  const auto [Found, New] = Numbers.emplace(Of, static_cast<Node>(Names.size()));
  if (New) {
    Names.push_back(Of);
    Defined.push_back(false);
    ReadBy.push_back(0);
  }
  return Found->second;
}

bool GraphReader::endInPlace() {
  const auto Found = Numbers.find(Place);
  if (Found == Numbers.end() || std::find(Read.begin(), Read.end(), Found->second) == Read.end())
    return refuse(here() + " takes the place of " + shownId(Place) + ", and that is none of its inputs");
  InPlace.push_back({Found->second, static_cast<Node>(Nodes.size())});
  return true;
}

bool GraphReader::endNode() {
  const auto Has = [&](Member Which) { return std::find(Seen.begin(), Seen.end(), Which) != Seen.end(); };
  if (!Id)
    return refuse(here() + " has no id");
  if (Has(Member::Operator) && Call.Operator.empty())
    return refuse(here() + ": its operator has no name");
  if (Has(Member::File) && !Has(Member::Operator))
    return refuse(here() + " names a file and no operator");
  if (Has(Member::Operator) && Call.File.empty())
    return refuse(here() + " names an operator and no file that has it");
  if (!Has(Member::Operator) && !Has(Member::Output))
    return refuse(here() + " has neither output_bytes nor an operator");
  if (!Has(Member::Operator) && (Has(Member::Shape) || Has(Member::Settings)))
    return refuse(here() + " has a shape or settings and no operator");
  if (Has(Member::InPlace) && !endInPlace())
    return false;
  const Node Number = numberOf(*Id);
  if (Defined[Number])
    return refuse("two nodes have the id " + shownId(*Id));
  Defined[Number] = true;
  if (Has(Member::Operator)) {
    Call.Of = static_cast<Node>(Nodes.size());
    Call.OutputGiven = Has(Member::Output);
    Call.WorkGiven = Has(Member::Work);
    Operators.push_back(std::move(Call));
  }
  Nodes.push_back(Number);
  Tasks.push_back(Task);
  Inputs.insert(Inputs.end(), Read.begin(), Read.end());
  First.push_back(Inputs.size());
  At = Level::Nodes;
  return true;
}

} // namespace memshape
