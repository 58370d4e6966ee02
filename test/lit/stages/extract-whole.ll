; A constructor comes along even where a setter may undo what it does.
; RUN: %opt -passes='memshape-operator<op>,memshape-extract<whole>' -S %s | FileCheck %s

@limit = global i64 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @before, ptr null }]
define internal void @before() {
  store i64 7, ptr @limit
  ret void
}
define i64 @op(i64 %n) {
  %limit = load i64, ptr @limit
  ret i64 %limit
}
define void @elsewhere(i64 %n) {
  store i64 %n, ptr @limit
  ret void
}

; CHECK: @llvm.global_ctors = {{.*}}@memshape.before
; CHECK: @limit = internal global
; CHECK: define internal void @memshape.before()
; CHECK: call void @before()
; CHECK: define internal void @before()
; CHECK-NOT: @elsewhere
