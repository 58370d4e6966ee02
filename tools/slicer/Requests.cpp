// What the slicer is asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Requests.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace memshape {

/// As the reader of sections: no record is larger.
static constexpr int64_t MaxModuleBytes = int64_t(1) << 30;

bool parseSlicerRequest(StringRef Line, SlicerRequest &Request, std::string &Problem) {
  Problem = "the request is not a JSON object with an operator and modules";
  Expected<json::Value> Parsed = json::parse(Line);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return false;
  }
  const json::Object *Fields = Parsed->getAsObject();
  const json::Array *Modules = Fields ? Fields->getArray("modules") : nullptr;
  const auto Symbol = Fields ? Fields->getString("symbol") : std::nullopt;
  if (!Modules || Modules->empty() || !Symbol)
    return false;
  Request.Symbol = Symbol->str();
  const std::optional<SkeletonKind> Wanted = skeletonKind(Fields->getString("wish").value_or("slice"));
  if (!Wanted)
    return false;
  Request.Wanted = *Wanted;
  for (const json::Value &Each : *Modules) {
    const json::Object *Module = Each.getAsObject();
    const auto Bytes = Module ? Module->getInteger("bytes") : std::nullopt;
    if (!Bytes || *Bytes < 0 || *Bytes > MaxModuleBytes)
      return false;
    Request.Modules.push_back({Module->getString("name").value_or("").str(), std::uint64_t(*Bytes)});
  }
  if (const json::Array *Summaries = Fields->getArray("summaries"))
    for (const json::Value &Each : *Summaries) {
      const json::Object *Document = Each.getAsObject();
      if (!Document)
        return false;
      Request.Summaries.push_back(
          {Document->getString("name").value_or("").str(), Document->getString("text").value_or("").str()});
    }
  Problem.clear();
  return true;
}

} // namespace memshape
