// Puts records into the section .memshape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A global variable cannot carry the records: LLVM makes its section either ALLOC, which the loader maps, or EXCLUDE,
// which the linker discards. Module-level assembly sets the section's flags itself and survives -c, -S, -flto and
// strip.

#include "plugin/Embedding.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace memshape {

/// Appends Bytes as .ascii directives, with all but plain characters in octal.
static void appendAscii(std::string &Text, ArrayRef<uint8_t> Bytes) {
  const size_t BytesPerLine = 64;
  for (size_t At = 0; At < Bytes.size(); At += BytesPerLine) {
    Text += ".ascii \"";
    for (uint8_t C : Bytes.slice(At, std::min(BytesPerLine, Bytes.size() - At))) {
      if (C >= ' ' && C < 127 && C != '"' && C != '\\') {
        Text += char(C);
      } else {
        Text += '\\';
        Text += char('0' + (C >> 6));
        Text += char('0' + (C >> 3 & 7));
        Text += char('0' + (C & 7));
      }
    }
    Text += "\"\n";
  }
}

std::string recordText(RecordKind Kind, ArrayRef<char> Payload) {
  ArrayRef<uint8_t> Raw(reinterpret_cast<const uint8_t *>(Payload.data()), Payload.size());
  SmallVector<uint8_t, 0> Packed;
  uint32_t Flags = 0;
  ArrayRef<uint8_t> Stored = Raw;
  if (compression::zlib::isAvailable()) {
    compression::zlib::compress(Raw, Packed, compression::zlib::BestSpeedCompression);
    if (Packed.size() < Raw.size()) {
      Stored = Packed;
      Flags = RecordCompressed;
    }
  }

  uint8_t Header[sizeof(RecordHeader)] = {};
  memcpy(Header, RecordMagic, sizeof(RecordMagic));
  support::endian::write16le(Header + offsetof(RecordHeader, version), RecordVersion);
  support::endian::write16le(Header + offsetof(RecordHeader, kind), uint16_t(Kind));
  support::endian::write32le(Header + offsetof(RecordHeader, flags), Flags);
  support::endian::write64le(Header + offsetof(RecordHeader, stored_size), Stored.size());
  support::endian::write64le(Header + offsetof(RecordHeader, raw_size), Raw.size());
  support::endian::write32le(Header + offsetof(RecordHeader, checksum), llvm::crc32(Stored));

  std::string Text = (Twine(".pushsection ") + SectionName + ",\"\",%progbits\n.p2align 3\n").str();
  appendAscii(Text, Header);
  appendAscii(Text, Stored);
  Text += ".p2align 3\n.popsection\n";
  return Text;
}

} // namespace memshape
