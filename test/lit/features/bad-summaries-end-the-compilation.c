// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: split-file %s %t
// RUN: not %clang -fplugin=%plugin -fplugin-arg-memshape-summaries=%t/none.json -c %t/unit.c -o %t/unit.o 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %clang -fplugin=%plugin -fplugin-arg-memshape-summaries=%t/word.json -c %t/unit.c -o %t/unit.o 2>&1 | FileCheck --check-prefix=WORD %s
// RUN: not %clang -fplugin=%plugin -fplugin-arg-memshape-summaries=%t/member.json -c %t/unit.c -o %t/unit.o 2>&1 | FileCheck --check-prefix=MEMBER %s
// RUN: not %clang -fplugin=%plugin -fplugin-arg-memshape-summaries=%t/size.json -c %t/unit.c -o %t/unit.o 2>&1 | FileCheck --check-prefix=SIZE %s
// NONE: error: memshape: {{.*}}none.json: No such file or directory
// WORD: error: memshape: {{.*}}word.json: expected pure, called, forbidden, unknown, compute, inspect, adjust, repeat or ask at the document.libraries[0].functions[0].treatment
// MEMBER: error: memshape: {{.*}}member.json: unknown member at the document.libraries[0].functions[0].raeds
// SIZE: error: memshape: {{.*}}size.json: what allocates has a 'size', what frees a 'block', what reallocates both at the document.libraries[0].allocators[0]

//--- unit.c
int unit;

//--- word.json
{"schema": "memshape.summaries/1", "libraries": [{"functions": [{"names": ["f"], "treatment": "clean"}]}]}

//--- member.json
{"schema": "memshape.summaries/1", "libraries": [{"functions": [{"names": ["f"], "treatment": "pure", "raeds": [1]}]}]}

//--- size.json
{"schema": "memshape.summaries/1", "libraries": [{"allocators": [{"names": ["f"], "kind": "allocate", "block": 1}]}]}
