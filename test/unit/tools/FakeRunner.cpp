// The runner's dialogue, for tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bitcode is a word: "product" answers with 8 bytes per element, "hang" never answers, "die" ends, "babble" prints
// what is no answer, "refuse" does not start, "limit" reaches a limit at shapes above 10 and ends, as the protocol
// says, "children" fails there in a child.

#include "libmemshape/text/JsonFields.h"

#include <iostream>
#include <unistd.h>

using namespace memshape;

int main() {
  std::string Line;
  if (!std::getline(std::cin, Line))
    return 1;
  Result<nlohmann::json> Request = parseJson(Line);
  if (!Request)
    return 1;
  std::string Word((*Request)["bitcode_bytes"].get<std::size_t>(), '\0');
  std::cin.read(Word.data(), static_cast<std::streamsize>(Word.size()));
  if (Word == "refuse") {
    std::cout << R"({"status": "error", "message": "no symbol\nfrobnicate"})" << std::endl;
    return 1;
  }
  const bool InChildren = Word == "children";
  std::cout << (InChildren ? R"({"status": "ready", "evaluations_in": "children"})" : R"({"status": "ready"})")
            << std::endl;
  while (std::getline(std::cin, Line)) {
    if (Word == "die")
      return 3;
    if (Word == "hang")
      ::pause();
    if (Word == "babble") {
      std::cout << "hello" << std::endl;
      continue;
    }
    Request = parseJson(Line);
    auto ElementsOf = [](const nlohmann::json &Shape) {
      std::int64_t Elements = 1;
      for (const nlohmann::json &Value : Shape)
        Elements *= Value.get<std::int64_t>();
      return Elements;
    };
    if (Request->contains("shapes")) {
      for (const nlohmann::json &Shape : (*Request)["shapes"]) {
        std::int64_t Elements = ElementsOf(Shape);
        if (Word == "limit" && Elements > 10) {
          std::cout << R"({"status": "limit", "message": "time"})" << std::endl;
          return 1;
        }
        std::cout << "[" << 8 * Elements << "," << 8 * Elements << ",0,1,1,0," << 8 * Elements << "]\n";
      }
      std::cout << std::flush;
      continue;
    }
    std::int64_t Elements = ElementsOf((*Request)["shape"]);
    if (Word == "limit" && Elements > 10) {
      std::cout << R"({"status": "limit", "message": "time"})" << std::endl;
      return 1;
    }
    if (InChildren && Elements > 10) {
      std::cout << R"({"status": "error", "message": "fault"})" << std::endl;
      continue;
    }
    nlohmann::json Answer = {{"status", "ok"},
                             {"peak", 8 * Elements},
                             {"total", 8 * Elements},
                             {"allocations", 1},
                             {"sites", nlohmann::json::array({{0, 8 * Elements, 1}})},
                             {"time_us", 1.5}};
    std::cout << Answer.dump() << std::endl;
  }
  return 0;
}
