; The same where throws are kept: a call through a pointer that can reach one function only is inlined.
; RUN: %opt -passes='memshape-operator<op>,memshape-resolve<throwing>' -S %s | FileCheck %s

@table = internal constant ptr @release
define void @op(ptr %object) {
  %slot = alloca ptr
  store ptr @release, ptr %slot
  call void @opaque(ptr null)
  %function = load ptr, ptr %slot
  call void %function(ptr %object)
  ret void
}
define internal void @release(ptr %object) {
  call void @free(ptr %object)
  ret void
}
declare void @opaque(ptr)
declare void @free(ptr)

; CHECK: define {{.*}}@op(
; CHECK: call void @opaque(
; CHECK: call void @memshape_sk_free(ptr %object)
; CHECK-NEXT: ret void
