; What CUDA's runtime allocates and says of a device.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; As the CUDA C++ Programming Guide and the reference of the runtime describe them. Device 0 is the current one. The
; functions memshape_gpu_* are answered by the runner: multiprocessors, ten times the compute capability, the version of
; PTX that kernels come from, the bytes that pitches are multiples of, and devices. Numbers of attributes are those of enum
; cudaDeviceAttr; what has the same value on every device since compute capability 3.0 is a constant here. Other
; attributes are data, as is what memshape_gpu_other writes.

declare i32 @cudaMalloc(ptr, i64)
declare i32 @memshape_gpu_sm()
declare i32 @memshape_gpu_cc()
declare i32 @memshape_gpu_ptx()
declare i64 @memshape_gpu_pitch()
declare i32 @memshape_gpu_gpus()
declare void @memshape_gpu_other(ptr)

define i32 @cudaMallocPitch(ptr %block, ptr %pitch, i64 %width, i64 %height) {
  %unit = call i64 @memshape_gpu_pitch()
  %less = sub i64 %unit, 1
  %more = add i64 %width, %less
  %units = udiv i64 %more, %unit
  %row = mul i64 %units, %unit
  store i64 %row, ptr %pitch
  %bytes = mul i64 %row, %height
  %status = call i32 @cudaMalloc(ptr %block, i64 %bytes)
  ret i32 %status
}

define i32 @cudaMalloc3D(ptr %block, ptr %extent) {
  %height.place = getelementptr i8, ptr %extent, i64 8
  %depth.place = getelementptr i8, ptr %extent, i64 16
  %width = load i64, ptr %extent
  %height = load i64, ptr %height.place
  %depth = load i64, ptr %depth.place
  %rows = mul i64 %height, %depth
  %pitch = getelementptr i8, ptr %block, i64 8
  %status = call i32 @cudaMallocPitch(ptr %block, ptr %pitch, i64 %width, i64 %rows)
  %xsize = getelementptr i8, ptr %block, i64 16
  %ysize = getelementptr i8, ptr %block, i64 24
  store i64 %width, ptr %xsize
  store i64 %height, ptr %ysize
  ret i32 %status
}

define void @cudaCreateChannelDesc(ptr %made, i32 %x, i32 %y, i32 %z, i32 %w, i32 %kind) {
  %y.place = getelementptr i8, ptr %made, i64 4
  %z.place = getelementptr i8, ptr %made, i64 8
  %w.place = getelementptr i8, ptr %made, i64 12
  %kind.place = getelementptr i8, ptr %made, i64 16
  store i32 %x, ptr %made
  store i32 %y, ptr %y.place
  store i32 %z, ptr %z.place
  store i32 %w, ptr %w.place
  store i32 %kind, ptr %kind.place
  ret void
}

; Bytes of all elements, without what the layout of the device adds. Sparse and deferred arrays have none of their own.
; Formats behind the fourth kind are planar or compressed: their size is data.
define i32 @memshape_array(ptr %array, ptr %channels, i64 %width, i64 %height, i64 %depth, i32 %flags) {
entry:
  %other = alloca i64
  %y.place = getelementptr i8, ptr %channels, i64 4
  %z.place = getelementptr i8, ptr %channels, i64 8
  %w.place = getelementptr i8, ptr %channels, i64 12
  %kind.place = getelementptr i8, ptr %channels, i64 16
  %x = load i32, ptr %channels
  %y = load i32, ptr %y.place
  %z = load i32, ptr %z.place
  %w = load i32, ptr %w.place
  %kind = load i32, ptr %kind.place
  %xy = add i32 %x, %y
  %xyz = add i32 %xy, %z
  %xyzw = add i32 %xyz, %w
  %element = lshr i32 %xyzw, 3
  %wide = zext i32 %element to i64
  %rows = call i64 @llvm.umax.i64(i64 %height, i64 1)
  %planes = call i64 @llvm.umax.i64(i64 %depth, i64 1)
  %line = mul i64 %wide, %width
  %plane = mul i64 %line, %rows
  %all = mul i64 %plane, %planes
  %strange = icmp ugt i32 %kind, 3
  br i1 %strange, label %unknown, label %known
unknown:
  call void @memshape_gpu_other(ptr %other)
  %some = load i64, ptr %other
  br label %known
known:
  %size = phi i64 [ %all, %entry ], [ %some, %unknown ]
  %kept = and i32 %flags, 192
  %bare = icmp eq i32 %kept, 0
  %bytes = select i1 %bare, i64 %size, i64 0
  %status = call i32 @cudaMalloc(ptr %array, i64 %bytes)
  ret i32 %status
}
declare i64 @llvm.umax.i64(i64, i64)

define i32 @cudaMallocArray(ptr %array, ptr %channels, i64 %width, i64 %height, i32 %flags) {
  %status = call i32 @memshape_array(ptr %array, ptr %channels, i64 %width, i64 %height, i64 1, i32 %flags)
  ret i32 %status
}

define i32 @cudaMalloc3DArray(ptr %array, ptr %channels, ptr %extent, i32 %flags) {
  %height.place = getelementptr i8, ptr %extent, i64 8
  %depth.place = getelementptr i8, ptr %extent, i64 16
  %width = load i64, ptr %extent
  %height = load i64, ptr %height.place
  %depth = load i64, ptr %depth.place
  %status = call i32 @memshape_array(ptr %array, ptr %channels, i64 %width, i64 %height, i64 %depth, i32 %flags)
  ret i32 %status
}

define i32 @cudaGetDevice(ptr %device) {
  store i32 0, ptr %device
  ret i32 0
}

define i32 @cudaGetDeviceCount(ptr %count) {
  %gpus = call i32 @memshape_gpu_gpus()
  store i32 %gpus, ptr %count
  ret i32 0
}

define i32 @cudaDeviceGetAttribute(ptr %value, i32 %attribute, i32 %device) {
  switch i32 %attribute, label %other [
    i32 1, label %threads
    i32 2, label %threads
    i32 3, label %threads
    i32 4, label %block.z
    i32 5, label %grid.x
    i32 6, label %grid
    i32 7, label %grid
    i32 8, label %shared
    i32 10, label %warp
    i32 16, label %multiprocessors
    i32 41, label %one
    i32 75, label %major
    i32 76, label %minor
  ]
threads:
  store i32 1024, ptr %value
  ret i32 0
block.z:
  store i32 64, ptr %value
  ret i32 0
grid.x:
  store i32 2147483647, ptr %value
  ret i32 0
grid:
  store i32 65535, ptr %value
  ret i32 0
shared:
  store i32 49152, ptr %value
  ret i32 0
warp:
  store i32 32, ptr %value
  ret i32 0
one:
  store i32 1, ptr %value
  ret i32 0
multiprocessors:
  %sm = call i32 @memshape_gpu_sm()
  store i32 %sm, ptr %value
  ret i32 0
major:
  %cc = call i32 @memshape_gpu_cc()
  %first = udiv i32 %cc, 10
  store i32 %first, ptr %value
  ret i32 0
minor:
  %again = call i32 @memshape_gpu_cc()
  %second = urem i32 %again, 10
  store i32 %second, ptr %value
  ret i32 0
other:
  call void @memshape_gpu_other(ptr %value)
  ret i32 0
}

; cudaFuncAttributes: PTX at 32, machine code at 36.
define i32 @cudaFuncGetAttributes(ptr %attributes, ptr %kernel) {
  call void @memshape_gpu_other(ptr %attributes)
  %ptx.place = getelementptr i8, ptr %attributes, i64 32
  %ptx = call i32 @memshape_gpu_ptx()
  store i32 %ptx, ptr %ptx.place
  ret i32 0
}
