; Locations have been used by now, and go; a skeleton that is not valid would be refused.
; RUN: %opt -passes='memshape-operator<op>,memshape-verify' -S %s | FileCheck %s

define i64 @op(i64 %n) !dbg !3 {
  %twice = shl i64 %n, 1, !dbg !4
  ret i64 %twice, !dbg !4
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2)
!2 = !DIFile(filename: "op.c", directory: "/")
!3 = distinct !DISubprogram(name: "op", file: !2, line: 1, unit: !1)
!4 = !DILocation(line: 2, scope: !3)

; CHECK: define i64 @op(
; CHECK-NOT: !dbg
; CHECK: ret i64 %twice
