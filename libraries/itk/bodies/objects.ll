; What ITK's base classes do.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; unless ObjectFactoryBase15RegisterFactory ObjectFactoryBase23RegisterFactoryInternal ObjectFactoryBaseC2Ev
;
; LightObject, Object and DataObject of ITK 5, of which every class of ITK is derived. Bytes of an object:
;
;   0 virtual functions    8 references   16 time stamp   40 name
;  72 who made it         80 its name    112 time stamp  136 flags  144 time stamp
;
; Messages and observers are off, and there is no dictionary: what switches them on or makes one has no body, so that a
; call of it is unknown. The constructors of classes that are derived set the virtual functions.

@memshape_itk_time = internal global i64 0
declare void @_ZdlPvm(ptr, i64)

; Whether a factory replaces a class.
define void @_ZN3itk17ObjectFactoryBase14CreateInstanceEPKc(ptr %object, ptr %class) "memshape-assumes"="taken for granted: no object factory that the program registers replaces a class of ITK" {
  store ptr null, ptr %object, align 8
  ret void
}

define void @_ZN3itk9TimeStamp8ModifiedEv(ptr %stamp) {
  %last = load i64, ptr @memshape_itk_time, align 8
  %now = add i64 %last, 1
  store i64 %now, ptr @memshape_itk_time, align 8
  store i64 %now, ptr %stamp, align 8
  ret void
}

define internal void @memshape_itk_empty_string(ptr %string) {
  %room = getelementptr inbounds i8, ptr %string, i64 16
  %length = getelementptr inbounds i8, ptr %string, i64 8
  store ptr %room, ptr %string, align 8
  store i64 0, ptr %length, align 8
  store i8 0, ptr %room, align 8
  ret void
}

define internal void @memshape_itk_end_string(ptr %string) {
  %room = getelementptr inbounds i8, ptr %string, i64 16
  %text = load ptr, ptr %string, align 8
  %inside = icmp eq ptr %text, %room
  br i1 %inside, label %end, label %free

free:
  %capacity = load i64, ptr %room, align 8
  %bytes = add i64 %capacity, 1
  call void @_ZdlPvm(ptr %text, i64 %bytes)
  br label %end

end:
  ret void
}

; Object, and LightObject in it.

define void @_ZN3itk6ObjectC2Ev(ptr %this) {
  %references = getelementptr inbounds i8, ptr %this, i64 8
  %debug = getelementptr inbounds i8, ptr %this, i64 12
  %time = getelementptr inbounds i8, ptr %this, i64 16
  %observers = getelementptr inbounds i8, ptr %this, i64 24
  %dictionary = getelementptr inbounds i8, ptr %this, i64 32
  %name = getelementptr inbounds i8, ptr %this, i64 40
  store i32 1, ptr %references, align 8
  store i8 0, ptr %debug, align 4
  store ptr null, ptr %observers, align 8
  store ptr null, ptr %dictionary, align 8
  call void @memshape_itk_empty_string(ptr %name)
  call void @_ZN3itk9TimeStamp8ModifiedEv(ptr %time)
  ret void
}

define void @_ZN3itk6ObjectD2Ev(ptr %this) {
  %name = getelementptr inbounds i8, ptr %this, i64 40
  call void @memshape_itk_end_string(ptr %name)
  ret void
}

define void @_ZNK3itk6Object8RegisterEv(ptr %this) {
  %references = getelementptr inbounds i8, ptr %this, i64 8
  %old = load i32, ptr %references, align 8
  %new = add nsw i32 %old, 1
  store i32 %new, ptr %references, align 8
  ret void
}

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

define void @_ZNK3itk6Object8ModifiedEv(ptr %this) {
  %time = getelementptr inbounds i8, ptr %this, i64 16
  call void @_ZN3itk9TimeStamp8ModifiedEv(ptr %time)
  ret void
}

define i64 @_ZNK3itk6Object8GetMTimeEv(ptr %this) {
  %time = getelementptr inbounds i8, ptr %this, i64 16
  %stamp = load i64, ptr %time, align 8
  ret i64 %stamp
}

define ptr @_ZNK3itk6Object12GetTimeStampEv(ptr %this) {
  %time = getelementptr inbounds i8, ptr %this, i64 16
  ret ptr %time
}

define void @_ZN3itk6Object12SetTimeStampERKNS_9TimeStampE(ptr %this, ptr %stamp) {
  %time = getelementptr inbounds i8, ptr %this, i64 16
  %value = load i64, ptr %stamp, align 8
  store i64 %value, ptr %time, align 8
  ret void
}

define i1 @_ZNK3itk6Object8GetDebugEv(ptr %this) {
  ret i1 false
}

define i1 @_ZN3itk6Object23GetGlobalWarningDisplayEv() {
  ret i1 true
}

; DataObject

define void @_ZN3itk10DataObjectC2Ev(ptr %this) {
  %source = getelementptr inbounds i8, ptr %this, i64 72
  %name = getelementptr inbounds i8, ptr %this, i64 80
  %updated = getelementptr inbounds i8, ptr %this, i64 112
  %flags = getelementptr inbounds i8, ptr %this, i64 136
  %pipeline = getelementptr inbounds i8, ptr %this, i64 144
  call void @_ZN3itk6ObjectC2Ev(ptr %this)
  store ptr null, ptr %source, align 8
  call void @memshape_itk_empty_string(ptr %name)
  store i64 0, ptr %updated, align 8
  store i16 0, ptr %flags, align 8
  store i64 0, ptr %pipeline, align 8
  ret void
}

define void @_ZN3itk10DataObjectD2Ev(ptr %this) {
  %name = getelementptr inbounds i8, ptr %this, i64 80
  call void @memshape_itk_end_string(ptr %name)
  call void @_ZN3itk6ObjectD2Ev(ptr %this)
  ret void
}

define void @_ZN3itk10DataObject10InitializeEv(ptr %this) {
  ret void
}

define i64 @_ZNK3itk10DataObject14GetUpdateMTimeEv(ptr %this) {
  %updated = getelementptr inbounds i8, ptr %this, i64 112
  %stamp = load i64, ptr %updated, align 8
  ret i64 %stamp
}

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
