; An exception that leaves the operator leaves the evaluation.
; RUN: %opt -passes='memshape-operator<op>,memshape-catch' -S %s | FileCheck %s

define void @op() {
  call void @mayThrow()
  ret void
}
declare void @mayThrow()
define void @memshape_skeleton(ptr %shape, ptr %settings) {
  call void @op()
  ret void
}

; CHECK: define void @memshape_skeleton(
; CHECK-NEXT: invoke void @op()
; CHECK: landingpad
; CHECK: call void @memshape_sk_leave(i32 0)
