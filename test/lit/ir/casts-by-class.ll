; A dynamic_cast whose outcome follows from the class of each object that it can be given is replaced by it.
; RUN: %opt -passes='memshape-operator<op>,memshape-resolve' -S %s | FileCheck %s

@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]
@_ZTI5Shape = internal constant { ptr, ptr } { ptr getelementptr (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr null }
@_ZTI4Grid = internal constant { ptr, ptr, ptr } { ptr getelementptr (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr null, ptr @_ZTI5Shape }
@_ZTI4Cube = internal constant { ptr, ptr, ptr } { ptr getelementptr (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr null, ptr @_ZTI4Grid }
@_ZTI4Line = internal constant { ptr, ptr, ptr } { ptr getelementptr (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr null, ptr @_ZTI5Shape }
@_ZTI5Other = external constant ptr
@_ZTI4Odd = internal constant { ptr, ptr, ptr } { ptr getelementptr (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr null, ptr @_ZTI5Other }
@_ZTV4Cube = internal constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @_ZTI4Cube, ptr @size] }
@_ZTV4Odd = internal constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @_ZTI4Odd, ptr @size] }
declare ptr @__dynamic_cast(ptr, ptr, ptr, i64)
declare void @keep(ptr)

define internal i64 @size(ptr %this) {
  ret i64 8
}

define void @op(i64 %n) {
  %cube = alloca { ptr, i64 }
  %odd = alloca ptr
  store ptr getelementptr inbounds (i8, ptr @_ZTV4Cube, i64 16), ptr %cube, !tbaa !0
  store ptr getelementptr inbounds (i8, ptr @_ZTV4Odd, i64 16), ptr %odd, !tbaa !0
  call void @keep(ptr %cube)
  call void @keep(ptr %odd)
; A Cube is a Grid, and no Line. What the bases of an Odd are is unknown.
; CHECK: call void @keep(ptr{{.*}} [[CUBE:%.*]])
; CHECK: call void @keep(ptr{{.*}} [[ODD:%.*]])
; CHECK-NEXT: call void @keep(ptr{{.*}} [[CUBE]])
; CHECK-NEXT: call void @keep(ptr null)
; CHECK-NEXT: [[MAYBE:%.*]] = call ptr @__dynamic_cast(ptr{{.*}} [[ODD]],
; CHECK-NEXT: call void @keep(ptr [[MAYBE]])
  %grid = call ptr @__dynamic_cast(ptr %cube, ptr @_ZTI5Shape, ptr @_ZTI4Grid, i64 0)
  call void @keep(ptr %grid)
  %line = call ptr @__dynamic_cast(ptr %cube, ptr @_ZTI5Shape, ptr @_ZTI4Line, i64 0)
  call void @keep(ptr %line)
  %maybe = call ptr @__dynamic_cast(ptr %odd, ptr @_ZTI5Shape, ptr @_ZTI4Line, i64 0)
  call void @keep(ptr %maybe)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
