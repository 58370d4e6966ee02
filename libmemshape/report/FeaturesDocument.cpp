// Features as a file carries them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/FeaturesDocument.h"
#include "libmemshape/files/Records.h"
#include "libmemshape/text/JsonFields.h"

namespace memshape {

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
