; The answer of cpuid is the runner's, which can answer for another machine.
; RUN: %opt -passes='memshape-operator<op>,memshape-processor' -S %s | FileCheck %s

define i32 @op(i32 %leaf) {
  %all = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax}"(i32 %leaf)
  %first = extractvalue { i32, i32, i32, i32 } %all, 0
  ret i32 %first
}

; CHECK: define i32 @op(
; CHECK-NOT: asm
; CHECK: [[FIRST:%.*]] = call i32 @memshape_sk_cpuid(i32 %leaf, i32 0, i32 0)
; CHECK: insertvalue {{.*}} i32 [[FIRST]], 0
