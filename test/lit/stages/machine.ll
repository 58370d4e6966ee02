; Functions whose answer is the machine's are listed; the code stays.
; RUN: %opt -passes='memshape-operator<op>,memshape-machine,memshape-document' -S %s 2>&1 | FileCheck %s

define i64 @op(i64 %n) {
  %pages = call i64 @sysconf(i32 30)
  ret i64 %pages
}
declare i64 @sysconf(i32)

; CHECK: "machine": [
; CHECK: "sysconf"
; CHECK: define i64 @op(
; CHECK-NEXT: %pages = call i64 @sysconf(i32 30)
