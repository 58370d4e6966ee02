; One class of file streams.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; C is the class, F where its FILE is, B the part that all streams have.

; unless stringstreamIc stringbufIc
; with C=14basic_ifstream F=120 B=256
; with C=14basic_ofstream F=112 B=248
; with C=13basic_fstream F=128 B=264

@memshape_table_$C = constant { i64, ptr, ptr, ptr, ptr } { i64 $B, ptr null, ptr null, ptr @_ZNSt$CIcSt11char_traitsIcEED1Ev, ptr @_ZNSt$CIcSt11char_traitsIcEED0Ev }

define void @_ZNSt$CIcSt11char_traitsIcEEC1Ev(ptr %this) {
  %table = getelementptr i8, ptr @memshape_table_$C, i64 24
  store ptr %table, ptr %this
  %file = getelementptr i8, ptr %this, i64 $F
  store ptr null, ptr %file
  %buffer = getelementptr i8, ptr %file, i64 8
  store ptr null, ptr %buffer
  %base = getelementptr i8, ptr %this, i64 $B
  call void @memshape_prepare(ptr %base)
  %taken = call i32 @memshape_outcome()
  %characters = zext i32 %taken to i64
  %last = getelementptr i8, ptr %this, i64 8
  store i64 %characters, ptr %last
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  call void @_ZNSt$CIcSt11char_traitsIcEEC1Ev(ptr %this)
  %file = getelementptr i8, ptr %this, i64 $F
  call void @memshape_fill(ptr %file)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  call void @_ZNSt$CIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  %file = getelementptr i8, ptr %this, i64 $F
  call void @memshape_empty_out(ptr %file)
  call void @memshape_fill(ptr %file)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  call void @_ZNSt$CIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this) {
  %file = getelementptr i8, ptr %this, i64 $F
  call void @memshape_empty_out(ptr %file)
  ret void
}

define i1 @_ZNSt$CIcSt11char_traitsIcEE7is_openEv(ptr %this) {
  %file = getelementptr i8, ptr %this, i64 $F
  %open = call i1 @_ZNKSt12__basic_fileIcE7is_openEv(ptr %file)
  ret i1 %open
}

define i1 @_ZNKSt$CIcSt11char_traitsIcEE7is_openEv(ptr %this) {
  %open = call i1 @_ZNSt$CIcSt11char_traitsIcEE7is_openEv(ptr %this)
  ret i1 %open
}

define void @_ZNSt$CIcSt11char_traitsIcEED1Ev(ptr %this) {
  call void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEED2Ev(ptr %this, ptr %tables) {
  call void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEED0Ev(ptr %this) {
  call void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this)
  call void @free(ptr %this)
  ret void
}
