; A member of std::string that only the library has gets a body.
; RUN: %opt -passes='memshape-operator<op>,memshape-bodies<strings>' -S %s | FileCheck %s

define void @op(ptr %text, i64 %n) {
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm(ptr %text, i64 %n)
  ret void
}
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm(ptr, i64)

; CHECK: define void @op(
; CHECK: call void @memshape.body.{{.*}}reserve{{.*}}(ptr %text, i64 %n)
; CHECK: define internal void @memshape.body.{{.*}}reserve
; CHECK: define internal ptr @memshape.body.{{.*}}_M_create
; CHECK: call ptr @_Znwm(
