// The members of memshape.graph/1, as they come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A document of a million nodes is not kept as a tree of values: nodes are made while it is read.

#pragma once

#include "libmemshape/graph/GraphDocument.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

namespace memshape {

/// Takes the events of nlohmann's parser. Its functions return whether reading goes on.
class GraphReader : public nlohmann::json_sax<nlohmann::json> {
public:
  /// What is wrong with the document; nothing where it was read to its end.
  std::optional<Failure> Wrong;
  /// What was read. Ids that are inputs alone are in Names, too.
  std::vector<std::string> Names; ///< each id once
  std::vector<graph::Node> Nodes; ///< of the document: numbers of Names
  std::vector<bool> Defined;      ///< of Names: a node has this id
  std::vector<graph::Task> Tasks; ///< of Nodes
  std::vector<std::size_t> First = {0};
  std::vector<graph::Node> Inputs; ///< of Nodes, one list after the other: numbers of Names
  std::vector<OperatorNode> Operators;
  std::vector<graph::Edge> InPlace; ///< from numbers of Names to places in Nodes
  std::vector<scheduling::UnequalProcessor> Processors;
  bool Complete = false;

  bool null() override { return refuseValue("null"); }
  bool boolean(bool Value) override;
  bool number_integer(std::int64_t Value) override;
  bool number_unsigned(std::uint64_t Value) override;
  bool number_float(double Value, const std::string &Text) override;
  bool string(std::string &Value) override;
  bool binary(nlohmann::json::binary_t &) override { return refuseValue("bytes"); }
  bool start_object(std::size_t) override;
  bool key(std::string &Name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t Position, const std::string &Token, const nlohmann::json::exception &Why) override;

private:
  enum class Level { Outside, Document, Nodes, Node, Inputs, Shape, Settings, Processors, Processor };
  enum class Member {
    None,
    Schema,
    Nodes,
    Processors,
    Memory,
    Speed,
    Id,
    Output,
    Work,
    Time,
    Speedup,
    Inputs,
    InPlace,
    Operator,
    File,
    Shape,
    Settings
  };

  bool refuse(std::string Message);
  bool refuseValue(const std::string &Found);
  bool bytes(std::int64_t Value);
  bool processorKey(const std::string &Key);
  bool isDuration() const {
    return (At == Level::Node && (Now == Member::Time || Now == Member::Speedup)) ||
           (At == Level::Processor && Now == Member::Speed);
  }
  bool duration(double Value);
  bool endNode();
  bool endInPlace();
  graph::Node numberOf(const std::string &Name);
  std::string here() const; ///< the node that is being read, for messages

  Level At = Level::Outside;
  Member Now = Member::None;
  bool SchemaSeen = false, NodesSeen = false, ProcessorsSeen = false;
  std::string Name; ///< of the value of a shape or of settings
  // The node that is being read.
  std::optional<std::string> Id;
  std::vector<Member> Seen;
  std::vector<graph::Node> Read; ///< its inputs
  std::string Place;             ///< the input whose place it takes
  graph::Task Task;
  OperatorNode Call;
  std::unordered_map<std::string, graph::Node> Numbers;
  std::vector<std::size_t> ReadBy; ///< of Names: one more than the last node that has it as an input
};

} // namespace memshape
