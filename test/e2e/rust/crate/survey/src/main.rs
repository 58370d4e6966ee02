// A program that calls them, with an operator of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

fn energy(n: usize, m: usize) -> f64 {
    let x = vec![1.0f32; n * m];
    traces::stack(&x, m).iter().sum()
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    println!("{} {}", energy(n, 3), traces::inner::depth(n));
}
