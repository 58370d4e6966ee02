; Executing a plan allocates alike each time: the runner does it once, and counts.
; RUN: %opt -passes='memshape-operator<op>,memshape-repeats' -S %s | FileCheck %s

define void @op(ptr %plan) {
  call void @fftw_execute(ptr %plan)
  ret void
}
declare void @fftw_execute(ptr)

; CHECK: define void @op(
; CHECK-NEXT: call void @memshape_sk_repeat_alike(ptr @fftw_execute, ptr %plan, ptr @fftw_sprint_plan)
