; A loop that only asks becomes one question: does any iteration say yes?
; RUN: %opt -passes='memshape-operator<op>,memshape-idle-loops' -S %s | FileCheck %s

define void @op(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %goOn ]
  %said = call i32 @memshape_sk_decide(i32 0, i32 0)
  %yes = icmp ne i32 %said, 0
  br i1 %yes, label %found, label %goOn
goOn:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
found:
  call void @memshape_sk_free(ptr null)
  br label %end
end:
  ret void
}
declare i32 @memshape_sk_decide(i32, i32)
declare void @memshape_sk_free(ptr)

; CHECK: define void @op(
; CHECK-NOT: phi
; CHECK: call i32 @memshape_sk_decide(i32 0,
; CHECK: br i1 {{.*}}, label %found, label %end
; CHECK: found:
; CHECK-NEXT: call void @memshape_sk_free(
