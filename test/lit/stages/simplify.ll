; Variables become values, and what is equal is computed once.
; RUN: %opt -passes='memshape-operator<op>,memshape-simplify' -S %s | FileCheck %s

define i64 @op(i64 %n) {
  %slot = alloca i64
  store i64 %n, ptr %slot
  %one = load i64, ptr %slot
  %two = load i64, ptr %slot
  %sum = add i64 %one, %two
  ret i64 %sum
}

; CHECK: define {{.*}}@op(
; CHECK-NEXT: %sum = shl i64 %n, 1
; CHECK-NEXT: ret i64 %sum
