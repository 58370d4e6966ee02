; Virtual functions of ITK's base classes.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Bytes of an object: 0 virtual functions, 8 references. See objects.c.

@memshape_unless = constant [100 x i8] c"ObjectFactoryBase15RegisterFactory ObjectFactoryBase23RegisterFactoryInternal ObjectFactoryBaseC2Ev\00"

define void @_ZNK3itk6Object10UnRegisterEv(ptr %this) {
  %references = getelementptr inbounds i8, ptr %this, i64 8
  %old = load i32, ptr %references, align 8
  %new = add nsw i32 %old, -1
  store i32 %new, ptr %references, align 8
  %last = icmp slt i32 %new, 1
  br i1 %last, label %delete, label %end

delete:
  %functions = load ptr, ptr %this, align 8, !tbaa !0
  %place = getelementptr inbounds i8, ptr %functions, i64 64
  %destructor = load ptr, ptr %place, align 8
  call void %destructor(ptr %this)
  br label %end

end:
  ret void
}

define void @_ZN3itk11LightObject6DeleteEv(ptr %this) {
  %functions = load ptr, ptr %this, align 8, !tbaa !0
  %place = getelementptr inbounds i8, ptr %functions, i64 32
  %unregister = load ptr, ptr %place, align 8
  call void %unregister(ptr %this)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
