// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/OperatorNodes.h"
#include "libmemshape/text/Try.h"
#include "memshape/memshape.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

namespace memshape {

namespace {

struct NodeBytes {
  std::uint64_t Output = 0, Work = 0;
  std::vector<std::string> Notes;
};

std::string textOf(double Value) {
  char Text[64];
  return std::string(Text, std::to_chars(Text, Text + sizeof Text, Value).ptr);
}

/// What identifies a prediction.
std::string keyOf(const OperatorNode &Node) {
  std::string Key = Node.File + '\0' + Node.Operator + '\0' + (Node.OutputGiven ? '1' : '0');
  for (const auto &[Name, Value] : Node.Shape)
    Key += Name + '=' + std::to_string(Value) + '\0';
  for (const auto &[Name, Value] : Node.Settings)
    Key += Name + ':' + textOf(Value) + '\0';
  return Key;
}

class Predictions {
public:
  Predictions(std::string Folder, bool Trust) : Folder(std::move(Folder)), Trust(Trust) {}

  Result<NodeBytes> of(const OperatorNode &Node) {
    const std::string Key = keyOf(Node);
    if (const auto Found = Known.find(Key); Found != Known.end())
      return Found->second;
    Result<NodeBytes> Found = predicted(Node);
    if (Found)
      Known.emplace(Key, *Found);
    return Found;
  }

private:
  Result<v1::Program> opened(const std::string &File) {
    if (const auto Found = Programs.find(File); Found != Programs.end())
      return Found->second;
    std::error_code Ignored;
    const std::filesystem::path Beside = std::filesystem::path(Folder) / File;
    v1::OpenOptions Opening;
    Opening.trust = Trust;
    MEMSHAPE_TRY(const v1::Program Found,
                 resultOf(v1::open(std::filesystem::exists(Beside, Ignored) ? Beside.string() : File, Opening)));
    Programs.emplace(File, Found);
    return Found;
  }

  Result<NodeBytes> predicted(const OperatorNode &Node) {
    MEMSHAPE_TRY(const v1::Program Program, opened(Node.File));
    MEMSHAPE_TRY(const v1::Operator Chosen, resultOf(Program.find(Node.Operator)));
    v1::CallText Text;
    for (const auto &[Name, Value] : Node.Shape)
      Text.shape.push_back(Name + "=" + std::to_string(Value));
    for (const auto &[Name, Value] : Node.Settings)
      Text.settings.push_back(Name + "=" + textOf(Value));
    MEMSHAPE_TRY(v1::Call Call, resultOf(Chosen.read(Text)));
    Call.formulas = false;
    MEMSHAPE_TRY(const v1::Prediction Found, resultOf(Chosen.predict(Call)));
    NodeBytes Bytes;
    const std::uint64_t Peak = Found.heap.upper_bytes.value_or(Found.heap.peak_bytes);
    Bytes.Work = Peak - std::min(Peak, Found.heap.output_bytes);
    if (!Found.heap.upper_bytes)
      Bytes.Notes.push_back("data decides without a bound: its work bytes are what is expected");
    else if (!Found.heap.exact)
      Bytes.Notes.push_back("its work bytes are a bound");
    if (!Node.OutputGiven)
      MEMSHAPE_CHECK(setOutput(Chosen, std::move(Call), Bytes));
    return Bytes;
  }

  /// The output as chunks count it: what is returned, objects that the operator may change, and what it writes through
  /// pointers. A plan of one chunk has it, and asks for no other shape.
  std::optional<Failure> setOutput(const v1::Operator &Chosen, v1::Call Call, NodeBytes &Into) {
    v1::PlanRequest Request;
    Request.call = std::move(Call);
    Request.memory_bytes = UINT64_MAX;
    const v1::Expected<v1::Plan> Found = Chosen.plan(Request);
    if (!Found)
      return Failure{"the bytes of its output are not known, give output_bytes: " + Found.error().message};
    if (!Found->feasible || Found->tasks != 1)
      return Failure{"the bytes of its output are not known: give output_bytes"};
    // Without a bound the plan says so. What else it says puts its bytes in doubt.
    if (Found->notes.size() > (Found->upper_bytes ? 0u : 1u))
      return Failure{"the bytes of its output are not sure, give output_bytes: " + Found->notes.back().text};
    Into.Output = Found->output_bytes;
    return std::nullopt;
  }

  std::string Folder;
  bool Trust;
  std::map<std::string, v1::Program> Programs;
  std::map<std::string, NodeBytes> Known;
};

} // namespace

Result<std::vector<std::string>> predictNodes(GraphDocument &Document, const std::string &Folder, bool Trust,
                                              const std::function<void(const std::string &)> &AtNode) {
  std::vector<std::string> Notes;
  Predictions Of(Folder, Trust);
  for (const OperatorNode &Each : Document.Operators) {
    const std::string Named = "node " + shownId(Document.Ids[Each.Of]);
    if (AtNode)
      AtNode(Document.Ids[Each.Of]);
    MEMSHAPE_TRY(const NodeBytes Found, inContext(Named + ": ", Of.of(Each)));
    if (Found.Output > INT64_MAX || Found.Work > INT64_MAX)
      return Failure{Named + ": its bytes leave 63 bits", FailureCode::TooLarge};
    graph::Task &Task = Document.Tasks[Each.Of];
    if (!Each.OutputGiven)
      Task.Output = static_cast<std::int64_t>(Found.Output);
    if (!Each.WorkGiven) {
      Task.Work = static_cast<std::int64_t>(Found.Work);
      for (const std::string &Note : Found.Notes)
        Notes.push_back(Named + ": " + Note);
    }
  }
  return Notes;
}

} // namespace memshape
