# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""skeletons.py FILE.o prints each operator that has a skeleton's document, and whether it was sliced or why not. The file is read as
docs/formats.md describes it."""

import json
import struct
import sys
import zlib

image, at = open(sys.argv[1], "rb").read(), -1
while (at := image.find(b"MEMSHAPE", at + 1)) >= 0:
    _, version, kind, flags, stored = struct.unpack_from("<8sHHIQ", image, at)
    if kind != 2 or at + 40 + stored > len(image):
        continue
    payload = image[at + 40 : at + 40 + stored]
    payload = zlib.decompress(payload) if flags & 1 else payload
    document = json.loads(payload[8 : 8 + struct.unpack_from("<Q", payload)[0]])
    print(f"{document['operator']}: {document.get('reason') or 'sliced'}")
