; The same for threads that run beside each other: what they are given may change wherever one starts, ends or waits.
; RUN: %opt -passes='memshape-operator<op>,memshape-threads<beside>' -S %s | FileCheck %s

define i32 @op(i64 %n, ptr %condition, ptr %lock) {
  %id = alloca i64
  %failed = call i32 @pthread_create(ptr %id, ptr null, ptr @work, ptr null)
  %waited = call i32 @pthread_cond_wait(ptr %condition, ptr %lock)
  ret i32 %waited
}
define internal ptr @work(ptr %in) {
  ret ptr null
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)

; CHECK: define internal i32 @pthread_create(ptr [[ID:%.*]], ptr {{.*}}, ptr [[WORK:%.*]], ptr [[IN:%.*]])
; CHECK: call void asm sideeffect "", "r,~{memory}"(ptr [[IN]])
; CHECK-NEXT: call void @memshape_sk_spawn(
; CHECK-NEXT: call ptr [[WORK]](ptr [[IN]])
; CHECK-NEXT: [[NUMBER:%.*]] = call i64 @memshape_sk_spawned(
; CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT: store i64 [[NUMBER]], ptr [[ID]]

; CHECK: define internal i32 @pthread_cond_wait(
; CHECK: [[ANY:%.*]] = call i32 asm sideeffect "", "=r,~{memory}"()
; CHECK-NEXT: ret i32 [[ANY]]
