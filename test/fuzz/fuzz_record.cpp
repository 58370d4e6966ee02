// Records of foreign or of killed processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record starts with 600 KB of header and tables, so the input is what follows: one byte that says how, then items.
// They are put behind a header in order, and their checksums are set right, or left as they are: a reader has to live
// with both. What it makes of them goes through both reports.

#include "libmemshape/measurement/report/RunReport.h"

#include "record/record.h"

#include <cstring>

using namespace memshape;

static void report(std::string_view All) {
  Result<RunRecord> Record = readRunRecord(All);
  if (!Record)
    return;
  Run R;
  R.Command = {"program"};
  R.How.Pid = static_cast<int>(Record->Pid);
  R.Processes.push_back(std::move(*Record));
  (void)runJson(R).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  (void)runPage(R);
}

/// The sum that a reader expects in an item's head.
static std::uint64_t rightChecksum(std::string_view Item) {
  std::size_t From = sizeof(memshape_record_head);
  std::uint64_t Sum = MEMSHAPE_RECORD_CHECKSUM_START;
  memshape_record_head Head;
  std::memcpy(&Head, Item.data(), sizeof Head);
  if (Head.kind == MEMSHAPE_RECORD_GROUP && Item.size() >= sizeof(memshape_record_group)) {
    Sum = memshape_record_checksum(Sum, Item.data() + offsetof(memshape_record_group, op), 16);
    From = sizeof(memshape_record_group);
  } else if (Head.kind == MEMSHAPE_RECORD_POOL && Item.size() >= sizeof(memshape_record_pool)) {
    From = sizeof(memshape_record_pool);
  }
  return memshape_record_checksum(Sum, Item.data() + From, Item.size() - From);
}

static void mendChecksums(std::string &All) {
  memshape_record_head Head;
  for (std::size_t At = MEMSHAPE_RECORD_ITEMS; At + sizeof Head <= All.size(); At += Head.bytes) {
    std::memcpy(&Head, All.data() + At, sizeof Head);
    if (Head.bytes < sizeof Head || Head.bytes % 8 != 0 || Head.bytes > All.size() - At)
      return;
    Head.checksum = rightChecksum(std::string_view(All).substr(At, Head.bytes));
    std::memcpy(All.data() + At, &Head, sizeof Head);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  if (Size == 0 || Size > 1 << 17)
    return 0;
  std::string_view Items(reinterpret_cast<const char *>(Data + 1), Size - 1);
  if (Data[0] & 2) { // all of it is foreign
    report(Items);
    return 0;
  }
  static memshape_record_header Header = [] {
    memshape_record_header Fresh = {};
    std::memcpy(Fresh.magic, MEMSHAPE_RECORD_MAGIC, sizeof Fresh.magic);
    Fresh.version = MEMSHAPE_RECORD_VERSION;
    Fresh.items = MEMSHAPE_RECORD_ITEMS;
    Fresh.pid = 7;
    Fresh.checksum =
        memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, &Fresh.pid,
                                 offsetof(memshape_record_header, used) - offsetof(memshape_record_header, pid));
    Fresh.state = MEMSHAPE_RECORD_RUNNING;
    Fresh.mode = MEMSHAPE_RECORD_CALLS;
    Fresh.site_live = MEMSHAPE_RECORD_SITE_TABLE;
    return Fresh;
  }();
  std::string All(MEMSHAPE_RECORD_ITEMS, '\0');
  Header.used = MEMSHAPE_RECORD_ITEMS + Items.size();
  // The last bytes also stand for a call in flight and for what a site holds.
  std::memcpy(&Header.open[0], Items.data() + Items.size() - std::min(Items.size(), sizeof Header.open[0]),
              std::min(Items.size(), sizeof Header.open[0]));
  std::memcpy(All.data(), &Header, sizeof Header);
  std::memcpy(All.data() + MEMSHAPE_RECORD_SITE_TABLE, Items.data(), std::min<std::size_t>(Items.size(), 64));
  All += Items;
  if (Data[0] & 1)
    mendChecksums(All);
  report(All);
  return 0;
}
