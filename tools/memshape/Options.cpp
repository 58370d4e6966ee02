// The options of a command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/Options.h"
#include "libmemshape/processes/WorkLimits.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"
#include "runner/protocol/Request.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace memshape {

template <class T>
void Options::add(const std::string &Names, T &Into, const std::string &Help, OptionDetails Details) {
  CLI::Option *Made = On->add_option(Names, Into, Help);
  if (std::is_same_v<T, std::vector<std::string>> && Names.starts_with("-"))
    Made->allow_extra_args(false);
  if (Details.Value)
    Made->type_name(Details.Value);
  if (Details.Required)
    Made->required();
  if (Details.ShowDefault)
    Made->capture_default_str();
  if (Details.Between)
    Made->check(std::is_integral_v<T> ? CLI::Range(int(Details.Between->first), int(Details.Between->second))
                                      : CLI::Range(Details.Between->first, Details.Between->second));
  if (Details.Check)
    Made->check(Details.Check);
}

template void Options::add(const std::string &, std::string &, const std::string &, OptionDetails);
template void Options::add(const std::string &, std::vector<std::string> &, const std::string &, OptionDetails);
template void Options::add(const std::string &, double &, const std::string &, OptionDetails);
template void Options::add(const std::string &, std::uint32_t &, const std::string &, OptionDetails);
template void Options::add(const std::string &, std::uint64_t &, const std::string &, OptionDetails);
template void Options::add(const std::string &, std::int64_t &, const std::string &, OptionDetails);
template void Options::add(const std::string &, std::optional<std::int64_t> &, const std::string &, OptionDetails);

void Options::flag(const std::string &Names, bool &Into, const std::string &Help) { On->add_flag(Names, Into, Help); }

void Options::size(const std::string &Names, std::string &Into, const std::string &Help) {
  add(Names, Into, Help, {.Check = [](const std::string &Text) {
        return std::string(Text.empty() ? "'' is no size; write it as in 8GiB, 500MB or 1000000" : "");
      }});
}

void Options::bytes(const std::string &Names, const std::string &Help, std::function<void(std::uint64_t)> Set) {
  add(Names, Help, false, {.Value = "BYTES"}, [Set](const std::string &Text) -> std::string {
    const Result<std::uint64_t> Bytes = readByteCount(Text);
    if (!Bytes)
      return Bytes.failure().Message;
    Set(*Bytes);
    return "";
  });
}

void Options::threads(std::uint32_t &Into) {
  add("--threads", Into, "threads of a parallel region that asks for no number; otherwise what this machine gives",
      {.Between = {{1, request::MaxThreads}}});
}

void Options::confidence(double &Into, const std::string &Of) {
  add("--confidence", Into, Of, {.Check = [](const std::string &Text) -> std::string {
        const double Value = std::atof(Text.c_str());
        return Value > 0 && Value < 1 ? "" : "a confidence lies between 0 and 1, and '" + Text + "' does not";
      }});
}

void Options::work(bool &Trust) {
  flag("--trust", Trust, "execute the code that files bring even where this system gives no sandbox for it");
  On->add_option_function<std::string>(
        "--work-memory",
        [](const std::string &Text) {
          Result<std::uint64_t> Bytes = readByteSize(Text);
          if (!Bytes)
            throw CLI::ValidationError("--work-memory " + Bytes.failure().Message);
          workLimits().Bytes = *Bytes;
        },
        "memory that memshape, and each process that it starts, may take; by default a quarter of the machine's, at "
        "most 4GiB")
      ->type_name("SIZE");
  On->add_option_function<std::vector<std::string>>(
        "--variable", [](const std::vector<std::string> &Names) { workLimits().Variables = Names; },
        "environment variable that the operator may read, beside those that libraries need")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void Options::needs(const std::string &Option, const std::string &Other) {
  On->get_option(Option)->needs(On->get_option(Other));
}
void Options::excludes(const std::string &Option, const std::string &Other) {
  On->get_option(Option)->excludes(On->get_option(Other));
}
void Options::require(const std::string &Option) { On->get_option(Option)->required(); }
void Options::footer(const std::string &Text) { On->footer(Text); }
bool Options::parsed(const std::string &Option) const { return On->get_option(Option)->count() > 0; }

void Options::add(const std::string &Names, const std::string &Help, bool Repeats, OptionDetails Details,
                  std::function<std::string(const std::string &Text)> Take, const std::string &Default) {
  const auto Each = [Take, Names](const std::string &Text) {
    if (const std::string Wrong = Take(Text); !Wrong.empty())
      throw CLI::ValidationError(Names + ": " + Wrong);
  };
  CLI::Option *Made = nullptr;
  if (Repeats)
    Made = On->add_option_function<std::vector<std::string>>(
                 Names, [Each](const auto &Texts) { std::for_each(Texts.begin(), Texts.end(), Each); }, Help)
               ->allow_extra_args(false);
  else
    Made = On->add_option_function<std::string>(Names, Each, Help);
  if (Details.Value)
    Made->type_name(Details.Value);
  if (!Default.empty())
    Made->default_str(Default);
}

void Options::choice(const std::string &Names, const std::string &Help, const std::string &Words,
                     std::function<void(const std::string &)> Set, const std::string &Default) {
  const auto Take = [=](const std::string &Text) -> std::string {
    const std::vector<std::string> Known = split(Words, '|');
    std::string List;
    for (const std::string &Each : Known) {
      if (Text == Each)
        return Set(Text), "";
      List += (List.empty() ? "" : &Each == &Known.back() ? " and " : ", ") + Each;
    }
    return "'" + Text + "' is none of " + List;
  };
  add(Names, Help, false, {.Value = Words.c_str()}, Take, Default);
}

void Options::format(std::string &Into, const std::string &Help, const std::string &Words, const std::string &Schema) {
  choice("--format", Help, Words, [&Into](const std::string &Format) { Into = Format; }, Into);
  if (Schema.empty())
    return;
  const auto Json = [&Into](std::int64_t) {
    if (Into != "text" && Into != "json")
      throw CLI::ValidationError("--json and --format " + Into + " exclude each other");
    Into = "json";
  };
  On->add_flag_function("--json", Json, "print " + Schema);
}

void Options::sample(v1::Sample &Into) {
  choice(
      "--sample", "what folded stacks count, and what other viewers show first", v1::joined_names<v1::Sample>(),
      [&Into](const std::string &Name) { Into = *v1::named<v1::Sample>(Name); }, "peak");
}

std::string RequestOptions::nameOf(std::string Member) {
  if (Member.ends_with("_bytes"))
    Member.resize(Member.size() - std::string_view("_bytes").size());
  std::replace(Member.begin(), Member.end(), '_', '-');
  return "--" + Member;
}

void RequestOptions::addNames(const char *Member, const char *Help, std::vector<std::string> &Into) {
  On.add(nameOf(Member), Help, true, {}, [&Into](const std::string &Text) -> std::string {
    for (const std::string &Name : split(Text, ',')) {
      if (Name.empty())
        return "names with commas between them are wanted, as in ni,nx";
      if (std::find(Into.begin(), Into.end(), Name) != Into.end())
        return "'" + Name + "' is given twice";
      Into.push_back(Name);
    }
    return "";
  });
}

void RequestOptions::addCounts(const char *Member, const char *Help, v1::Shape &Into) {
  On.add(nameOf(Member), Help, true, {}, [&Into](const std::string &Text) -> std::string {
    for (const std::string &Part : split(Text, ',')) {
      const std::size_t Equals = Part.find('=');
      if (Equals == std::string::npos || Equals == 0)
        return "'" + Part + "' is no NAME=NUMBER";
      const auto Value = numberIn<std::int64_t>(std::string_view(Part).substr(Equals + 1));
      if (!Value || *Value < 0)
        return "'" + Part + "' wants a whole number from 0";
      if (!Into.emplace(Part.substr(0, Equals), *Value).second)
        return "'" + Part.substr(0, Equals) + "' is given twice";
    }
    return "";
  });
}

} // namespace memshape
