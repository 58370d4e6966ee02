; Plans of CUDA's libraries.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What they take of the host and of the device is theirs to decide: sizes from data, until the handle or the plan is
; destroyed. A plan of cuFFT is a number. Its memory is in a table: a block of the host, the work area, and whether the
; caller provides that one (cufftSetAutoAllocation).

@memshape_cufft_plans = internal global [64 x { ptr, ptr, i32 }] zeroinitializer
declare i32 @cudaFree(ptr)

define i64 @memshape_cuda_area() {
  %place = alloca i64
  call void @memshape_gpu_other(ptr %place)
  %workspace = load i64, ptr %place
  ret i64 %workspace
}

define i32 @cufftCreate(ptr %plan) {
entry:
  br label %try
try:
  %i = phi i64 [ 0, %entry ], [ %next, %used ]
  %at = getelementptr { ptr, ptr, i32 }, ptr @memshape_cufft_plans, i64 %i
  %own = load ptr, ptr %at
  %free = icmp eq ptr %own, null
  br i1 %free, label %found, label %used
used:
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, 63
  br i1 %last, label %found, label %try
found:
  %slot = phi i64 [ %i, %try ], [ 63, %used ]
  %host = call i64 @memshape_cuda_area()
  %more = add i64 %host, 1
  %block = call ptr @malloc(i64 %more)
  %entry.at = getelementptr { ptr, ptr, i32 }, ptr @memshape_cufft_plans, i64 %slot
  %area.at = getelementptr i8, ptr %entry.at, i64 8
  %manual.at = getelementptr i8, ptr %entry.at, i64 16
  store ptr %block, ptr %entry.at
  store ptr null, ptr %area.at
  store i32 0, ptr %manual.at
  %number = trunc i64 %slot to i32
  store i32 %number, ptr %plan
  ret i32 0
}

define i32 @cufftSetAutoAllocation(i32 %plan, i32 %automatic) {
  %manual = icmp eq i32 %automatic, 0
  %flag = zext i1 %manual to i32
  %slot = and i32 %plan, 63
  %entry.at = getelementptr { ptr, ptr, i32 }, ptr @memshape_cufft_plans, i32 %slot
  %manual.at = getelementptr i8, ptr %entry.at, i64 16
  store i32 %flag, ptr %manual.at
  ret i32 0
}

define i32 @memshape_cufft_make(i32 %plan, ptr %bytes) {
entry:
  %area = call i64 @memshape_cuda_area()
  store i64 %area, ptr %bytes
  %slot = and i32 %plan, 63
  %entry.at = getelementptr { ptr, ptr, i32 }, ptr @memshape_cufft_plans, i32 %slot
  %manual.at = getelementptr i8, ptr %entry.at, i64 16
  %flag = load i32, ptr %manual.at
  %automatic = icmp eq i32 %flag, 0
  br i1 %automatic, label %take, label %done
take:
  %area.at = getelementptr i8, ptr %entry.at, i64 8
  %status = call i32 @cudaMalloc(ptr %area.at, i64 %area)
  br label %done
done:
  ret i32 0
}

define i32 @memshape_cufft_plan(ptr %plan) {
  %bytes = alloca i64
  %status = call i32 @cufftCreate(ptr %plan)
  %number = load i32, ptr %plan
  %made = call i32 @memshape_cufft_make(i32 %number, ptr %bytes)
  ret i32 0
}

define i32 @cufftDestroy(i32 %plan) {
  %slot = and i32 %plan, 63
  %entry.at = getelementptr { ptr, ptr, i32 }, ptr @memshape_cufft_plans, i32 %slot
  %area.at = getelementptr i8, ptr %entry.at, i64 8
  %area = load ptr, ptr %area.at
  %status = call i32 @cudaFree(ptr %area)
  %block = load ptr, ptr %entry.at
  call void @free(ptr %block)
  store ptr null, ptr %entry.at
  ret i32 0
}

define i32 @cufftPlan1d(ptr %plan, i32 %nx, i32 %type, i32 %batch) {
  %status = call i32 @memshape_cufft_plan(ptr %plan)
  ret i32 %status
}

define i32 @cufftMakePlan1d(i32 %plan, i32 %nx, i32 %type, i32 %batch, ptr %bytes) {
  %status = call i32 @memshape_cufft_make(i32 %plan, ptr %bytes)
  ret i32 %status
}

define i32 @cufftPlan2d(ptr %plan, i32 %nx, i32 %ny, i32 %type) {
  %status = call i32 @memshape_cufft_plan(ptr %plan)
  ret i32 %status
}

define i32 @cufftMakePlan2d(i32 %plan, i32 %nx, i32 %ny, i32 %type, ptr %bytes) {
  %status = call i32 @memshape_cufft_make(i32 %plan, ptr %bytes)
  ret i32 %status
}

define i32 @cufftPlan3d(ptr %plan, i32 %nx, i32 %ny, i32 %nz, i32 %type) {
  %status = call i32 @memshape_cufft_plan(ptr %plan)
  ret i32 %status
}

define i32 @cufftMakePlan3d(i32 %plan, i32 %nx, i32 %ny, i32 %nz, i32 %type, ptr %bytes) {
  %status = call i32 @memshape_cufft_make(i32 %plan, ptr %bytes)
  ret i32 %status
}

define i32 @cufftPlanMany(ptr %plan, i32 %rank, ptr %n, ptr %inembed, i32 %istride, i32 %idist, ptr %onembed,
                          i32 %ostride, i32 %odist, i32 %type, i32 %batch) {
  %status = call i32 @memshape_cufft_plan(ptr %plan)
  ret i32 %status
}

define i32 @cufftMakePlanMany(i32 %plan, i32 %rank, ptr %n, ptr %inembed, i32 %istride, i32 %idist, ptr %onembed,
                              i32 %ostride, i32 %odist, i32 %type, i32 %batch, ptr %bytes) {
  %status = call i32 @memshape_cufft_make(i32 %plan, ptr %bytes)
  ret i32 %status
}
