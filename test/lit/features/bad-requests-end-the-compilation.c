
// What the plugin does not know is an error of one line, never ignored; variables that only begin alike are not ours.

// RUN: not %clang -c -fplugin=%plugin -fplugin-arg-memshape-colour=red %s -o %t.o 2>&1 | FileCheck --check-prefix=ARGUMENT %s
// RUN: not %clang -c -fplugin=%plugin -fplugin-arg-memshape-operator %s -o %t.o 2>&1 | FileCheck --check-prefix=NAMELESS %s
// RUN: not env MEMSHAPE_DISABLED=1 %clang -c -fplugin=%plugin %s -o %t.o 2>&1 | FileCheck --check-prefix=VARIABLE %s
// RUN: not env MEMSHAPE_DISABLE=perhaps %clang -c -fplugin=%plugin %s -o %t.o 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: env MEMSHAPE_RUNTIME_RECORD=x MEMSHAPE_CXXFLAGS=-O3 %clang -c -fplugin=%plugin %s -o %t.o

// ARGUMENT: error: memshape: unknown plugin argument 'colour'; known: bodies, operator, summaries
// NAMELESS: error: memshape: plugin argument 'operator' needs a name: operator=NAME
// VARIABLE: error: memshape: unknown environment variable 'MEMSHAPE_DISABLED'; did you mean MEMSHAPE_DISABLE?
// VALUE: error: memshape: MEMSHAPE_DISABLE is 'perhaps'; it takes 0 or 1

int f(void) { return 1; }
