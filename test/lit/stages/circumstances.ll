; Where numbers are rounded, or made of addresses, that is said. Comparisons tell the runner their places.
; RUN: %opt -passes='memshape-operator<op>,memshape-circumstances,memshape-document' -S %s 2>&1 | FileCheck %s

define i64 @op(double %sigma, ptr %in, ptr %out, i64 %begin, i64 %n) {
  %half = fdiv double %sigma, 3.0
  %before = icmp ult ptr %in, %out
  %later = getelementptr i8, ptr %in, i64 %n
  %inside = icmp ult ptr %in, %later
  %number = ptrtoint ptr %out to i64
  %end = add i64 %number, %n
  %bytes = sub i64 %end, %begin
  %hash = mul i64 %number, 7
  ret i64 %hash
}

; CHECK: "circumstances": [
; CHECK-NEXT: "rounding",
; CHECK-NEXT: "places"
; CHECK-NEXT: ]
; CHECK: %half = fdiv
; CHECK-NEXT: call void @memshape_sk_compare(ptr %in, ptr %out, i32 0)
; CHECK-NEXT: %before =
; CHECK-NOT: @memshape_sk_compare
; CHECK: call void @memshape_sk_compare(ptr {{.*}}, ptr {{.*}}, i32 1)
; CHECK-NEXT: %bytes = sub
