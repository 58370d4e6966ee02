// Operators of a library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

pub fn stack(x: &[f32], n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    for (i, v) in x.iter().enumerate() {
        sums[i % n] += *v as f64;
    }
    sums
}

pub mod inner {
    fn deepest(n: usize) -> usize {
        let all: Vec<u8> = vec![1; n];
        all.iter().map(|v| *v as usize).sum()
    }

    pub fn depth(n: usize) -> usize {
        deepest(n) + 1
    }
}
