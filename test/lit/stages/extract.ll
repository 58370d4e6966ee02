; What the operator reaches comes along, and nothing but the operator is seen from outside.
; RUN: %opt -passes='memshape-operator<op>,memshape-extract' -S %s | FileCheck %s

define void @op(i64 %n) {
  call void @reached(i64 %n)
  ret void
}
define void @reached(i64 %n) {
  ret void
}
define void @elsewhere(i64 %n) {
  ret void
}

; CHECK: define void @op(
; CHECK: call void @reached(
; CHECK: define internal void @reached(
; CHECK-NOT: @elsewhere
