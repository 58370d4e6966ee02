; A replay reads what is there: what was declared as data is no matter of it.
; RUN: %opt -passes='memshape-operator<op>,memshape-drop-data-marks' -S %s | FileCheck %s

define void @op(ptr %in) {
  call void @memshape.data(ptr %in, i64 8)
  ret void
}
declare void @memshape.data(ptr, i64)

; CHECK: define void @op(
; CHECK-NEXT: ret void
