// Sizes from addresses, bits, rounding and assembly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

NUMBER(tensor_address) { return (uintptr_t)in >> 4 & 63; }
NUMBER(tensor_alignment) { return (uintptr_t)in & 63; }
NUMBER(tensor_offset_from_aligned) { const float *a = (const float *)(((uintptr_t)in + 63) & ~(uintptr_t)63); return (unsigned long)(a - in); }
NUMBER(tensor_rounded_fivefold) { return ((((uintptr_t)in + 63) & ~(uintptr_t)63) - (uintptr_t)in) * 5 >> 2; }
NUMBER(tensor_bit_flipped) { return (((uintptr_t)in ^ 32) - (uintptr_t)in) >> 3 & 63; }
NUMBER(tensor_negated) { return ((uintptr_t)0 - (uintptr_t)in - (uintptr_t)out) >> 2 & 63; }
NUMBER(tensor_distance) { return ((uintptr_t)out - (uintptr_t)in) >> 2 & 127; }
NUMBER(tensor_distance_in_ints) { return (unsigned long)((uintptr_t)state - (uintptr_t)ints) / 4 & 31; }
NUMBER(tensor_order) { return (uintptr_t)in < (uintptr_t)out ? 5 : 40; }
NUMBER(tensor_overlap) { return (uintptr_t)in < (uintptr_t)(out + 16) && (uintptr_t)out < (uintptr_t)(in + 1024) ? 33 : 2; }
NUMBER(tensor_same) { return (const void *)in == (const void *)out ? 60 : 7; }
NUMBER(tensor_is_own) { static float kept$[8]; return out == kept$ ? 5 : (uintptr_t)in > (uintptr_t)kept$ ? 9 : 2; }
NUMBER(tensor_xor) { return ((uintptr_t)in ^ (uintptr_t)ints) >> 6 & 63; }
NUMBER(tensor_cancels, shape) { return ((uintptr_t)(in + n) - (uintptr_t)in) & 255; }
NUMBER(tensor_cancels_by_xor, shape) { uintptr_t k = (uintptr_t)out; return (k ^ (uintptr_t)out) + (unsigned)m; }
NUMBER(tensor_modulo) { return (uintptr_t)text / 8 % 7; }
NUMBER(tensor_as_float) { float f = (float)(uintptr_t)in; return (unsigned long)f >> 24 & 31; }
NUMBER(tensor_as_bytes) { unsigned char b[8]; const void *p = in; memcpy(b, &p, 8); return b[2]; }
NUMBER(tensor_through_union) { union { const float *p; unsigned short h[4]; } u; u.p = in; return u.h[1] & 63; }
NUMBER(block_address) { unsigned long x = 0; char *p = (char *)malloc(24); p[0] = text[0]; x = ((uintptr_t)p >> 4) % 7; out[0] += p[0]; free(p); return x; }
NUMBER(block_page) { unsigned long x = 0; char *p = (char *)malloc(shape + 8); p[0] = text[0]; x = (uintptr_t)p & 4095; out[0] += p[0]; free(p); return x; }
NUMBER(block_low_bits, shape) { unsigned long x = 0; char *p = (char *)malloc(shape + 8); p[0] = text[0]; x = ((uintptr_t)p & 7) + (unsigned)n;
  out[0] += p[0]; free(p); return x; }
NUMBER(block_order) { unsigned long x = 0; char *p = (char *)malloc(40), *q = (char *)malloc(40); p[0] = text[0]; q[0] = text[1];
  x = (uintptr_t)p < (uintptr_t)q ? 5 : 30; out[0] += p[0] + q[0]; free(p); free(q); return x; }
NUMBER(block_distance) { unsigned long x = 0; char *p = (char *)malloc(40), *q = (char *)malloc(56); p[0] = text[0]; q[0] = text[1];
  x = ((uintptr_t)q - (uintptr_t)p) & 1023; out[0] += p[0] + q[0]; free(p); free(q); return x; }
NUMBER(block_reused) { unsigned long x = 0; char *p = (char *)malloc(shape + 20); p[0] = text[0]; out[0] += p[0]; uintptr_t k = (uintptr_t)p; free(p);
  char *q = (char *)malloc(shape + 20); q[0] = text[1]; out[1] += q[0]; x = k == (uintptr_t)q ? 50 : 3; free(q); return x; }
NUMBER(block_moved) { unsigned long x = 0; char *p = (char *)malloc(shape + 20); p[0] = text[0]; uintptr_t k = (uintptr_t)p;
  char *q = (char *)realloc(p, shape + 400); x = k == (uintptr_t)q ? 44 : 6; out[0] += q[0]; free(q); return x; }
NUMBER(block_printed) { char *p = (char *)malloc(16), b[32]; p[0] = text[0]; snprintf(b, sizeof b, "%p", (void *)p); out[0] += p[0]; free(p);
  return (unsigned char)b[9] & 31; }
NUMBER(block_printed_length) { unsigned long x = 0; char *p = (char *)malloc(16), b[32]; p[0] = text[0]; x = (unsigned)snprintf(b, sizeof b, "%p", (void *)p);
  out[0] += p[0]; free(p); return x; }
NUMBER(block_usable) { unsigned long x = 0; char *p = (char *)malloc(shape + 9); p[0] = text[0]; x = malloc_usable_size(p) > 30 ? 3 : 4; out[0] += p[0];
  free(p); return x; }
NUMBER(frame_address) { return (uintptr_t)__builtin_frame_address(0) >> 4 & 31; }
NUMBER(return_address) { return (uintptr_t)__builtin_return_address(0) >> 3 & 31; }
NUMBER(local_address) { unsigned long x = 0; int local = n; int *volatile p = &local; x = (uintptr_t)p >> 5 & 31; out[0] += (float)*p; return x; }
NUMBER(local_distance) { unsigned long x = 0; char a[24], b[40]; char *volatile p = a, *volatile q = b; *p = text[0]; *q = text[1];
  x = ((uintptr_t)p - (uintptr_t)q) & 255; out[0] += *p + *q; return x; }
NUMBER(frame_to_local) { unsigned long x = 0; int local = n; int *volatile p = &local; x = ((uintptr_t)__builtin_frame_address(0) - (uintptr_t)p) >> 2 & 63;
  out[0] += (float)*p; return x; }
NUMBER(alloca_address) { unsigned long x = 0; char *p = (char *)alloca((shape & 63) + 1); p[0] = text[0]; x = (uintptr_t)p >> 4 & 31; out[0] += p[0];
  return x; }
NUMBER(alloca_contents, shape) { unsigned long x = 0; char *p = (char *)alloca((shape & 63) + 1); memset(p, 2, (shape & 63) + 1); for (unsigned i = 0;
  i <= (shape & 63); ++i) x += (unsigned)p[i]; return x; }
static void NOINLINE someone$(float *o) { o[5] += 1; }
NUMBER(function_address) { unsigned long x = 0; x = (uintptr_t)&someone$ >> 4 & 63; someone$(out); return x; }
static void NOINLINE one$(float *o) { o[5] += 1; }
static void NOINLINE two$(float *o) { o[6] += 2; }
NUMBER(function_distance) { unsigned long x = 0; x = ((uintptr_t)&two$ - (uintptr_t)&one$) >> 4 & 63; one$(out); two$(out); return x; }
NUMBER(variable_address) { static float own$[8]; own$[n & 7] = 1; return (uintptr_t)own$ >> 6 & 63; }
int left$ = 3, right$ = 4;
NUMBER(variable_distance) { left$ += n & 1; right$ += m & 1; return ((uintptr_t)&right$ - (uintptr_t)&left$) & 63; }
NUMBER(literal_address) { const char *volatile a = "some text", *volatile b = "some text"; return a == b ? 6 : 27; }
NUMBER(library_address) { return (uintptr_t)&qsort >> 12 & 63; }
NUMBER(stream_address) { return (uintptr_t)stderr >> 4 & 63; }
NUMBER(alias_ints) { ints[0] = n & 31; state[0] = 9; return (unsigned)ints[0]; }
NUMBER(alias_ints_later) { ints[3] = n & 31; for (int i = 0; i < 6; ++i) state[i] = m + i; return (unsigned)ints[3] & 63; }
NUMBER(alias_floats) { out[0] = (float)(n & 31); float before = out[0]; return (unsigned)before + (in[0] == before ? 30 : 0); }
NUMBER(alias_characters) { ints[2] = n & 31; text[8] = 77; return (unsigned)ints[2]; }
NUMBER(alias_apart, shape) { ints[0] = n & 31; out[0] = 8.5f; return (unsigned)ints[0]; }
NUMBER(alias_copy) { memmove(out, in, 16); out[1] = 20; return (unsigned long)whole(out[1]) + (in[1] == 20 ? 9 : 0); }
#define TABLE$ hostile_exposed
NUMBER(alias_own_table) { TABLE$[4] = n & 31; state[4] = 60; return (unsigned)TABLE$[4]; }
NUMBER(alias_own_floats) { hostile_exposed_floats[3] = (float)(m & 31); out[3] = 50; return (unsigned long)whole(hostile_exposed_floats[3]); }
NUMBER(alias_kept_tensor) { static int *last$; unsigned long x = 0; if (last$) last$[5] = 44; state[5] = n & 31; if (last$) last$[5] += 1;
  x = (unsigned)state[5] & 63; last$ = state; return x; }
NUMBER(alias_memmove) { state[0] = n & 15; state[1] = 7; memmove(ints + 1, ints, 8); return (unsigned)state[0] & 63; }
NUMBER(rounded_lrint, fenv) { return (unsigned long)lrint(n / 3.0); }
NUMBER(rounded_rint, fenv) { return (unsigned long)rint(n * 0.37) + (unsigned long)nearbyintf((float)m / 7.f); }
NUMBER(rounded_division, fenv) { volatile double d = n; double q = d / 3.0; unsigned long b; memcpy(&b, &q, 8); return b & 63; }
NUMBER(rounded_to_float, fenv) { volatile int k = 16777217 + n * 2; float f = (float)k; return (unsigned long)f & 63; }
NUMBER(rounded_text, fenv) { char b[40]; snprintf(b, sizeof b, "%.1f", n / 8.0 + 0.05); return (unsigned char)b[strlen(b) - 1]; }
NUMBER(rounded_strtod, fenv) { double d = strtod("0.1", 0); unsigned long b; memcpy(&b, &d, 8); return b & 63; }
NUMBER(rounding_mode, fenv) { return (unsigned)fegetround() / 1024 + 1; }
NUMBER(rounding_constant, fenv) { return (unsigned)(FLT_ROUNDS + 3) * 5; }
NUMBER(rounding_set_here, fenv) { unsigned long x = 0; int old = fegetround(); fesetround(FE_UPWARD); x = (unsigned long)lrint(n / 3.0); fesetround(old);
  return x; }
NUMBER(rounding_saved, fenv) { fenv_t e; fegetenv(&e); fesetround(FE_DOWNWARD); volatile double d = n; d = d / 7; fesetenv(&e); return (unsigned long)rint(d); }
NUMBER(flags_of_caller, fenv) { return (unsigned)fetestexcept(FE_DIVBYZERO | FE_OVERFLOW) & 63; }
NUMBER(flags_of_data, fenv) { feclearexcept(FE_ALL_EXCEPT); volatile float f = AT(in, shape); f = f * 3.3f; return fetestexcept(FE_INEXACT) ? 31 : 4; }
NUMBER(flags_of_shape, fenv) { feclearexcept(FE_ALL_EXCEPT); volatile double d = n; d = d / 3.0; return fetestexcept(FE_INEXACT) ? 31 : 4; }
NUMBER(control_word, x86, fenv) { return _mm_getcsr() >> 6 & 127; }
NUMBER(assembly_reads, x86) { int k; __asm__("movl (%1),%0" : "=r"(k) : "r"(ints) : "memory"); return (unsigned)k & 63; }
NUMBER(assembly_operand, x86) { int k; __asm__("movl %1,%0" : "=r"(k) : "m"(ints[3])); return (unsigned)k & 63; }
NUMBER(assembly_identity, x86) { int k = n; __asm__("" : "+r"(k)); return (unsigned)k & 63; }
NUMBER(assembly_adds, x86) { int k = n; __asm__("addl %1,%0" : "+r"(k) : "r"(ints[2])); return (unsigned)k & 63; }
NUMBER(assembly_changes_memory, x86) { static int counted$; __asm__ volatile("incl %0" : "+m"(counted$)); return (unsigned)counted$ & 31; }
NUMBER(assembly_clobber, x86) { int k = n & 15; int *p = &k; __asm__ volatile("addl $3,(%0)" : : "r"(p) : "memory"); return (unsigned)k; }
NUMBER(assembly_stack, x86) { uintptr_t s; __asm__ volatile("movq %%rsp,%0" : "=r"(s)); return s >> 4 & 31; }
NUMBER(assembly_canary, x86) { uintptr_t s; __asm__ volatile("movq %%fs:0x28,%0" : "=r"(s)); return s >> 8 & 31; }
static int NOINLINE jumped$(int v) { __asm__ goto("testl $1,%0; jnz %l[odd]" : : "r"(v) : : odd); return 3; odd: return 29; }
NUMBER(assembly_goto, x86) { return (unsigned)jumped$(ints[1]); }
NUMBER(time_stamp, x86) { return __rdtsc() >> 4 & 63; }
NUMBER(time_stamp_processor, x86) { unsigned a = 0; return (__rdtscp(&a) >> 4 & 31) + a; }
NUMBER(cycle_counter) { return __builtin_readcyclecounter() & 63; }
NUMBER(flags_register, x86) { return __builtin_ia32_readeflags_u64() & 64 ? 20 : 3; }
NUMBER(processor_number, x86) { unsigned a, b, c, d; __cpuid_count(1, 0, a, b, c, d); return b >> 24; }
NUMBER(thread_pointer) { return (uintptr_t)__builtin_thread_pointer() >> 6 & 63; }
NUMBER(processor_supports, x86) { return __builtin_cpu_supports("avx2") ? 40 : 20; }
NUMBER(pun_ints_as_shorts) { int w[4] = {n, m * 70000, 3, 4}; w[2] = AT(ints, 1); short h[8]; memcpy(h, w, sizeof w); return (unsigned)h[shape & 7] & 63; }
NUMBER(pun_shape_as_shorts, shape) { int w[4] = {n, m * 70000, 3, 4}; short h[8]; memcpy(h, w, sizeof w); return (unsigned)h[shape & 7] & 63; }
NUMBER(pun_buffer) { unsigned long x = 0; int *w = (int *)malloc(64); for (int i = 0; i < 16; ++i) w[i] = i * 70000 + n; w[5] = AT(ints, 2);
  unsigned char b[64]; memcpy(b, w, 64); for (int i = 16; i < 24; ++i) x += b[i]; free(w); return x; }
NUMBER(pun_union_float) { union { float f; unsigned u; } v; v.f = AT(in, shape); return v.u >> 23 & 63; }
NUMBER(pun_union_shape, shape) { union { float f; unsigned u; } v; v.f = (float)n; return v.u >> 20 & 63; }
NUMBER(pun_characters) { int w[2] = {n & 31, m}; ((unsigned char *)w)[0] = (unsigned char)text[3]; return (unsigned)w[0] & 63; }
NUMBER(pun_partial_copy) { int w[2] = {n & 31, m}; memcpy((char *)w + 1, text, 2); return (unsigned)w[0] >> 4 & 63; }
NUMBER(pun_long_of_ints) { int w[2] = {n, AT(ints, 4)}; unsigned long l; memcpy(&l, w, 8); return l >> 30 & 63; }
NUMBER(pun_double_of_long, finite) { unsigned long l = (unsigned long)(unsigned)AT(ints, 5) << 32 | (unsigned)n; double d; memcpy(&d, &l, 8);
  return d > 1.5 ? 30 : 4; }
NUMBER(pun_pointer_parts) { unsigned long x = 0; char *p = (char *)malloc(16); *p = text[0]; unsigned half[2]; memcpy(half, &p, 8); x = half[0] >> 6 & 63;
  out[0] += *p; free(p); return x; }
NUMBER(pun_bit_fields) { struct { unsigned a : 5, b : 9, c : 18; } f; memset(&f, 0, sizeof f); f.a = (unsigned)n; f.b = (unsigned)AT(ints, 3); f.c = 7;
  unsigned u; memcpy(&u, &f, 4); return u >> 3 & 127; }
NUMBER(pun_bit_fields_shape, shape) { struct { unsigned a : 5, b : 9, c : 18; } f; memset(&f, 0, sizeof f); f.a = (unsigned)n; f.b = (unsigned)m; f.c = 7;
  return f.a * 3 + f.b; }
NUMBER(pun_byte_swap) { return __builtin_bswap32((unsigned)AT(ints, shape)) & 63; }
NUMBER(pun_byte_swap_shape, shape) { return __builtin_bswap32((unsigned)n * 40503u) & 63; }
NUMBER(pun_endianness, shape) { unsigned u = 0x01020304u + (unsigned)n; unsigned char b[4]; memcpy(b, &u, 4); return b[0]; }
NUMBER(pun_struct_copy) { struct pair { int extent; float value; } p, q; p.extent = n & 31; p.value = AT(in, 3); memcpy(&q, &p, sizeof q); unsigned u;
  memcpy(&u, (char *)&q + 4, 4); return (unsigned)q.extent + (u >> 30); }
NUMBER(pun_array_of_records) { struct { float v; int k; } r[4]; for (int i = 0; i < 4; ++i) { r[i].v = AT(in, i); r[i].k = n + i; } int w[8];
  memcpy(w, r, 32); return (unsigned)w[(shape) & 7] & 63; }
NUMBER(pun_floats_hold_sizes) { float f[4] = {(float)n, (float)m, AT(in, 2), 3.f}; float g[4]; memcpy(g, f, 16);
  return (unsigned long)whole(g[shape & 3]) & 63; }
NUMBER(pun_shifted_halves) { unsigned u = (unsigned)AT(ints, 6); unsigned long l = (unsigned long)u << 32 | (unsigned)m; return l >> 16 & 0xff; }
NUMBER(pun_masked_away, shape) { unsigned u = (unsigned)AT(ints, 6); return ((u << 8 | (unsigned)m) & 0xff) + (u & 0); }
NUMBER(fast_sum, shape, fast) { float s = 0; for (int i = 0; i < n; ++i) s += (float)(i % 7) * 0.1f * 1.1f; return (unsigned long)(s * 1e4f) % 1000; }
NUMBER(fast_sum_of_array, shape, fast) { float g[64]; for (int i = 0; i < 64; ++i) g[i] = (float)((i * m) % 13) * 0.3f; float s = 0; for (int i = 0;
  i < (n & 63); ++i) s += g[i] * 1.7f; return (unsigned long)(s * 1e4f) % 777; }
NUMBER(fast_division, shape, fast) { float s = 0; for (int i = 1; i <= n; ++i) s += 1.0f / (float)(i + m); return (unsigned long)(s * 1e6f) % 500; }
NUMBER(fast_reassociation, shape, fast) { volatile float v = 1e8f; float b = v, a = (float)n * 0.7f; return (unsigned long)whole(((a + b) - b) * 4) & 63; }
NUMBER(fast_contraction, shape, fast) { volatile double v = 1.0 / 3; double a = v, b = (double)n / 3; double c = a * b - (double)n / 9;
  return c > 0 ? 20 : c < 0 ? 30 : 40; }
NUMBER(fast_sqrt, shape, fast) { float s = 0; for (int i = 0; i < n; ++i) s += sqrtf((float)(i + m)) / (1.f + (float)i);
  return (unsigned long)(s * 1e5f) % 333; }
NUMBER(fast_sine, shape, fast) { double s = 0; for (int i = 0; i < n; ++i) s += sin((double)i * m); return (unsigned long)(fabs(s) * 1e9) % 333; }
NUMBER(fma_of_shape, shape) { return (unsigned long)(fma((double)n, 1.1, (double)m / 7) * 1e6) % 200; }
NUMBER(long_double, shape) { long double d = 1.0L; for (int i = 1; i <= (n & 31); ++i) d += 1.0L / (long double)i; return (unsigned long)(d * 1e15L) % 300; }
NUMBER(long_double_of_data, finite) { long double d = (long double)AT(in, shape) * 3.7L; return d > 1.5L ? 9 : 30; }
NUMBER(quad_precision, shape) { __float128 d = (__float128)n / 7; return (unsigned long)(d * 1e6) % 200; }
NUMBER(half_precision, x86) { _Float16 h = (_Float16)(float)n; return (unsigned long)(float)(h / (_Float16)3.0f * (_Float16)10.f) & 127; }
NUMBER(alias_kept_block) { if (!hostile_kept) hostile_kept = (int *)calloc(1024, 4); hostile_kept[3] = n & 31; state[3] = 50;
  return (unsigned)hostile_kept[3]; }
NUMBER(alias_record) { struct pair { int extent, other; } *p = (struct pair *)ints; p->extent = n & 31; state[0] = 50; return (unsigned)p->extent; }
NUMBER(text_of_address) { unsigned long x = 0; char b[40]; snprintf(b, sizeof b, "%p", (const void *)in); for (char *c = b; *c;
  ++c) x += (unsigned char)*c & 3; return x; }
NUMBER(address_parity_of_blocks) { unsigned long x = 0; void *p[4]; for (int i = 0; i < 4; ++i) { p[i] = malloc(32); *(char *)p[i] = text[i]; }
  for (int i = 0; i < 4; ++i) { x += (uintptr_t)p[i] >> 5 & 1; out[i] += *(char *)p[i]; free(p[i]); } return x; }
NUMBER(address_sorted_tensors) { const void *p[3] = {in, ints, text}; if ((uintptr_t)p[0] > (uintptr_t)p[1]) { const void *t = p[0]; p[0] = p[1]; p[1] = t; }
  return p[0] == (const void *)in ? 9 : 35; }
NUMBER(address_in_a_hash) { unsigned long h = 1469598103934665603u; uintptr_t a = (uintptr_t)text; for (int i = 0; i < 8;
  ++i) h = (h ^ (a >> 8 * i & 255)) * 1099511628211u; return h >> 40 & 63; }
NUMBER(address_of_row) { const float *row = in + n; return ((uintptr_t)row & 31) / 4; }
NUMBER(address_to_align, shape) { char *b = (char *)malloc(shape + 64), *a = (char *)(((uintptr_t)b + 31) & ~(uintptr_t)31); *a = text[0]; out[0] += *a;
  free(b); return (unsigned)n; }
NUMBER(pointer_loop, shape) { unsigned long x = 0; const float *p = in, *e = in + (n & 63); while (p != e) { ++p; ++x; } return x; }
NUMBER(pointer_loop_backwards, shape) { unsigned long x = 0; float w[64]; for (int i = 0; i < 64; ++i) w[i] = 1; const float *p = w + (n & 63);
  while (p > w) { --p; x += 2; } return x; }
NUMBER(reciprocal_estimate, x86) { return (unsigned long)(_mm_cvtss_f32(_mm_rcp_ss(_mm_set_ss((float)n))) * 1e6f) % 500; }
NUMBER(denormal_of_shape, fenv) { volatile double d = 1e-300 * n; d = d * 1e-15; return d > 0 ? 30 : 4; }
NUMBER(x87_of_shape, x86) { long double d; __asm__("fldpi" : "=t"(d)); return (unsigned long)(d * n) & 127; }
NUMBER(bits_of_carry, x86) { unsigned long long r; unsigned char c = _addcarry_u64(0, (unsigned long long)n << 60, (unsigned long long)m << 60, &r);
  return c + (unsigned)n; }
NUMBER(checksum_instruction, x86) { unsigned long x = 0; __asm__("crc32l %1,%0" : "+r"(*(unsigned *)&x) : "r"(n)); x &= 127; return x; }
NUMBER(blocks_in_order) { unsigned long x = 0; char *p = (char *)malloc(40), *q = (char *)malloc(40), *r = (char *)malloc(40); *p = text[0]; *q = text[1];
  *r = text[2]; x = ((uintptr_t)p < (uintptr_t)q) == ((uintptr_t)q < (uintptr_t)r) ? 5 : 40; out[0] += *p + *q + *r; free(p); free(q); free(r); return x; }
NUMBER(block_in_the_middle) { unsigned long x = 0; char *b[3]; for (int i = 0; i < 3; ++i) { b[i] = (char *)malloc(40); *b[i] = (char)(i * 9 + 3); }
  qsort(b, 3, sizeof *b, ordered); x = (unsigned)*b[1]; for (int i = 0; i < 3; ++i) free(b[i]); return x; }
NUMBER(blocks_beside_each_other) { unsigned long x = 0; char *p = (char *)malloc(40), *q = (char *)malloc(40); *p = text[0]; *q = text[1];
  x = (uintptr_t)q - (uintptr_t)p < 4096 ? 5 : 40; out[0] += *p + *q; free(p); free(q); return x; }
NUMBER(rounded_in_the_first_call, fenv) { static long kept$; if (!kept$) { volatile double d = n; kept$ = lrint(d / 3.0 + 0.2); } return (unsigned long)kept$; }
NUMBER(rounded_by_instruction, fenv, x86) { return (unsigned)_mm_cvtss_si32(_mm_set_ss((float)n / 3.0f)); }
NUMBER(sign_of_nothing, finite) { volatile float z = 0; float q = z / z; return signbit(q) ? 50 : 4; }
NUMBER(sign_of_nothing_from_shape, finite) { float s = 0; for (int i = 0; i < n; ++i) s += (float)(i - i); float q = s / s; return signbit(q) ? 50 : 4; }
NUMBER(vector_functions, fast) { unsigned long x = 0; double g[64]; for (int i = 0; i < 64; ++i) g[i] = sin((double)(i * n + m)) * exp((double)(i % 5));
  for (int i = 0; i < 64; ++i) { unsigned long b; memcpy(&b, &g[i], 8); x += b & 31; } return x; }
NUMBER(assembly_cpuid_and_time, x86) { unsigned a = 0, d; __asm__ volatile("cpuid\n\trdtsc" : "+a"(a), "=d"(d) : : "rbx", "rcx"); return (a ^ d) >> 4 & 63; }
NUMBER(assembly_comment, x86) { int k; __asm__("movl (%1),%0 # unlike cpuid" : "=r"(k) : "r"(ints) : "memory"); return (unsigned)k & 63; }
NUMBER(assembly_identity_of_data, x86) { int k = AT(ints, shape); __asm__("" : "+r"(k)); return (unsigned)k & 63; }
NUMBER(assembly_output_alone, x86) { int k = n; __asm__("" : "=r"(k) : "0"(ints[1])); return (unsigned)k & 63; }
NUMBER(pun_byte_loop) { unsigned u = 0; float f = AT(in, shape); for (unsigned k = 0; k < 4; ++k) ((unsigned char *)&u)[k] = ((unsigned char *)&f)[k];
  return u >> 20 & 63; }
NUMBER(pun_bytes_mixed_in) { int w[4] = {n, m, 3, 4}; for (int k = 0; k < (n & 7); ++k) ((unsigned char *)w)[k] ^= (unsigned char)text[k];
  return (unsigned)w[0] & 63; }
NUMBER(pun_text_into_ints) { int w[8] = {n, m, 3, 4}; WORD(b, shape); strcpy((char *)w, b); return (unsigned)w[0] >> 3 & 63; }
NUMBER(pun_printed_into_ints) { int w[8] = {n, m, 3, 4}; snprintf((char *)w, 12, "%d", AT(ints, shape)); return (unsigned)w[0] & 63; }
NUMBER(pun_length_in_floats) { float f[4] = {1, 2, 3, 4}; int k = n & 31; memcpy(f + 1, &k, 4); f[0] = AT(in, 1); float g[4]; memcpy(g, f, sizeof g); int r;
  memcpy(&r, g + 1, 4); return (unsigned)r; }
NUMBER(pun_swapped_records) { struct { int extent; float value; } r[2] = {{n & 31, AT(in, 1)}, {m & 31, AT(in, 2)}}; char t[8]; memcpy(t, r, 8);
  memcpy(r, r + 1, 8); memcpy(r + 1, t, 8); return (unsigned)r[shape & 1].extent + (r[0].value > 1 ? 30u : 0u); }
NUMBER(variable_array_size) { int v[(AT(ints, shape) & 15) + 1]; v[0] = n; return sizeof v + (unsigned)(v[0] & 1); }
NUMBER(number_beside_data, shape) { unsigned long x = 0; int *a = (int *)calloc(64, 4); a[3] = n; for (int i = 8; i < 40; ++i) a[i] = AT(ints, i);
  x = (unsigned)a[3]; out[0] += (float)a[9]; free(a); return x; }
NUMBER(number_under_data) { unsigned long x = 0; int *a = (int *)calloc(64, 4); a[3] = n; for (int i = 40; i > (m & 3); i -= 1) a[i] = AT(ints, i);
  x = (unsigned)a[3] & 63; out[0] += (float)a[9]; free(a); return x; }
NUMBER(number_where_data_says) { unsigned long x = 0; int *a = (int *)calloc(64, 4); a[3] = n; a[AT(ints, shape) & 7] = m; x = (unsigned)a[3] & 63;
  out[0] += (float)a[9]; free(a); return x; }
NUMBER(number_copied_from_data) { unsigned long x = 0; int *a = (int *)calloc(64, 4); a[3] = n; for (int i = 8; i < 40; ++i) a[i] = AT(ints, i);
  memmove(a, a + (n & 15), 64); x = (unsigned)a[3] & 63; free(a); return x; }
NUMBER(number_of_grown_array, shape) { unsigned long x = 0; int *a = (int *)malloc(16); a[0] = 1; for (int i = 0; i < n;
  ++i) { if (a[0] % 3 == 0) a = (int *)realloc(a, 4 * (size_t)(a[0] + 4)); a[a[0]] = AT(ints, i); a[0]++; } x = (unsigned)a[0]; out[0] += (float)a[a[0] - 1];
  free(a); return x; }
NUMBER(data_in_moved_block) { unsigned long x = 0; int *a = (int *)malloc(64); for (int i = 0; i < 16; ++i) a[i] = AT(ints, i); a = (int *)realloc(a, 256);
  x = (unsigned)a[n & 15] & 63; free(a); return x; }
