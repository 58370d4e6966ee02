; Matrices and vectors of VNL.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; vnl_matrix, vnl_vector and vnl_svd, as ITK has them since 5.2; in others they are smaller. T is the type of elements in
; the linker's names, E in IR, B its bytes; of vnl_svd O is where its tolerance is, V whether it is valid, S its bytes.
; Bytes of the objects:
;
;   vnl_matrix   0 virtual functions    8 rows   12 columns   16 pointers to rows   24 whether the elements are its own
;   vnl_vector   0 virtual functions    8 elements            16 its elements       24 whether these are its own
;   vnl_svd      0 virtual functions    8 rows   12 columns   16 U   48 W   80 1/W   112 V   144 rank
;
; What LINPACK computes is data here. Where it fails, the library prints a matrix on std::cerr, which takes no memory.

; with T=f E=float B=4 O=168 V=176 S=177
; with T=d E=double B=8 O=176 V=184 S=185

define internal void @memshape_vnl_make_matrix_$T(ptr %this, i32 %rows, i32 %columns) {
  %rows.at = getelementptr inbounds i8, ptr %this, i64 8
  %columns.at = getelementptr inbounds i8, ptr %this, i64 12
  %data.at = getelementptr inbounds i8, ptr %this, i64 16
  %own.at = getelementptr inbounds i8, ptr %this, i64 24
  store i32 %rows, ptr %rows.at, align 8
  store i32 %columns, ptr %columns.at, align 4
  store i8 1, ptr %own.at, align 8
  %no.rows = icmp eq i32 %rows, 0
  %no.columns = icmp eq i32 %columns, 0
  %none = or i1 %no.rows, %no.columns
  br i1 %none, label %empty, label %filled

empty:
  %one = call ptr @_ZN12vnl_c_vectorI$TE13allocate_TptrEm(i64 1)
  store ptr null, ptr %one, align 8
  store ptr %one, ptr %data.at, align 8
  br label %end

filled:
  %wide = zext i32 %rows to i64
  %data = call ptr @_ZN12vnl_c_vectorI$TE13allocate_TptrEm(i64 %wide)
  store ptr %data, ptr %data.at, align 8
  %count = mul i32 %rows, %columns
  %many = zext i32 %count to i64
  %elements = call ptr @_ZN12vnl_c_vectorI$TE10allocate_TEm(i64 %many)
  br label %next

next:
  %row = phi i32 [ 0, %filled ], [ %row.next, %next ]
  %from = mul i32 %row, %columns
  %from.wide = zext i32 %from to i64
  %first = getelementptr $E, ptr %elements, i64 %from.wide
  %row.wide = zext i32 %row to i64
  %slot = getelementptr ptr, ptr %data, i64 %row.wide
  store ptr %first, ptr %slot, align 8
  %row.next = add i32 %row, 1
  %more = icmp ult i32 %row.next, %rows
  br i1 %more, label %next, label %end

end:
  ret void
}

; Its elements are data.
define internal void @memshape_vnl_compute_matrix_$T(ptr %this, i32 %rows, i32 %columns) {
  call void @memshape_vnl_make_matrix_$T(ptr %this, i32 %rows, i32 %columns)
  %data.at = getelementptr inbounds i8, ptr %this, i64 16
  %data = load ptr, ptr %data.at, align 8
  %elements = load ptr, ptr %data, align 8
  %count = mul i32 %rows, %columns
  %many = zext i32 %count to i64
  %bytes = mul i64 %many, $B
  call void asm sideeffect "# memshape.data", "r,r,~{memory}"(ptr %elements, i64 %bytes)
  ret void
}

define internal ptr @memshape_vnl_make_vector_$T(ptr %this, i64 %count) {
  %count.at = getelementptr inbounds i8, ptr %this, i64 8
  %data.at = getelementptr inbounds i8, ptr %this, i64 16
  %own.at = getelementptr inbounds i8, ptr %this, i64 24
  store i64 %count, ptr %count.at, align 8
  store i8 1, ptr %own.at, align 8
  store ptr null, ptr %data.at, align 8
  %none = icmp eq i64 %count, 0
  br i1 %none, label %empty, label %filled

filled:
  %data = call ptr @_ZN12vnl_c_vectorI$TE10allocate_TEm(i64 %count)
  store ptr %data, ptr %data.at, align 8
  %bytes = mul i64 %count, $B
  call void asm sideeffect "# memshape.data", "r,r,~{memory}"(ptr %data, i64 %bytes)
  ret ptr %data

empty:
  ret ptr null
}

define void @_ZN10vnl_matrixI$TED2Ev(ptr %this) "memshape-object"="0 25" {
  %rows.at = getelementptr inbounds i8, ptr %this, i64 8
  %columns.at = getelementptr inbounds i8, ptr %this, i64 12
  %data.at = getelementptr inbounds i8, ptr %this, i64 16
  %own.at = getelementptr inbounds i8, ptr %this, i64 24
  %data = load ptr, ptr %data.at, align 8
  %never = icmp eq ptr %data, null
  br i1 %never, label %end, label %filled

filled:
  %rows = load i32, ptr %rows.at, align 8
  %columns = load i32, ptr %columns.at, align 4
  %count = mul i32 %rows, %columns
  %wide = zext i32 %rows to i64
  %many = zext i32 %count to i64
  %no.rows = icmp eq i32 %rows, 0
  %no.columns = icmp eq i32 %columns, 0
  %none = or i1 %no.rows, %no.columns
  br i1 %none, label %empty, label %whose

empty:
  call void @_ZN12vnl_c_vectorI$TE10deallocateEPP$Tm(ptr %data, i64 1)
  br label %end

whose:
  %own = load i8, ptr %own.at, align 8
  %lent = icmp eq i8 %own, 0
  br i1 %lent, label %leave, label %free

free:
  %elements = load ptr, ptr %data, align 8
  call void @_ZN12vnl_c_vectorI$TE10deallocateEP$Tm(ptr %elements, i64 %many)
  call void @_ZN12vnl_c_vectorI$TE10deallocateEPP$Tm(ptr %data, i64 %wide)
  br label %end

leave:
  store i32 0, ptr %rows.at, align 8
  store i32 0, ptr %columns.at, align 4
  call void @_ZN12vnl_c_vectorI$TE10deallocateEPP$Tm(ptr %data, i64 0)
  br label %end

end:
  ret void
}

define void @_ZN10vnl_matrixI$TED1Ev(ptr %this) "memshape-object"="0 25" {
  call void @_ZN10vnl_matrixI$TED2Ev(ptr %this)
  ret void
}

define void @_ZN10vnl_vectorI$TED2Ev(ptr %this) "memshape-object"="0 25" {
  %count.at = getelementptr inbounds i8, ptr %this, i64 8
  %data.at = getelementptr inbounds i8, ptr %this, i64 16
  %own.at = getelementptr inbounds i8, ptr %this, i64 24
  %data = load ptr, ptr %data.at, align 8
  %never = icmp eq ptr %data, null
  br i1 %never, label %end, label %filled

filled:
  %own = load i8, ptr %own.at, align 8
  %lent = icmp eq i8 %own, 0
  br i1 %lent, label %leave, label %free

free:
  %count = load i64, ptr %count.at, align 8
  call void @_ZN12vnl_c_vectorI$TE10deallocateEP$Tm(ptr %data, i64 %count)
  br label %end

leave:
  store ptr null, ptr %data.at, align 8
  store i64 0, ptr %count.at, align 8
  br label %end

end:
  ret void
}

define void @_ZN10vnl_vectorI$TED1Ev(ptr %this) "memshape-object"="0 25" {
  call void @_ZN10vnl_vectorI$TED2Ev(ptr %this)
  ret void
}

; Five workspaces beside the copy of the matrix, all gone at the end.
define void @_ZN7vnl_svdI$TEC2ERK10vnl_matrixI$TEd(ptr %this, ptr %of, double %tolerance) "memshape-object"="0 $S" {
  %work = alloca [32 x i8], align 8
  %uspace = alloca [32 x i8], align 8
  %vspace = alloca [32 x i8], align 8
  %wspace = alloca [32 x i8], align 8
  %espace = alloca [32 x i8], align 8
  %rows.at = getelementptr inbounds i8, ptr %of, i64 8
  %columns.at = getelementptr inbounds i8, ptr %of, i64 12
  %rows = load i32, ptr %rows.at, align 8
  %columns = load i32, ptr %columns.at, align 4
  %n = zext i32 %rows to i64
  %p = zext i32 %columns to i64
  %this.rows = getelementptr inbounds i8, ptr %this, i64 8
  %this.columns = getelementptr inbounds i8, ptr %this, i64 12
  %u = getelementptr inbounds i8, ptr %this, i64 16
  %w = getelementptr inbounds i8, ptr %this, i64 48
  %inverse = getelementptr inbounds i8, ptr %this, i64 80
  %v = getelementptr inbounds i8, ptr %this, i64 112
  %rank.at = getelementptr inbounds i8, ptr %this, i64 144
  %tolerance.at = getelementptr inbounds i8, ptr %this, i64 $O
  %valid.at = getelementptr inbounds i8, ptr %this, i64 $V
  store i32 %rows, ptr %this.rows, align 8
  store i32 %columns, ptr %this.columns, align 4
  call void @memshape_vnl_compute_matrix_$T(ptr %u, i32 %rows, i32 %columns)
  %values = call ptr @memshape_vnl_make_vector_$T(ptr %w, i64 %p)
  %inverses = call ptr @memshape_vnl_make_vector_$T(ptr %inverse, i64 %p)
  call void @memshape_vnl_compute_matrix_$T(ptr %v, i32 %columns, i32 %columns)

  %count = mul i32 %rows, %columns
  %elements = zext i32 %count to i64
  %np = mul i64 %n, %p
  %pp = mul i64 %p, %p
  %n.one = add i64 %n, 1
  %mm = call i64 @llvm.smin.i64(i64 %n.one, i64 %p)
  %copy = call ptr @_ZN12vnl_c_vectorI$TE10allocate_TEm(i64 %elements)
  %a = call ptr @memshape_vnl_make_vector_$T(ptr %work, i64 %n)
  %b = call ptr @memshape_vnl_make_vector_$T(ptr %uspace, i64 %np)
  %c = call ptr @memshape_vnl_make_vector_$T(ptr %vspace, i64 %pp)
  %d = call ptr @memshape_vnl_make_vector_$T(ptr %wspace, i64 %mm)
  %e = call ptr @memshape_vnl_make_vector_$T(ptr %espace, i64 %p)
  %computed = load i8, ptr %values, align 1
  call void @_ZN10vnl_vectorI$TED2Ev(ptr %espace)
  call void @_ZN10vnl_vectorI$TED2Ev(ptr %wspace)
  call void @_ZN10vnl_vectorI$TED2Ev(ptr %vspace)
  call void @_ZN10vnl_vectorI$TED2Ev(ptr %uspace)
  call void @_ZN10vnl_vectorI$TED2Ev(ptr %work)
  call void @_ZN12vnl_c_vectorI$TE10deallocateEP$Tm(ptr %copy, i64 %elements)

  %rank = zext i8 %computed to i32
  store i32 %rank, ptr %rank.at, align 8
  %bit = and i8 %computed, 1
  store i8 %bit, ptr %valid.at, align 8
  %least = uitofp i8 %computed to double
  %relative = fcmp olt double %tolerance, 0.0
  %used = select i1 %relative, double %least, double %tolerance
  store double %used, ptr %tolerance.at, align 8
  ret void
}

define void @_ZN7vnl_svdI$TEC1ERK10vnl_matrixI$TEd(ptr %this, ptr %of, double %tolerance) "memshape-object"="0 $S" {
  call void @_ZN7vnl_svdI$TEC2ERK10vnl_matrixI$TEd(ptr %this, ptr %of, double %tolerance)
  ret void
}

; V * 1/W * the transposed U, with a matrix for each step.
define void @_ZNK7vnl_svdI$TE8pinverseEj(ptr %result, ptr %this, i32 %rank) "memshape-object"="1 $S" {
  %inverse = alloca [32 x i8], align 8
  %product = alloca [32 x i8], align 8
  %transposed = alloca [32 x i8], align 8
  %this.rows = getelementptr inbounds i8, ptr %this, i64 8
  %this.columns = getelementptr inbounds i8, ptr %this, i64 12
  %rows = load i32, ptr %this.rows, align 8
  %columns = load i32, ptr %this.columns, align 4
  call void @memshape_vnl_compute_matrix_$T(ptr %inverse, i32 %columns, i32 %columns)
  call void @memshape_vnl_compute_matrix_$T(ptr %product, i32 %columns, i32 %columns)
  call void @memshape_vnl_compute_matrix_$T(ptr %transposed, i32 %columns, i32 %rows)
  call void @memshape_vnl_compute_matrix_$T(ptr %result, i32 %columns, i32 %rows)
  call void @_ZN10vnl_matrixI$TED2Ev(ptr %transposed)
  call void @_ZN10vnl_matrixI$TED2Ev(ptr %product)
  call void @_ZN10vnl_matrixI$TED2Ev(ptr %inverse)
  ret void
}

define internal $E @memshape_vnl_element_$T(ptr %rows, i64 %row, i64 %column) {
  %row.at = getelementptr inbounds ptr, ptr %rows, i64 %row
  %first = load ptr, ptr %row.at, align 8
  %at = getelementptr inbounds $E, ptr %first, i64 %column
  %element = load $E, ptr %at, align $B
  ret $E %element
}

; Up to four rows by its definition, which is written out for up to three; others go through a decomposition.
define $E @_Z15vnl_determinantI$TET_RK10vnl_matrixIS0_Eb(ptr %of, i1 %balance) "memshape-object"="0 25" {
  %sum = alloca $E, align $B
  %qr = alloca [256 x i8], align 8
  %rows.at = getelementptr inbounds i8, ptr %of, i64 8
  %data.at = getelementptr inbounds i8, ptr %of, i64 16
  %rows = load i32, ptr %rows.at, align 8
  %data = load ptr, ptr %data.at, align 8
  switch i32 %rows, label %decomposed [
    i32 1, label %one
    i32 2, label %two
    i32 3, label %three
    i32 4, label %four
  ]

one:
  %only = call $E @memshape_vnl_element_$T(ptr %data, i64 0, i64 0)
  ret $E %only

two:
  %two.00 = call $E @memshape_vnl_element_$T(ptr %data, i64 0, i64 0)
  %two.01 = call $E @memshape_vnl_element_$T(ptr %data, i64 0, i64 1)
  %two.10 = call $E @memshape_vnl_element_$T(ptr %data, i64 1, i64 0)
  %two.11 = call $E @memshape_vnl_element_$T(ptr %data, i64 1, i64 1)
  %two.a = fmul $E %two.00, %two.11
  %two.b = fmul $E %two.01, %two.10
  %two.all = fsub $E %two.a, %two.b
  ret $E %two.all

three:
  %x00 = call $E @memshape_vnl_element_$T(ptr %data, i64 0, i64 0)
  %x01 = call $E @memshape_vnl_element_$T(ptr %data, i64 0, i64 1)
  %x02 = call $E @memshape_vnl_element_$T(ptr %data, i64 0, i64 2)
  %x10 = call $E @memshape_vnl_element_$T(ptr %data, i64 1, i64 0)
  %x11 = call $E @memshape_vnl_element_$T(ptr %data, i64 1, i64 1)
  %x12 = call $E @memshape_vnl_element_$T(ptr %data, i64 1, i64 2)
  %x20 = call $E @memshape_vnl_element_$T(ptr %data, i64 2, i64 0)
  %x21 = call $E @memshape_vnl_element_$T(ptr %data, i64 2, i64 1)
  %x22 = call $E @memshape_vnl_element_$T(ptr %data, i64 2, i64 2)
  %m0 = fmul $E %x00, %x11
  %t0 = fmul $E %m0, %x22
  %m1 = fmul $E %x00, %x21
  %t1 = fmul $E %m1, %x12
  %m2 = fmul $E %x10, %x01
  %t2 = fmul $E %m2, %x22
  %m3 = fmul $E %x10, %x21
  %t3 = fmul $E %m3, %x02
  %m4 = fmul $E %x20, %x01
  %t4 = fmul $E %m4, %x12
  %m5 = fmul $E %x20, %x11
  %t5 = fmul $E %m5, %x02
  %s1 = fsub $E %t0, %t1
  %s2 = fsub $E %s1, %t2
  %s3 = fadd $E %s2, %t3
  %s4 = fadd $E %s3, %t4
  %s5 = fsub $E %s4, %t5
  ret $E %s5

four:
  call void asm sideeffect "# memshape.data", "r,r,~{memory}"(ptr %sum, i64 $B)
  %four.all = load $E, ptr %sum, align $B
  ret $E %four.all

decomposed:
  call void @_ZN6vnl_qrI$TEC1ERK10vnl_matrixI$TE(ptr %qr, ptr %of)
  %found = call $E @_ZNK6vnl_qrI$TE11determinantEv(ptr %qr)
  ret $E %found
}

declare ptr @_ZN12vnl_c_vectorI$TE13allocate_TptrEm(i64)
declare ptr @_ZN12vnl_c_vectorI$TE10allocate_TEm(i64)
declare void @_ZN12vnl_c_vectorI$TE10deallocateEP$Tm(ptr, i64)
declare void @_ZN12vnl_c_vectorI$TE10deallocateEPP$Tm(ptr, i64)
declare void @_ZN6vnl_qrI$TEC1ERK10vnl_matrixI$TE(ptr, ptr)
declare $E @_ZNK6vnl_qrI$TE11determinantEv(ptr)
