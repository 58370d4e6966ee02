# The features of an object file, one fact a line.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# read_features.py FILE.o             prints each record's members on one line: easy to check, easy to read
# read_features.py --json FILE.o      prints the document
# read_features.py --page P FILE.o    compares the document's members with those of the example on the page P
#
# The section is read as docs/formats.md describes it, without the tools, so that plugin tests stand alone.

import json
import re
import struct
import sys
import zlib


def section(path, name=b".memshape"):
    data = open(path, "rb").read()
    assert data[:4] == b"\x7fELF", f"{path} is not an ELF file"
    offset, entry_size, count, names = struct.unpack_from("<Q10xHHH", data, 0x28)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + i * entry_size) for i in range(count)]
    strings = headers[names][4]
    for header in headers:
        start = strings + header[0]
        if data[start : data.index(b"\0", start)] == name:
            return data[header[4] : header[4] + header[5]]
    return b""


def features(path):
    data, at, documents = section(path), 0, []
    while at + 40 <= len(data):
        magic, _, kind, flags, stored, _, checksum, _ = struct.unpack_from("<8sHHIQQII", data, at)
        assert magic == b"MEMSHAPE", "damaged section"
        payload = data[at + 40 : at + 40 + stored]
        assert zlib.crc32(payload) == checksum, "wrong checksum"
        if kind == 1:
            documents.append(json.loads(zlib.decompress(payload) if flags & 1 else payload))
        at = (at + 40 + stored + 7) // 8 * 8
    return documents


def plain(value):
    if isinstance(value, dict):
        if "line" in value:
            return f"{value['function']}:{value['line']}" if "function" in value else str(value["line"])
        return " ".join(plain(v) for v in value.values())
    if isinstance(value, list):
        return "[" + " ".join(plain(v) for v in value) + "]"
    words = {"None": "null", "True": "yes", "False": "no"}
    return words.get(str(value), str(value))


def compare(value, example, where):
    """Members have the same names and types, all the way down; any of them may be null."""
    if value is None or example is None:
        return
    assert type(value) is type(example), f"{where} is {value!r}, and on the page {example!r}"
    if isinstance(value, dict):
        assert set(value) == set(example), f"{where}: {set(value) ^ set(example)} are not in both"
        for name, part in value.items():
            compare(part, example[name], f"{where}.{name}")
    if isinstance(value, list):
        for part in value:
            compare(part, example[0], f"{where}[]")


def line(word, record, first):
    members = first + sorted(set(record) - set(first))
    return word + " " + " ".join(f"{m}={{{plain(record[m])}}}" for m in members if m in record)


def main():
    arguments = sys.argv[1:]
    documents = features(arguments[-1])
    if arguments[0] == "--json":
        print(json.dumps(documents, indent=2))
        return
    if arguments[0] == "--page":
        page = open(arguments[1], encoding="utf-8").read()
        example = next(json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", page, re.M | re.S) if "memshape.features/1" in block)
        for document in documents:
            compare(document, example, "document")
        print(f"as on the page: {len(documents)}")
        return
    for document in documents:
        for op in document["operators"]:
            print(f"operator {op['operator']} symbol={op['symbol']} line={op['location']['line']} truncated={plain(op['truncated'])}")
            for parameter in op["parameters"]:
                print(line("parameter", parameter, ["name", "role", "type", "element"]))
            order = ["function", "name", "kind", "space", "size_written", "depends_on", "loop_depth", "growth", "conditional", "chain"]
            for allocation in op["allocations"]:
                print(line("allocation", allocation, order))
            for control in op["control"]:
                print(line("control", control, ["kind", "function", "condition", "depends_on", "guards_allocation"]))
            for held in op["intermediates"]:
                print(line("intermediate", held, ["function", "name", "first_use", "last_use", "dies_before_return"]))
            print(line("shares", op["shares"], []))
            print(f"transformation {op['transformation']['pattern']}")
            for output in op["transformation"]["outputs"]:
                print(line("output", output, ["name", "also_read"]))
            for call in op["unknown_calls"]:
                print(line("unknown", call, ["function", "reason"]))


if __name__ == "__main__":
    main()
