; What data decides becomes a question to the runner; how it is computed goes.
; RUN: %opt -passes='memshape-operator<op>,memshape-cut-data' -S %s | FileCheck %s

define void @op(ptr %in, i64 %n) {
  %value = load double, ptr %in
  %more = fcmp ogt double %value, 1.0
  br i1 %more, label %then, label %end
then:
  %block = call ptr @memshape_sk_alloc(i64 %n, i64 0, i32 0, i32 1)
  store double %value, ptr %block
  br label %end
end:
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: define void @op(
; CHECK-NOT: double
; CHECK: call i32 @memshape_sk_decide(i32 0, i32 1)
; CHECK-NOT: double
; CHECK: br i1 {{.*}}, label %then, label %end
; CHECK: then:
; CHECK-NEXT: %block = call ptr @memshape_sk_alloc(i64 %n,
; CHECK-NEXT: br label %end
