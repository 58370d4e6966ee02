; A decision hands over what is used behind it: runs that agree in it go on alike.
; RUN: %opt -passes='memshape-operator<op>,memshape-extract,memshape-entry,memshape-states' -S %s | FileCheck %s

define void @op(i64 %n) {
  %first = call i32 @memshape_sk_decide(i32 0, i32 0)
  %second = call i32 @memshape_sk_decide(i32 1, i32 0)
  %yes = icmp ne i32 %second, 0
  br i1 %yes, label %then, label %end
then:
  %bytes = zext i32 %first to i64
  %block = call ptr @memshape_sk_alloc(i64 %bytes, i64 0, i32 0, i32 1)
  br label %end
end:
  ret void
}
declare i32 @memshape_sk_decide(i32, i32)
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: define internal void @op(
; CHECK: [[FIRST:%.*]] = call i32 @memshape_sk_decide_at(i32 0, i32 0, i32 {{[12]}}, ptr [[STATE:%.*]], i32 0,
; CHECK: [[FIRST]]
; CHECK: store i64
; CHECK: call i32 @memshape_sk_decide_at(i32 1, i32 0, i32 {{[12]}}, ptr [[STATE]], i32 1,
