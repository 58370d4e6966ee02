; Instead of the operator stands one block: of all blocks that live together, the greatest sizes.
; RUN: %opt -passes='memshape-operator<op>,memshape-count-blocks,memshape-simplify<root>' -S %s | FileCheck %s

define dso_local void @op() {
  %one = call ptr @memshape_sk_alloc(i64 24, i64 0, i32 0, i32 1)
  %other = call ptr @memshape_sk_alloc(i64 40, i64 0, i32 0, i32 1)
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: define internal void @ceiling()
; CHECK-NEXT: call ptr @memshape_sk_alloc(i64 64,
; CHECK-NEXT: ret void
