; What told the class of an object that a library builds goes.
; RUN: %opt -passes='memshape-operator<op>,memshape-classes' -S %s | FileCheck %s

@table = external constant ptr
define void @op(ptr %object) {
  store ptr @table, ptr %object, !memshape.class !0
  store ptr null, ptr %object
  ret void
}
!0 = !{}

; CHECK: define void @op(
; CHECK-NEXT: store ptr null, ptr %object
; CHECK-NEXT: ret void
