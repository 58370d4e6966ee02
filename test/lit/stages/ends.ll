; Behind the last write to what outlives a call in front of a throw, the call may end with what is kept by then.
; RUN: %opt -passes='memshape-operator<op>,memshape-ends' -S %s | FileCheck %s

@busy = internal global i32 0
@length = internal global i32 0
define void @op(ptr %x, i1 %bad, ptr %out) {
  store i32 7, ptr @length
  store i32 1, ptr @busy
  store i32 2, ptr %out
  br i1 %bad, label %throws, label %on
throws:
  call void @memshape_sk_leave(i32 5)
  unreachable
on:
  store i32 0, ptr @busy
  ret void
}
declare void @memshape_sk_leave(i32)

; CHECK: store i32 7, ptr @length
; CHECK-NEXT: store i32 1, ptr @busy
; CHECK-NEXT: call void @memshape_sk_may_end()
; CHECK-NEXT: store i32 2
; CHECK-NOT: call void @memshape_sk_may_end
