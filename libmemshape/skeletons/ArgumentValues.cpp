// Shapes and settings from the command line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace memshape {

std::string textOf(const GivenValue &Of) {
  if (const auto *Text = std::get_if<std::string>(&Of))
    return *Text;
  char Number[64];
  const auto Shortest = [&](auto Value) { return std::to_chars(std::begin(Number), std::end(Number), Value).ptr; };
  const auto *Count = std::get_if<std::int64_t>(&Of);
  return std::string(Number, Count ? Shortest(*Count) : Shortest(std::get<double>(Of)));
}

std::string argumentOf(const std::string &Name) { return Name.substr(0, Name.find_first_of(".[")); }

static bool isInteger(std::string_view Text) {
  if (!Text.empty() && (Text.front() == '-' || Text.front() == '+'))
    Text.remove_prefix(1);
  return !Text.empty() && Text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A whole number, from text or as it is; nothing where it does not fit 63 bits.
static std::optional<std::int64_t> integerOf(const GivenValue &Of) {
  if (const auto *Count = std::get_if<std::int64_t>(&Of))
    return *Count;
  const std::string Text = textOf(Of);
  std::string_view Digits = Text;
  if (Digits.starts_with('+'))
    Digits.remove_prefix(1);
  std::int64_t Value = 0;
  const auto [End, Error] = std::from_chars(Digits.data(), Digits.data() + Digits.size(), Value);
  return Error == std::errc() ? std::optional(Value) : std::nullopt;
}

/// A number that is no extent, as a sign or a mark, may be negative: it is given as a setting.
static Result<std::int64_t> negativeValue(const Parameter &P, const GivenValue &Given) {
  const std::string Text = textOf(Given), What = "setting " + P.Name + "=" + Text;
  if (!isInteger(Text))
    return Failure{What + " is not an integer"};
  if (!P.Signed)
    return Failure{What + " is negative, and '" + P.Name + "' cannot be"};
  const std::optional<std::int64_t> Value = integerOf(Given);
  if (!Value || -(*Value + 1) > largestValueOf(P))
    return Failure{What + " does not fit: '" + P.Name + "' is an integer of " + std::to_string(P.Bits) + " bits"};
  return *Value;
}

static Result<std::int64_t> shapeValue(const Parameter &P, const GivenValue &Given) {
  const std::string Text = textOf(Given), What = "shape value " + P.Name + "=" + Text;
  if (!isInteger(Text))
    return Failure{What + " is not an integer"};
  if (Text.front() == '-')
    return Failure{What + " is negative: give an extent of 0 or more" +
                   (P.Signed ? "; what is no extent is given as a setting: --set " + P.Name + "=" + Text : "")};
  const std::int64_t Largest = largestValueOf(P);
  const std::optional<std::int64_t> Value = integerOf(Given);
  if (!Value || *Value > Largest)
    return Failure{What + " does not fit: '" + P.Name + "' is an integer of " + std::to_string(P.Bits) +
                   " bits, so at most " + std::to_string(Largest)};
  return *Value;
}

static Result<double> settingValue(const Parameter &P, const GivenValue &Given) {
  const auto *Number = std::get_if<double>(&Given);
  if (Number && (P.Bits == 1 ? *Number == 0 || *Number == 1 : std::isfinite(*Number)))
    return *Number;
  const std::string Text = textOf(Given), What = "setting " + P.Name + "=" + Text;
  if (P.Bits == 1) {
    if (Text == "true" || Text == "1")
      return 1.0;
    if (Text == "false" || Text == "0")
      return 0.0;
    return Failure{What + " is neither true nor false"};
  }
  const std::optional<double> Value = numberIn<double>(Text);
  if (!Value || !std::isfinite(*Value))
    return Failure{What + " is not a finite number"};
  return *Value;
}

/// What an argument is built from, for who gives other symbols: "; 'a' is of type 'arma::mat': give a.n_rows and
/// a.n_cols". "" for what is no argument of class type.
static std::string describeArgument(const Skeleton &S, const std::string &Name, const std::vector<Parameter> &Known) {
  const auto Site = std::find_if(S.Sites.begin(), S.Sites.end(), [&](const SkeletonSite &Each) {
    return Each.isArgument() && Each.Allocator == Name && !Each.Place.Function.empty();
  });
  if (Site == S.Sites.end())
    return "";
  std::vector<std::string> Own;
  for (const Parameter &P : Known)
    if (!P.Unread && !P.Optional &&
        (P.Name == Name || P.Name.starts_with(Name + ".") || P.Name.starts_with(Name + "[")))
      Own.push_back(P.Name);
  const std::string Last = Own.empty() ? "" : Own.back();
  if (Own.size() > 1)
    Own.pop_back();
  return "; '" + Name + "' is of type '" + Site->Place.Function + "'" +
         (Last.empty() ? ", which has none" : ": give " + joined(Own) + (Own.back() == Last ? "" : " and " + Last));
}

/// An operator whose arguments cannot be built has no symbols of them.
static std::optional<Failure> findUnbuilt(const Skeleton &S) {
  if (S.Available || S.Reason.empty() || S.parametersOf(Role::Object).empty())
    return std::nullopt;
  return Failure{"operator '" + S.Operator + "' has no skeleton: " + S.Reason};
}

/// The first name that no parameter has.
static std::optional<Failure> findStranger(const Skeleton &S, const GivenValues &Given,
                                           const std::vector<Parameter> &Known, const char *What) {
  std::vector<std::string> Names = mapped(Known, &Parameter::Name);
  for (const auto &[Name, Value] : Given) {
    if (std::find(Names.begin(), Names.end(), Name) != Names.end())
      continue;
    MEMSHAPE_CHECK(findUnbuilt(S));
    std::string Message = "operator '" + S.Operator + "' has no " + What + " '" + Name + "'; ";
    return Failure{Message + (Names.empty() ? "it has none" : "it has " + joined(Names)) +
                   describeArgument(S, argumentOf(Name), Known)};
  }
  return std::nullopt;
}

static std::vector<std::string> missing(const GivenValues &Given, const std::vector<Parameter> &Wanted) {
  std::vector<std::string> Missing;
  for (const Parameter &P : Wanted)
    if (!Given.contains(P.Name) && P.Default.empty() && !P.Optional)
      Missing.push_back(P.Name);
  return Missing;
}

/// The one message for all names that were not given.
static std::optional<Failure> findMissing(const Skeleton &S, const GivenValues &Given,
                                          const std::vector<Parameter> &Wanted, const char *What, const char *Option) {
  const std::vector<std::string> Missing = missing(Given, Wanted);
  if (Missing.empty())
    return std::nullopt;
  MEMSHAPE_CHECK(findUnbuilt(S));
  std::string Arguments;
  for (const SkeletonSite &Each : S.Sites)
    if (Each.isArgument() && std::any_of(Missing.begin(), Missing.end(),
                                         [&](const std::string &Name) { return argumentOf(Name) == Each.Allocator; }))
      Arguments += describeArgument(S, Each.Allocator, Wanted);
  return Failure{std::string(What) + " missing for operator '" + S.Operator + "': " + joined(Missing) + " (" + Option +
                 " " + Missing.front() + "=...)" + Arguments};
}

/// The one symbol of an argument goes by the argument's name, too: in=100 is in.size=100.
static void completeNames(GivenValues &Given, const std::vector<Parameter> &Wanted) {
  std::map<std::string, std::vector<const Parameter *>> OfArgument;
  for (const Parameter &P : Wanted)
    if (const std::size_t Dot = P.Name.find('.'); Dot != std::string::npos)
      OfArgument[P.Name.substr(0, Dot)].push_back(&P);
  for (const auto &[Argument, Symbols] : OfArgument)
    if (auto At = Given.find(Argument); At != Given.end() && Symbols.size() == 1) {
      Given.emplace(Symbols.front()->Name, At->second);
      Given.erase(At);
    }
}

/// One symbol may be given as another one: out.rows=data.cols.
static void followNames(GivenValues &Given) {
  for (auto &[Name, Value] : Given)
    for (std::size_t Steps = 0; Steps < Given.size(); ++Steps) {
      const auto Other = Given.find(textOf(Value));
      if (Other == Given.end())
        break;
      Value = Other->second;
    }
}

/// Moves the settings that give a negative number to a shape symbol into Given. Returns their names.
static std::set<std::string> takeNegative(GivenValues &Given, const std::vector<Parameter> &Symbols,
                                          GivenValues &Settings) {
  std::set<std::string> Moved;
  for (const Parameter &P : Symbols)
    if (const auto At = Settings.find(P.Name);
        At != Settings.end() && textOf(At->second).starts_with('-') && Given.emplace(P.Name, At->second).second) {
      Moved.insert(P.Name);
      Settings.erase(At);
    }
  return Moved;
}

/// Moves what Shape gives for members that are settings.
static void takeMembers(GivenValues &Shape, const std::vector<Parameter> &Wanted, GivenValues &Settings) {
  for (const Parameter &P : Wanted)
    if (P.Name.find('.') != std::string::npos)
      if (auto Given = Shape.extract(P.Name); !Given.empty())
        Settings.insert(std::move(Given));
}

std::int64_t largestValueOf(const Parameter &P) {
  unsigned Digits = P.Signed ? P.Bits - 1 : P.Bits;
  return Digits >= 63 ? INT64_MAX : (std::int64_t(1) << Digits) - 1;
}

Result<GivenValues> splitAssignments(const std::vector<std::string> &Texts, const char *Option) {
  GivenValues Values;
  for (const std::string &Text : Texts)
    for (std::size_t Start = 0; Start <= Text.size();) {
      std::size_t Comma = std::min(Text.find(',', Start), Text.size());
      std::string Part = Text.substr(Start, Comma - Start);
      Start = Comma + 1;
      std::size_t Equals = Part.find('=');
      if (Equals == std::string::npos || Equals == 0 || Equals + 1 == Part.size())
        return Failure{std::string(Option) + " wants NAME=VALUE, separated by commas; got '" + Part + "'"};
      if (!Values.emplace(Part.substr(0, Equals), Part.substr(Equals + 1)).second)
        return Failure{std::string(Option) + " gives '" + Part.substr(0, Equals) + "' twice"};
    }
  return Values;
}

Result<GivenValues> shapeFromCube(const Skeleton &S, const std::string &Text) {
  // The part after the last colon is a mapping when it has an equals sign; file names may hold colons.
  std::string Path = Text, Mapping;
  if (std::size_t Colon = Text.rfind(':'); Colon != std::string::npos && Text.find('=', Colon) != std::string::npos) {
    Path = Text.substr(0, Colon);
    Mapping = Text.substr(Colon + 1);
  }
  GivenValues Extents;
  if (Mapping.empty()) {
    std::vector<std::string> Symbols = S.shapeSymbols();
    static constexpr const char *Order[] = {"inlines", "crosslines", "samples"};
    if (Symbols.size() < std::size(Order))
      return Failure{"operator '" + S.Operator + "' has fewer than three shape symbols; name them: --shape-from " +
                     Path + ":SYMBOL=samples"};
    for (std::size_t I = 0; I < std::size(Order); ++I)
      Extents[Symbols[I]] = Order[I];
  } else {
    MEMSHAPE_TRY(GivenValues Named, splitAssignments({Mapping}, "--shape-from"));
    Extents = Named;
  }
  for (const auto &[Symbol, Extent] : Extents)
    if (const std::string Named = textOf(Extent); Named != "inlines" && Named != "crosslines" && Named != "samples")
      return Failure{"--shape-from knows inlines, crosslines and samples, not '" + Named + "'"};
  MEMSHAPE_TRY(SegyGeometry Geometry, readSegyGeometry(Path));
  for (auto &[Symbol, Extent] : Extents)
    Extent = std::int64_t(textOf(Extent) == "inlines"      ? Geometry.Inlines
                          : textOf(Extent) == "crosslines" ? Geometry.Crosslines
                                                           : Geometry.Samples);
  return Extents;
}

std::string presenceName(const std::string &Tensor) { return Tensor + ".present"; }

bool isPresence(const Parameter &Setting) {
  return Setting.What == Role::Setting && Setting.Bits == 1 && Setting.Default == "0" &&
         Setting.Name.ends_with(presenceName(""));
}

bool hasSetting(const Skeleton &S, const std::string &Name) {
  for (const Parameter &P : S.Parameters)
    if (P.What == Role::Setting && P.Name == Name)
      return true;
  for (const auto &[Number, Tensor] : S.namedTensors())
    if (presenceName(Tensor) == Name)
      return true;
  return false;
}

/// Takes the presence of tensors out of Given.
static Result<std::map<std::uint32_t, bool>> takePresence(const Skeleton &S, GivenValues &Given) {
  std::map<std::uint32_t, bool> Presence;
  const std::vector<Parameter> Settings = S.parametersOf(Role::Setting);
  for (const auto &[Number, Tensor] : S.namedTensors()) {
    const Parameter Setting{presenceName(Tensor), Role::Setting, 1};
    const auto At = Given.find(Setting.Name);
    if (At == Given.end() ||
        std::any_of(Settings.begin(), Settings.end(), [&](const Parameter &P) { return P.Name == Setting.Name; }))
      continue;
    MEMSHAPE_TRY(const double Value, settingValue(Setting, At->second));
    Presence[Number] = Value != 0;
    Given.erase(At);
  }
  return Presence;
}

Result<SettingValues> checkSettings(const Skeleton &S, GivenValues Given, std::optional<double> Default) {
  MEMSHAPE_TRY(auto Presence, takePresence(S, Given));
  std::vector<Parameter> Wanted = S.parametersOf(Role::Setting);
  MEMSHAPE_CHECK(findStranger(S, Given, Wanted, "setting"));
  if (!Default)
    MEMSHAPE_CHECK(findMissing(S, Given, Wanted, "setting", "--set"));
  SettingValues Values{{}, std::move(Presence)};
  for (const Parameter &P : Wanted) {
    auto Place = Given.find(P.Name);
    if (Place == Given.end() && P.Default.empty()) {
      Values.Settings.push_back(P.Optional ? 1 : Default.value_or(0));
      if (P.Optional)
        Values.Open.insert(P.Name);
      continue;
    }
    if (Place == Given.end())
      Values.Defaulted.insert(P.Name);
    MEMSHAPE_TRY(double Value, settingValue(P, Place == Given.end() ? GivenValue(P.Default) : Place->second));
    Values.Settings.push_back(Value);
  }
  return Values;
}

Result<ArgumentValues> checkArguments(const Skeleton &S, GivenValues Shape, GivenValues Settings) {
  std::vector<Parameter> Wanted = S.parametersOf(Role::Shape);
  completeNames(Shape, Wanted);
  followNames(Shape);
  takeMembers(Shape, S.parametersOf(Role::Setting), Settings);
  const std::set<std::string> Negative = takeNegative(Shape, Wanted, Settings);
  MEMSHAPE_CHECK(findStranger(S, Shape, Wanted, "shape symbol"));
  if (std::optional<Failure> Wrong = findMissing(S, Shape, Wanted, "shape symbol", "--shape")) {
    if (const std::vector<std::string> Also = missing(Settings, S.parametersOf(Role::Setting)); !Also.empty())
      Wrong->Message += "; settings missing, too: " + joined(Also) + " (--set " + Also.front() + "=...)";
    return *Wrong;
  }
  ArgumentValues Out;
  MEMSHAPE_TRY(SettingValues Checked, checkSettings(S, std::move(Settings), std::nullopt));
  static_cast<SettingValues &>(Out) = std::move(Checked);
  for (const Parameter &P : Wanted) {
    const auto Place = Shape.find(P.Name);
    const bool IsOpen = Place == Shape.end() && P.Default.empty();
    if (IsOpen)
      Out.Open.insert(P.Name);
    const GivenValue Given = Place != Shape.end() ? Place->second : GivenValue(IsOpen ? "1" : P.Default);
    MEMSHAPE_TRY(std::int64_t Value, Negative.contains(P.Name) ? negativeValue(P, Given) : shapeValue(P, Given));
    Out.Shape.push_back(Value);
  }
  return Out;
}

Result<ArgumentValues> readArguments(const Skeleton &S, const GivenValues &FromCube,
                                     const std::vector<std::string> &Shapes, const std::vector<std::string> &Settings) {
  MEMSHAPE_TRY(GivenValues Shape, splitAssignments(Shapes, "--shape"));
  MEMSHAPE_TRY(GivenValues Set, splitAssignments(Settings, "--set"));
  Shape.insert(FromCube.begin(), FromCube.end());
  return checkArguments(S, std::move(Shape), std::move(Set));
}

} // namespace memshape
