# Objects with a section that somebody made up.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import struct
import zlib

SKELETON, COMPRESSED = 2, 1


def record(skeleton, bitcode, code=b"", packed=False):
    """A record of the section: docs/formats.md, sections 1 and 3. Skeleton: a document, or its text."""
    text = skeleton if isinstance(skeleton, bytes) else json.dumps(dict(skeleton, object_bytes=len(code))).encode()
    payload = struct.pack("<Q", len(text)) + text + bitcode + code
    stored = zlib.compress(payload, 9) if packed else payload
    head = struct.pack("<8sHHIQQII", b"MEMSHAPE", 1, SKELETON, COMPRESSED if packed else 0, len(stored), len(payload),
                       zlib.crc32(stored), 0)
    return head + stored + bytes(-(len(head) + len(stored)) % 8)


def skeleton_of(name, sites, **more):
    return {"schema": "memshape.skeleton/2", "operator": name, "symbol": name, "status": "sliced", "reason": "",
            "parameters": [{"name": "n", "role": "shape", "bits": 64, "signed": True}],
            "sites": list(sites), "decisions": [], "unknown": [], "libraries": [],
            "size": {"flattened": 1, "kept": 1}, **more}


def site(number, file, line, **more):
    return {"id": number, "file": file, "line": line, "column": 1, "function": "f", "space": "host",
            "allocator": "malloc", "chain": [], **more}


def compiled(tools, source, out, defines, *flags):
    tools.build(tools.clang / "clang", "-std=gnu11", "-O1", "-fPIC", "-fno-builtin", "-fno-stack-protector", "-w",
                "-fno-jump-tables", *[f"-D{key}={value}" for key, value in defines.items()], *flags, source, "-o", out)
    return out


def object_with(tools, folder, name, records):
    """An object file whose section holds these records."""
    (folder / "records").write_bytes(records)
    (folder / "empty.c").write_text("")
    tools.build(tools.clang / "clang", "-c", folder / "empty.c", "-o", folder / "empty.o")
    out = folder / name
    tools.build("objcopy", "--add-section", f".memshape={folder / 'records'}", folder / "empty.o", out)
    return out
