; A first slice follows data and cuts nothing: what no allocation needs goes, a condition on data stays.
; RUN: %opt -passes='memshape-operator<op>,memshape-drop-arithmetic' -S %s | FileCheck %s

define void @op(ptr noalias %in, ptr noalias %out) {
  %value = load double, ptr %in
  %square = fmul double %value, %value
  store double %square, ptr %out
  %more = fcmp ogt double %value, 1.0
  br i1 %more, label %then, label %end
then:
  %block = call ptr @memshape_sk_alloc(i64 8, i64 0, i32 0, i32 1)
  br label %end
end:
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: define void @op(
; CHECK: %value = load double, ptr %in
; CHECK-NEXT: %more = fcmp ogt double %value,
; CHECK-NEXT: br i1 %more, label %then, label %end
; CHECK: call ptr @memshape_sk_alloc(
