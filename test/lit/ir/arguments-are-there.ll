; A pointer is taken to be there where neither side has more to do for it alone: %then is entered in two ways.
; RUN: %opt -passes='memshape-operator<op>,memshape-cut-data' -S %s | FileCheck %s

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

define void @op(ptr %in, i64 %n) {
  %none = icmp eq i64 %n, 7
  br i1 %none, label %then, label %ask
ask:
  %there = icmp ne ptr %in, null
  br i1 %there, label %then, label %end
then:
  %block = call ptr @memshape_sk_alloc(i64 %n, i64 0, i32 0, i32 1)
  br label %end
end:
  ret void
}

; CHECK: define void @op(
; CHECK: call i32 @memshape_sk_decide(i32 {{[0-9]+}}, i32 1)
