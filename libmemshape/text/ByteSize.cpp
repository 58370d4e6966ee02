// Sizes as people write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/ByteSize.h"
#include "libmemshape/text/Split.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

namespace memshape {

Result<std::uint64_t> readByteSize(const std::string &Text) {
  const Failure Wrong{"'" + Text + "' is no size; write it as in 8GiB, 500MB or 1000000"};
  char *End = nullptr;
  double Number = std::strtod(Text.c_str(), &End);
  if (Text.empty() || !std::isdigit(static_cast<unsigned char>(Text.front())) || !std::isfinite(Number))
    return Wrong;
  std::string Unit(End);
  double Scale = 1;
  if (!Unit.empty() && Unit != "B") {
    const std::string Prefixes = "KMGTP";
    std::size_t Power = Prefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(Unit.front()))));
    std::string Rest = Unit.substr(1);
    if (Power == std::string::npos || (!Rest.empty() && Rest != "iB" && Rest != "B"))
      return Wrong;
    Scale = std::pow(Rest == "B" ? 1000.0 : 1024.0, static_cast<double>(Power + 1));
  }
  double Bytes = Number * Scale;
  if (Bytes < 1 || Bytes >= 9.2e18)
    return Wrong;
  return static_cast<std::uint64_t>(Bytes);
}

Result<std::uint64_t> readByteCount(const std::string &Text, const std::string &Option) {
  if (const auto Bytes = numberIn<std::uint64_t>(Text); Bytes && *Bytes <= INT64_MAX)
    return *Bytes;
  Result<std::uint64_t> Size = readByteSize(Text);
  if (!Size)
    return Failure{(Option.empty() ? "" : Option + ": ") + Size.failure().Message};
  return Size;
}

} // namespace memshape
