; What nothing uses goes.
; RUN: %opt -passes='memshape-operator<op>,memshape-sweep' -S %s | FileCheck %s

@unused = internal global i64 0
define void @op(i64 %n) {
  ret void
}
define internal void @left() {
  store i64 1, ptr @unused
  ret void
}

; CHECK-NOT: @unused
; CHECK: define void @op(
; CHECK-NOT: @left
