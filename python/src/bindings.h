// The parts of memshape._native.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <memshape/expected.h>

#include <nanobind/nanobind.h>

#include <string>

/// Programs, operators and formulas of <memshape/memshape.h>. Errors become (code, message) of memshape._native.Failure.
void bindPredictions(nanobind::module_ &Module);

/// Raises (code, message) of memshape._native.Failure.
[[noreturn]] void raiseFailure(const memshape::v1::Error &Why);
[[noreturn]] void raiseFailure(const std::string &Code, const std::string &Message);

/// Orders of graphs, reversals of chains.
void bindScheduling(nanobind::module_ &Module);

/// Chunks that fit.
void bindPlanning(nanobind::module_ &Module);

/// Calls that the preloaded runtime counts.
void bindCounting(nanobind::module_ &Module);

/// Files of what leaves the memory.
void bindSpilling(nanobind::module_ &Module);
