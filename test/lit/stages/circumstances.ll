; Where numbers are rounded, or made of addresses, that is said. Comparisons tell the runner their places.
; RUN: %opt -passes='memshape-operator<op>,memshape-circumstances,memshape-document' -S %s 2>&1 | FileCheck %s

define i1 @op(double %sigma, ptr %in, ptr %out, i64 %begin, i64 %n) {
  %half = fdiv double %sigma, 3.0
  %number = ptrtoint ptr %out to i64
  %end = add i64 %number, %n
  %bytes = sub i64 %end, %begin
  %hash = mul i64 %number, 7
  %later = getelementptr i8, ptr %in, i64 %n
  %inside = icmp ult ptr %in, %later
  %below = icmp ult ptr %out, %later
  %above = icmp uge ptr %out, %in
  %within = and i1 %below, %above
  %before = icmp ult ptr %in, %out
  ret i1 %before
}

; CHECK: "circumstances": [
; CHECK-NEXT: "rounding",
; CHECK-NEXT: "places"
; CHECK-NEXT: ]
; CHECK: call void @memshape_sk_compare(ptr {{.*}}, ptr {{.*}}, i32 1)
; CHECK-NEXT: %bytes = sub
; CHECK-NOT: @memshape_sk_compare
; CHECK: call void @memshape_sk_compare(ptr %out, ptr %later, i32 2)
; CHECK: call void @memshape_sk_compare(ptr %out, ptr %in, i32 2)
; CHECK: call void @memshape_sk_compare(ptr %in, ptr %out, i32 0)
