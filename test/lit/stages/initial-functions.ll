; What is asked of an allocator that a program may replace is asked of the one that its variable begins with.
; RUN: %opt -passes='memshape-operator<op>,memshape-extract,memshape-initial-functions' -S %s | FileCheck %s

@hooks = internal global { ptr, ptr } { ptr @malloc, ptr @free }
@other = internal global ptr @scale

define void @op(i64 %n) {
  %take = load ptr, ptr @hooks
  %block = call ptr %take(i64 %n)
  %scale = load ptr, ptr @other
  call void %scale(ptr %block)
  %give = load ptr, ptr getelementptr inbounds ({ ptr, ptr }, ptr @hooks, i32 0, i32 1)
  call void %give(ptr %block)
  ret void
}
define void @set_hooks(ptr %new) {
  store ptr %new, ptr @hooks
  store ptr %new, ptr @other
  ret void
}
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @scale(ptr)

; CHECK: %block = call ptr @malloc(i64 %n)
; CHECK: call void %scale(ptr %block)
; CHECK: call void @free(ptr %block)
