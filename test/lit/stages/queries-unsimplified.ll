; A call that may ask for the size of a workspace is split; nothing is simplified.
; RUN: %opt -passes='memshape-operator<op>,memshape-queries<unsimplified>' -S %s | FileCheck %s

define void @op(ptr %n, ptr %a, ptr %work) {
  call void @dsyev_(ptr null, ptr null, ptr %n, ptr %a, ptr %n, ptr %a, ptr %a, ptr %work, ptr %a)
  ret void
}
declare void @dsyev_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)

; CHECK: [[ASKED:%.*]] = load i32, ptr %work
; CHECK: [[QUERY:%.*]] = icmp eq i32 [[ASKED]], -1
; CHECK: br i1 [[QUERY]]
; CHECK: call void @memshape.query.dsyev_(
; CHECK: br
; CHECK: call void @dsyev_(
