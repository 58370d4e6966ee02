; A body knows one version of a class: it stands for a function that is given an object of its size, and for no other.
; RUN: split-file %s %t
; RUN: %opt -passes='memshape-operator<op>,memshape-bodies' -S %t/known.ll | FileCheck %s --check-prefix=KNOWN
; RUN: %opt -passes='memshape-operator<op>,memshape-bodies' -S %t/other.ll | FileCheck %s --check-prefix=OTHER

; KNOWN: call void @memshape.body._ZN10vnl_vectorIdED1Ev(
; KNOWN: call void @_ZN12vnl_c_vectorIdE10deallocateEPdm(
; OTHER: call void @_ZN10vnl_vectorIdED1Ev(
; OTHER-NOT: memshape.body

;--- known.ll
define void @op(i64 %n) {
  %vector = alloca [32 x i8], align 8
  call void @_ZN10vnl_vectorIdED1Ev(ptr %vector)
  ret void
}
declare void @_ZN10vnl_vectorIdED1Ev(ptr noundef nonnull align 8 dereferenceable(25))

;--- other.ll
define void @op(i64 %n) {
  %vector = alloca [24 x i8], align 8
  call void @_ZN10vnl_vectorIdED1Ev(ptr %vector)
  ret void
}
declare void @_ZN10vnl_vectorIdED1Ev(ptr noundef nonnull align 8 dereferenceable(24))
