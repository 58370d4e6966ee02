; What a thread would run is called where it is started, between marks of the runner.
; RUN: %opt -passes='memshape-operator<op>,memshape-threads' -S %s | FileCheck %s

define void @op(i64 %n) {
  %id = alloca i64
  %failed = call i32 @pthread_create(ptr %id, ptr null, ptr @work, ptr null)
  ret void
}
define internal ptr @work(ptr %in) {
  ret ptr null
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)

; CHECK: define internal i32 @pthread_create(ptr [[ID:%.*]], ptr {{.*}}, ptr [[WORK:%.*]], ptr [[IN:%.*]])
; CHECK: call void @memshape_sk_spawn(
; CHECK-NEXT: call ptr [[WORK]](ptr [[IN]])
; CHECK-NEXT: [[NUMBER:%.*]] = call i64 @memshape_sk_spawned(
; CHECK-NEXT: store i64 [[NUMBER]], ptr [[ID]]
