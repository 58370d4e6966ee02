// Orders of graphs and reversals of chains in Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <memshape/scheduling.h> and <memshape/checkpointing.h>. Members of dicts have the names of memshape.schedule/1.

#include "members.h"

#include <memshape/checkpointing.h>
#include <memshape/scheduling.h>

namespace nb = nanobind;

/// The members of memshape.schedule/1, and "nodes", in the order, with their bytes and times.
static nb::object schedule(const std::string &Document, const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::ScheduleRequest>(Asked);
  const auto Found = released([&] { return memshape::schedule_graph(Document, Request); });
  nb::dict Out = nb::cast<nb::dict>(objectOf(Found));
  Out["nodes"] = objectOf(Found.order);
  return Out;
}

static nb::object reverse(const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::ChainRequest>(Asked);
  return objectOf(released([&] { return memshape::reverse_chain(Request); }));
}

void bindScheduling(nb::module_ &Module) {
  Module.def("schedule", &schedule);
  Module.def("reverse", &reverse);
}
