// The public interface.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"

namespace memshape::out_of_core {

/// A forked process has no threads that would run anything, and the mutex as it was at that moment.
static detail::Core &here(const std::unique_ptr<detail::Core> &Of) {
  if (!Of->isHere())
    throw Error(ErrorCode::usage, "a store belongs to the process that made it, not to those forked from it");
  return *Of;
}

Store::Store(const Options &Of) : Store(std::make_unique<detail::Core>(Of, std::make_unique<FileLayer>())) {}

Store::Store(std::unique_ptr<detail::Core> Of) : core_(std::move(Of)) {}

Store::~Store() {
  if (!core_->isHere())
    (void)core_.release(); // its threads cannot be joined here, and its files are the other process's
}

void Store::fence(std::function<void()> Task) {
  here(core_).submit([Task = std::move(Task)](const detail::Place *) { Task(); }, {}, 0, true);
}

void Store::run() { here(core_).run(); }

void Store::set_budget(std::uint64_t Bytes) { here(core_).setBudget(Bytes); }

Forecast Store::forecast(std::uint64_t Bytes) const { return here(core_).forecast(Bytes); }

Statistics Store::statistics() const { return here(core_).statistics(); }

std::vector<std::uint32_t> Store::resident() const { return here(core_).resident(); }

std::uint32_t Store::add_block(std::uint64_t Bytes) { return here(core_).add(Bytes, std::nullopt); }

std::uint32_t Store::add_object(std::uint64_t Bytes, detail::Object Of) {
  return here(core_).add(Bytes, std::move(Of));
}

void Store::submit_body(detail::Body Run, std::vector<detail::Access> Accesses, std::uint64_t Besides) {
  here(core_).submit(std::move(Run), std::move(Accesses), Besides, false);
}

void Store::submit_eviction(std::uint32_t Which) { here(core_).submitEviction(Which); }

std::pair<std::uint64_t, detail::Place> Store::pin_entry(detail::Access On) { return here(core_).pin(On); }

void detail::release(Core &Of, std::uint64_t Entry) {
  if (Of.isHere())
    Of.release(Entry);
}

} // namespace memshape::out_of_core
