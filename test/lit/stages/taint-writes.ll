; In front of a write of data stands which bytes it taints; a number beside it can then be asked for.
; RUN: %opt -passes='memshape-operator<op>,memshape-taint-writes' -S %s | FileCheck %s

define void @op(ptr %in, i64 %n, i64 %where) {
  %block = call ptr @memshape_sk_alloc(i64 %n, i64 0, i32 0, i32 1)
  store i64 %n, ptr %block
  %datum = load i64, ptr %in
  %at = getelementptr i64, ptr %block, i64 %where
  store i64 %datum, ptr %at
  %length = load i64, ptr %block
  %work = call ptr @memshape_sk_alloc(i64 %length, i64 0, i32 0, i32 1)
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: [[BYTES:%.*]] = shl i64 %where, 3
; CHECK: [[AT:%.*]] = getelementptr i8, ptr %block, i64 [[BYTES]]
; CHECK: call void @memshape_sk_taint(ptr [[AT]], i64 8, i64 0, i64 1)
; CHECK: store i64 %datum,
; CHECK: %length = load i64, ptr %block, {{.*}}!memshape.asks
