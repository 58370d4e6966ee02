; The runner calls one function with all shape symbols and settings.
; RUN: %opt -passes='memshape-operator<op>,memshape-entry' -S %s | FileCheck %s

define void @op(i32 %n, double %sigma, ptr %in) {
  %value = load double, ptr %in
  ret void
}

; CHECK: define internal void @op(
; CHECK: define void @memshape_skeleton(ptr [[SHAPE:%.*]], ptr [[SETTINGS:%.*]])
; CHECK: [[N:%.*]] = trunc i64 {{.*}} to i32
; CHECK: [[SIGMA:%.*]] = load double,
; CHECK: [[IN:%.*]] = call ptr @memshape_sk_tensor(i32 0)
; CHECK: call void @op(i32 [[N]], double [[SIGMA]], ptr [[IN]])
