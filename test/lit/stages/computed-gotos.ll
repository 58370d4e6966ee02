; A jump to a label in a table is refused.
; RUN: not %opt -passes='memshape-operator<op>,memshape-computed-gotos' -disable-output %s 2>&1 | FileCheck %s

define void @op(ptr %where) {
  indirectbr ptr %where, [label %one, label %other]
one:
  ret void
other:
  ret void
}

; CHECK: error: memshape-computed-gotos: it jumps to labels in a table
