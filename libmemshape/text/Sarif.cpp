// Findings for tools that show code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Sarif.h"

#include "libmemshape/text/JsonFields.h"

#include <cctype>

namespace memshape {

std::string pathFrom(const std::filesystem::path &Root, const std::string &File) {
  if (File.empty())
    return "";
  namespace fs = std::filesystem;
  std::error_code Error;
  const fs::path Base = fs::weakly_canonical(Root.empty() ? fs::path(".") : Root, Error);
  auto Inside = [&](const fs::path &Path) -> std::string {
    const fs::path Relative = Path.lexically_relative(Base);
    return Relative.empty() || *Relative.begin() == ".." ? "" : Relative.generic_string();
  };
  const fs::path Given(File);
  if (Given.is_absolute()) {
    const std::string Found = Inside(fs::weakly_canonical(Given, Error));
    return Found.empty() ? Given.lexically_normal().generic_string() : Found;
  }
  // File may be relative to the folder of the compilation, which is not recorded. It is looked up from Root, from the
  // current folder, and without leading "..".
  fs::path Down;
  for (const fs::path &Part : Given.lexically_normal())
    if (Part != "..")
      Down /= Part;
  for (const fs::path &Candidate : {Base / Given, fs::current_path(Error) / Given, Base / Down})
    if (fs::exists(Candidate, Error))
      if (std::string Found = Inside(fs::weakly_canonical(Candidate, Error)); !Found.empty())
        return Found;
  return Down.generic_string();
}

namespace sarif {

using Json = nlohmann::ordered_json;

/// A path as a URI reference: RFC 3986, all but unreserved characters and slashes percent-encoded.
static std::string uri(const std::string &Path) {
  std::string Out = Path.starts_with('/') ? "file://" : "";
  for (unsigned char C : Path)
    if (std::isalnum(C) || std::string_view("-._~/").find(static_cast<char>(C)) != std::string_view::npos) {
      Out += static_cast<char>(C);
    } else {
      Out += '%';
      Out += "0123456789ABCDEF"[C >> 4];
      Out += "0123456789ABCDEF"[C & 15];
    }
  return Out;
}

Json location(const std::string &Path, std::uint32_t Line, std::uint32_t Column) {
  Json Artifact = {{"uri", uri(Path)}};
  if (!Path.starts_with('/'))
    Artifact["uriBaseId"] = "SRCROOT";
  Json Region = {{"startLine", std::max<std::uint32_t>(Line, 1)}};
  if (Column)
    Region["startColumn"] = Column;
  return {{"physicalLocation", {{"artifactLocation", std::move(Artifact)}, {"region", std::move(Region)}}}};
}

std::string document(const std::filesystem::path &Root, Json Rules, Json Results, Json Notifications, int ExitCode) {
  std::error_code Error;
  std::string Base = std::filesystem::weakly_canonical(Root.empty() ? "." : Root, Error).generic_string();
  if (!Base.ends_with('/'))
    Base += '/';
  Json Run = {
      {"tool", {{"driver", {{"name", "memshape"}, {"version", MEMSHAPE_VERSION}, {"rules", std::move(Rules)}}}}},
      {"originalUriBaseIds", {{"SRCROOT", {{"uri", uri(Base)}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"invocations", Json::array({{{"executionSuccessful", true},
                                    {"exitCode", ExitCode},
                                    {"toolExecutionNotifications", std::move(Notifications)}}})},
      {"results", std::move(Results)}};
  Json Out = {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({std::move(Run)})}};
  return jsonText(Out, 2) + "\n";
}

} // namespace sarif

} // namespace memshape
