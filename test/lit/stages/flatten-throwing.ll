; What is called is inlined, and what is caught stays.
; RUN: %opt -passes='memshape-operator<op>,memshape-flatten<throwing>' -S %s | FileCheck %s

define void @op(i64 %n) personality ptr @handler {
  invoke void @mayThrow()
          to label %good unwind label %bad
good:
  ret void
bad:
  %caught = landingpad { ptr, i32 } catch ptr null
  call void @caught(i64 %n)
  ret void
}
define internal void @caught(i64 %n) {
  store i64 %n, ptr inttoptr (i64 64 to ptr)
  ret void
}
declare void @mayThrow()
declare i32 @handler(...)

; CHECK: define void @op(
; CHECK: invoke void @mayThrow()
; CHECK: landingpad
; CHECK-NOT: call
; CHECK: store i64 %n,
