; Variables of the operator become values; other functions stay as they are.
; RUN: %opt -passes='memshape-operator<op>,memshape-simplify<root>' -S %s | FileCheck %s

define i64 @op(i64 %n) {
  %slot = alloca i64
  store i64 %n, ptr %slot
  %same = load i64, ptr %slot
  ret i64 %same
}
define i64 @other(i64 %n) {
  %kept = alloca i64
  store i64 %n, ptr %kept
  %same = load i64, ptr %kept
  ret i64 %same
}

; CHECK: define {{.*}}@op(
; CHECK-NEXT: ret i64 %n
; CHECK: define {{.*}}@other(
; CHECK-NEXT: %kept = alloca i64
