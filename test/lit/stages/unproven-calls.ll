; A call for real that may do something else another time is announced, and can be left out.
; RUN: %opt -passes='memshape-operator<op>,memshape-unproven-calls' -S %s | FileCheck %s

define ptr @op(i32 %n) {
  %plan = call ptr @fftw_plan_dft_1d(i32 %n, ptr null, ptr null, i32 1, i32 0)
  ret ptr %plan
}
declare ptr @fftw_plan_dft_1d(i32, ptr, ptr, i32, i32)

; CHECK: [[ANSWER:%.*]] = call i32 @memshape_sk_attempt(i32 0)
; CHECK: br i1
; CHECK: %plan = call ptr @fftw_plan_dft_1d(
; CHECK: [[PLAN:%.*]] = phi ptr [ %plan, {{.*}} ], [ null, {{.*}} ]
; CHECK: ret ptr [[PLAN]]
