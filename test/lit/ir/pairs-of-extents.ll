; A structure of two extents that is copied as one number: what is taken out of it has lost nothing.
; RUN: %opt -passes='memshape-operator<op>,memshape-wraps' -S %s | FileCheck %s

define void @op(i32 %w, i32 %h, i1 %turned) {
entry:
  %low = zext i32 %w to i64
  %high = zext i32 %h to i64
  %up = shl i64 %high, 32
  %extents = or disjoint i64 %up, %low
  %either = select i1 %turned, i64 %extents, i64 %low
  %left = shl i64 %either, 32
  %rows = ashr exact i64 %left, 32
  %block = call ptr @memshape_sk_alloc(i64 %rows, i64 0, i32 0, i32 1)
  %columns = trunc i64 %either to i32
  %few = sext i32 %columns to i64
  %other = call ptr @memshape_sk_alloc(i64 %few, i64 0, i32 0, i32 1)
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK-NOT: memshape_sk_wraps
; CHECK: ret void
