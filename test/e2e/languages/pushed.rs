// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#[no_mangle]
pub extern "C" fn pushed(x: *const f32, n: usize) -> f64 {
    let mut all: Vec<f32> = Vec::new();
    for value in unsafe { std::slice::from_raw_parts(x, n) } {
        all.push(*value);
    }
    all.reverse();
    all.iter().map(|value| f64::from(*value)).sum()
}
