; In front of an allocation the runner is told which arithmetic of its size has left its type.
; RUN: %opt -passes='memshape-operator<op>,memshape-wraps' -S %s | FileCheck %s

define void @op(i32 %w, i32 %h, i1 %square) {
entry:
  %product = mul nsw i32 %w, %h
  %chosen = select i1 %square, i32 %product, i32 %w
  %bytes = sext i32 %chosen to i64
  %block = call ptr @memshape_sk_alloc(i64 %bytes, i64 0, i32 0, i32 1)
  %hash = mul i32 %h, 16777619
  %masked = and i32 %hash, 1023
  %few = zext i32 %masked to i64
  %other = call ptr @memshape_sk_alloc(i64 %few, i64 0, i32 0, i32 1)
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: [[BOTH:%.*]] = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %w, i32 %h)
; CHECK: [[OWN:%.*]] = select i1 {{.*}}, i32 1, i32 0
; CHECK: [[SHADOW:%.*]] = select i1 {{.*}}, i32 [[OWN]], i32 0
; CHECK: call void @memshape_sk_wraps(i32 [[SHADOW]])
; CHECK-NEXT: call ptr @memshape_sk_alloc(i64 %bytes,
; CHECK-NOT: memshape_sk_wraps
; CHECK: call ptr @memshape_sk_alloc(i64 %few,
