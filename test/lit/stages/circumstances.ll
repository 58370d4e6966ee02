; Where numbers are rounded, or addresses compared, that is said; the code stays.
; RUN: %opt -passes='memshape-operator<op>,memshape-circumstances,memshape-document' -S %s 2>&1 | FileCheck %s

define i1 @op(double %sigma, ptr %in, ptr %out) {
  %half = fdiv double %sigma, 3.0
  %before = icmp ult ptr %in, %out
  ret i1 %before
}

; CHECK: "circumstances": [
; CHECK-NEXT: "rounding",
; CHECK-NEXT: "places"
; CHECK-NEXT: ]
; CHECK: define i1 @op(
; CHECK-NEXT: %half = fdiv
