; Only a slice that cuts at data can tell the extents of what is returned: other skeletons tell none.
; RUN: %opt -passes='memshape-operator<op>,memshape-drop-results' -S %s | FileCheck %s

define void @op(i64 %n) {
  call void @memshape_sk_result(i32 0, i64 %n)
  ret void
}
declare void @memshape_sk_result(i32, i64)

; CHECK: define void @op(
; CHECK-NEXT: ret void
