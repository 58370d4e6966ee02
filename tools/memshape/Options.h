// The options of a command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What commands say of their options, without the headers of the parser: they take seconds to compile.

#pragma once

#include "libmemshape/include/memshape/memshape.h"
#include "libmemshape/text/Result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace memshape {

/// What is said of an option beside its help.
struct OptionDetails {
  const char *Value = nullptr; ///< a word for its value, as "FILE", or the words to choose from: "text|json"
  bool Required = false;
  bool ShowDefault = false; ///< in the help
  std::optional<std::pair<double, double>> Between = {};
  std::function<std::string(const std::string &Text)> Check = nullptr; ///< what is wrong, empty where nothing is
};

class Options {
public:
  explicit Options(CLI::App &On) : On(&On) {}

  /// Into: text, texts, a number, or a number that may be absent. Texts of an option take one value each time it is
  /// given, so that a FILE may stand after it.
  template <class T> void add(const std::string &Names, T &Into, const std::string &Help, OptionDetails Details = {});
  /// Take reads the text of the option, or each of its texts, and returns what is wrong: nothing where all is well.
  void add(const std::string &Names, const std::string &Help, bool Repeats, OptionDetails Details,
           std::function<std::string(const std::string &Text)> Take, const std::string &Default = "");
  void flag(const std::string &Names, bool &Into, const std::string &Help);
  /// A value that is the name of a file: shells complete it.
  template <class T> void file(const std::string &Names, T &Into, const std::string &Help, bool Required = false) {
    add(Names, Into, Help, {.Value = "FILE", .Required = Required});
  }
  /// A size of memory. An empty one is not none: a variable of a shell may be unset.
  void size(const std::string &Names, std::string &Into, const std::string &Help);
  /// A number of bytes, with a unit or without, given to Set.
  void bytes(const std::string &Names, const std::string &Help, std::function<void(std::uint64_t)> Set);
  void threads(std::uint32_t &Into);
  void confidence(double &Into, const std::string &Of = "of the bounds, above 0 and below 1; 0.99 by default");
  /// For every command that executes skeletons: --trust, and those that set workLimits().
  void work(bool &Trust);
  /// One of Words: "text|json". Set is told.
  void choice(const std::string &Names, const std::string &Help, const std::string &Words,
              std::function<void(const std::string &)> Set, const std::string &Default);
  /// --format, one of Words, and, where Schema is not empty, --json, which is a word for --format json.
  void format(std::string &Into, const std::string &Help, const std::string &Words, const std::string &Schema = "");

  /// --sample, what a profile counts.
  void sample(v1::Sample &Into);

  void needs(const std::string &Option, const std::string &Other);
  void excludes(const std::string &Option, const std::string &Other);
  void require(const std::string &Option);
  void footer(const std::string &Text);
  bool parsed(const std::string &Option) const; ///< it was given

private:
  CLI::App *On;
};

/// Options for the members of a request that have a help: --held for held_bytes.
class RequestOptions {
public:
  explicit RequestOptions(Options On) : On(On) {}

  template <class Value> void operator()(const char *Member, Value &Into, const char *Help = nullptr) {
    if (!Help)
      return;
    const auto Set = [&Into](auto Given) { Into = Given; };
    if constexpr (std::is_same_v<Value, bool>)
      On.flag(nameOf(Member), Into, Help);
    else if constexpr (std::is_same_v<Value, std::uint64_t> || std::is_same_v<Value, std::optional<std::uint64_t>>)
      On.bytes(nameOf(Member), Help, Set);
    else if constexpr (std::is_arithmetic_v<Value>)
      On.add(nameOf(Member), Into, Help, {.ShowDefault = Into != 0});
    else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>)
      On.add(nameOf(Member), Into, Help);
    else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
      addNames(Member, Help, Into);
    else if constexpr (std::is_same_v<Value, v1::Shape>)
      addCounts(Member, Help, Into);
    else if constexpr (std::is_enum_v<Value>)
      On.choice(
          nameOf(Member), Help, v1::joined_names<Value>(),
          [=](const std::string &Name) { Set(*v1::named<Value>(Name)); }, std::string(v1::name_of(Into)));
    else if constexpr (requires { requires std::is_enum_v<typename Value::value_type>; })
      On.choice(
          nameOf(Member), Help, v1::joined_names<typename Value::value_type>(),
          [=](const std::string &Name) { Set(*v1::named<typename Value::value_type>(Name)); }, "");
  }

private:
  static std::string nameOf(std::string Member);
  void addNames(const char *Member, const char *Help, std::vector<std::string> &Into); ///< "ni,nx"
  void addCounts(const char *Member, const char *Help, v1::Shape &Into);               ///< "ni=2,nx=2", from 0

  Options On;
};

} // namespace memshape
