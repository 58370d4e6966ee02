// Values of the C++ interface as values of Python, and back, by their members.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "bindings.h"

#include <memshape/checkpointing.h>
#include <memshape/memshape.h>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <type_traits>

template <class Value> nanobind::object objectOf(const Value &Of);

/// Takes the members of an answer.
struct IntoDict {
  nanobind::dict &Into;
  template <class Value> void operator()(const std::string &Name, const Value &Of) const {
    Into[nanobind::str(Name.data(), Name.size())] = objectOf(Of);
  }
};

/// An object with members becomes a dict, an enumerator its name, runs of chunks their lengths.
template <class Value> nanobind::object objectOf(const Value &Of) {
  namespace nb = nanobind;
  nb::dict Dict;
  if constexpr (requires { Of.members(IntoDict{Dict}); })
    return Of.members(IntoDict{Dict}), Dict;
  else if constexpr (requires { Of(IntoDict{Dict}); })
    return Of(IntoDict{Dict}), Dict;
  else if constexpr (std::is_enum_v<Value>)
    return nb::cast(std::string(memshape::v1::name_of(Of)));
  else if constexpr (std::is_same_v<Value, std::string_view>)
    return nb::str(Of.data(), Of.size());
  else if constexpr (std::is_same_v<Value, std::nullptr_t>)
    return nb::none();
  else if constexpr (requires { Of.has_value(); })
    return Of ? objectOf(*Of) : nb::none();
  else if constexpr (std::is_same_v<Value, std::vector<memshape::v1::ChunkRun>>) {
    nb::list Lengths;
    for (const memshape::v1::ChunkRun &Run : Of)
      for (std::int64_t I = 0; I < Run.times; ++I)
        Lengths.append(Run.length);
    return nb::tuple(Lengths);
  } else if constexpr (std::is_same_v<Value, memshape::v1::ChainActions>) {
    nb::list All;
    for (const memshape::v1::ChainAction &Each : Of.of.actions) {
      const nb::object Name = objectOf(Each.kind);
      if (Each.kind == memshape::v1::ChainAction::backward) // the others have a level
        All.append(nb::make_tuple(Name, Each.from));
      else if (Each.kind == memshape::v1::ChainAction::forward)
        All.append(nb::make_tuple(Name, Each.from, Each.to));
      else
        All.append(nb::make_tuple(Name, Each.from, Of.of.levels[Each.level].name));
    }
    return nb::tuple(All);
  } else if constexpr (requires { typename Value::mapped_type; }) {
    for (const auto &[Name, Each] : Of)
      IntoDict{Dict}(Name, Each);
    return Dict;
  } else if constexpr (requires {
                         typename Value::value_type;
                         Of.begin();
                       } && !std::is_same_v<Value, std::string>) {
    nb::list All;
    for (const auto &Each : Of)
      All.append(objectOf(Each));
    return All;
  } else
    return nb::cast(Of);
}

template <class Value> void readInto(Value &Into, nanobind::handle From, const char *Name);

/// Gives the members of a request what a dict has under their names, and counts those.
struct FromDict {
  nanobind::dict From;
  std::size_t &Taken;
  template <class Value> void operator()(const char *Name, Value &Into, const char * = nullptr) const {
    if (!From.contains(Name))
      return;
    ++Taken;
    readInto(Into, From[Name], Name);
  }
};

template <class Value> void readInto(Value &Into, nanobind::handle From, const char *Name) {
  namespace nb = nanobind;
  if constexpr (requires(std::size_t Taken) { Value::members(Into, FromDict{nb::dict(), Taken}); }) {
    const nb::dict Given = nb::cast<nb::dict>(From);
    std::size_t Taken = 0;
    Value::members(Into, FromDict{Given, Taken});
    if (Taken != Given.size())
      raiseFailure("arguments", std::string(Name) + " has members that are not known");
  } else if constexpr (std::is_enum_v<Value>) {
    const auto Text = nb::isinstance<nb::str>(From) ? nb::cast<std::string>(From) : std::string();
    const auto Found = memshape::v1::named<Value>(Text);
    if (!Found)
      raiseFailure("arguments", std::string(Name) + " is one of " + memshape::v1::joined_names<Value>(", ", " and ") +
                                    ", not " + nb::repr(From).c_str());
    Into = *Found;
  } else if constexpr (requires { Into.has_value(); }) {
    if (!From.is_none())
      readInto(Into.emplace(), From, Name);
  } else if constexpr (requires { Into.emplace_back(); } && !std::is_same_v<Value, std::string>) {
    for (nb::handle Each : From)
      readInto(Into.emplace_back(), Each, Name);
  } else if (!nb::try_cast(From, Into))
    raiseFailure("arguments", std::string(Name) + " cannot be " + nb::repr(From).c_str());
}

/// Names of all enumerators.
template <class E> nanobind::object namesOf() {
  nanobind::list All;
  for (std::string_view Name : memshape::v1::names_of<E>)
    All.append(nanobind::str(Name.data(), Name.size()));
  return All;
}

/// A request that a dict describes.
template <class Request> Request requestFrom(const nanobind::dict &From) {
  Request Out;
  readInto(Out, From, "the request");
  return Out;
}

/// An answer, or an exception that says why there is none.
template <class T> T valueOf(memshape::v1::Expected<T> &&Answer) {
  if (Answer)
    return *std::move(Answer);
  raiseFailure(Answer.error());
}

/// What is answered while other threads of Python run.
template <class Asking> auto released(Asking Ask) {
  const nanobind::gil_scoped_release Released;
  return valueOf(Ask());
}

/// The members of memshape.plan/1; also what the worker and the largest task take by what it is, the least of the
/// largest call, and notes with their codes.
nanobind::dict planDict(const memshape::v1::Plan &Of);
