//===- Store.cpp - The public interface -----------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core.h"

namespace memshape::out_of_core {

Store::Store(const Options &Of) : Store(std::make_unique<detail::Core>(Of, std::make_unique<FileLayer>())) {}

Store::Store(std::unique_ptr<detail::Core> Of) : core_(std::move(Of)) {}

Store::~Store() {
  if (!core_->isHere())
    (void)core_.release(); // its threads cannot be joined here, and its files are the other process's
}

void Store::fence(std::function<void()> Task) {
  core_->submit([Task = std::move(Task)](const detail::Place *) { Task(); }, {}, true);
}

void Store::run() { core_->run(); }

void Store::set_budget(std::uint64_t Bytes) { core_->setBudget(Bytes); }

Forecast Store::forecast(std::uint64_t Bytes) const { return core_->forecast(Bytes); }

Statistics Store::statistics() const { return core_->statistics(); }

std::vector<std::uint32_t> Store::resident() const { return core_->resident(); }

std::uint32_t Store::add_block(std::uint64_t Bytes) { return core_->add(Bytes, std::nullopt); }

std::uint32_t Store::add_object(std::uint64_t Bytes, detail::Object Of) { return core_->add(Bytes, std::move(Of)); }

void Store::submit_body(detail::Body Run, std::vector<detail::Access> Accesses) {
  core_->submit(std::move(Run), std::move(Accesses), false);
}

std::pair<std::uint64_t, detail::Place> Store::pin_entry(detail::Access On) { return core_->pin(On); }

void detail::release(Core &Of, std::uint64_t Entry) { Of.release(Entry); }

} // namespace memshape::out_of_core
