// Operators in Rust, and a program that counts what one call of each requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::cell::RefCell;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;

#[no_mangle]
#[inline(never)]
fn tables(n: usize, m: usize) -> f64 {
    let all: Vec<f64> = vec![1.0; n * m];
    let mut some: Vec<f32> = Vec::with_capacity(n);
    for i in 0..n {
        some.push(all[i * m / 2] as f32);
    }
    some.iter().map(|x| *x as f64).sum::<f64>() + all[0]
}

#[no_mangle]
#[inline(never)]
fn pushes(n: usize) -> usize {
    let mut all = Vec::new();
    for i in 0..n {
        all.push(i * 3);
    }
    let mut even = Vec::new();
    for i in &all {
        if i % 2 == 0 {
            even.push(*i as u32);
        }
    }
    all.len() + even.len()
}

#[no_mangle]
#[inline(never)]
fn collects(n: usize) -> Vec<f64> {
    let all: Vec<usize> = (0..n).collect();
    all.iter().map(|x| *x as f64 * 0.5).collect()
}

#[no_mangle]
#[inline(never)]
fn nested(n: u32, m: u32) -> usize {
    let rows: Vec<Vec<u16>> = (0..n).map(|i| vec![i as u16; (i % m + 1) as usize]).collect();
    let flat: Vec<u16> = rows.iter().flatten().copied().collect();
    flat.len()
}

#[no_mangle]
#[inline(never)]
fn boxes(n: usize, m: usize) -> Box<[f32]> {
    let rows: Vec<Box<[f32]>> = (0..n).map(|_| vec![0.0f32; m].into_boxed_slice()).collect();
    let mut sums = vec![0.0f32; m].into_boxed_slice();
    for row in &rows {
        for j in 0..m {
            sums[j] += row[j];
        }
    }
    sums
}

struct Link {
    value: u64,
    next: Option<Box<Link>>,
}

#[no_mangle]
#[inline(never)]
fn chain(n: usize) -> u64 {
    let mut first: Option<Box<Link>> = None;
    for i in 0..n {
        first = Some(Box::new(Link { value: i as u64, next: first }));
    }
    let mut sum = 0;
    while let Some(link) = first {
        sum += link.value;
        first = link.next;
    }
    sum
}

trait Shape {
    fn corners(&self) -> Vec<f32>;
}
struct Square(f32);
struct Ring(usize);
impl Shape for Square {
    fn corners(&self) -> Vec<f32> {
        vec![self.0; 8]
    }
}
impl Shape for Ring {
    fn corners(&self) -> Vec<f32> {
        vec![1.0; 2 * self.0]
    }
}

#[no_mangle]
#[inline(never)]
fn shapes(n: usize) -> f32 {
    let all: Vec<Box<dyn Shape>> =
        (0..n).map(|i| if i % 2 == 0 { Box::new(Square(2.0)) as Box<dyn Shape> } else { Box::new(Ring(i)) }).collect();
    all.iter().map(|s| s.corners()[0]).sum()
}

#[no_mangle]
#[inline(never)]
fn counts(n: usize) -> usize {
    let mut all: HashMap<usize, f64> = HashMap::new();
    for i in 0..n {
        all.insert(i, i as f64);
    }
    all.len()
}

#[no_mangle]
#[inline(never)]
fn groups(n: usize) -> usize {
    let mut all: HashMap<u64, Vec<u32>> = HashMap::with_capacity(n);
    for i in 0..n {
        all.insert(i as u64, vec![0; 4]);
    }
    let seen: HashSet<u64> = all.keys().copied().collect();
    seen.len()
}

#[no_mangle]
#[inline(never)]
fn text(n: usize) -> String {
    let mut all = String::new();
    for _ in 0..n {
        all.push_str("abcde");
    }
    let copy = all.clone();
    copy + "x"
}

#[no_mangle]
#[inline(never)]
fn upper(name: &str, n: usize) -> String {
    name.to_uppercase().repeat(n)
}

#[no_mangle]
#[inline(never)]
fn sorted(x: &[f64]) -> Vec<f64> {
    let mut all = x.to_vec();
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all
}

#[no_mangle]
#[inline(never)]
fn median(x: &[u32]) -> u32 {
    let mut all: Vec<u32> = x.iter().copied().collect();
    all.sort_unstable();
    all[all.len() / 2]
}

struct Node {
    values: Vec<f32>,
    next: Option<Rc<Node>>,
}

#[no_mangle]
#[inline(never)]
fn graph(n: usize, m: usize) -> f32 {
    let shared: Arc<Vec<f32>> = Arc::new(vec![1.0; m]);
    let mut first: Option<Rc<Node>> = None;
    let mut all = Vec::new();
    for _ in 0..n {
        let node = Rc::new(Node { values: vec![0.0; m], next: first.clone() });
        first = Some(node.clone());
        all.push((node, Arc::clone(&shared)));
    }
    all.iter().map(|a| a.0.values[0] + a.1[0] + a.0.next.is_some() as u8 as f32).sum()
}

#[no_mangle]
#[inline(never)]
fn cells(n: usize) -> usize {
    let all: Vec<Rc<RefCell<Vec<u8>>>> = (0..n).map(|_| Rc::new(RefCell::new(Vec::new()))).collect();
    for (i, each) in all.iter().enumerate() {
        each.borrow_mut().extend(std::iter::repeat(7u8).take(i));
    }
    all.iter().map(|each| each.borrow().len()).sum()
}

#[no_mangle]
#[inline(never)]
fn threads(n: usize, t: usize) -> f64 {
    let data = vec![1.0f64; n];
    let mut sums = vec![0.0f64; t];
    std::thread::scope(|s| {
        for (k, out) in sums.iter_mut().enumerate() {
            let data = &data;
            s.spawn(move || {
                let local: Vec<f64> = data.iter().map(|x| x * k as f64).collect();
                *out = local.iter().sum();
            });
        }
    });
    sums.iter().sum()
}

fn merge_sort<T: Copy + PartialOrd>(v: &[T]) -> Vec<T> {
    if v.len() <= 1 {
        return v.to_vec();
    }
    let (left, right) = v.split_at(v.len() / 2);
    let (a, b) = (merge_sort(left), merge_sort(right));
    let mut out = Vec::with_capacity(v.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            out.push(a[i]);
            i += 1
        } else {
            out.push(b[j]);
            j += 1
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

#[no_mangle]
#[inline(never)]
fn merged(x: &[i32]) -> Vec<i32> {
    merge_sort(x)
}

mod filters {
    #[inline(never)]
    pub fn smooth(x: &[f32], y: &mut [f32], width: usize) {
        let mut sums = vec![0f64; x.len() + 1];
        for (i, v) in x.iter().enumerate() {
            sums[i + 1] = sums[i] + *v as f64;
        }
        let window = vec![1f32; width];
        for (i, out) in y.iter_mut().enumerate() {
            *out = (sums[(i + 1).min(x.len())] as f32) * window[i % width];
        }
    }
}

#[no_mangle]
#[inline(never)]
fn positives(x: &[f32]) -> Vec<f32> {
    x.iter().copied().filter(|v| *v > 0.0).collect()
}

#[no_mangle]
#[inline(never)]
fn places(x: &[f32]) -> Vec<usize> {
    x.iter().enumerate().filter(|(_, v)| **v > 0.0).map(|(i, _)| i).collect()
}

#[no_mangle]
#[inline(never)]
fn normalised(v: &Vec<f64>) -> Vec<f64> {
    let total: f64 = v.iter().sum();
    v.iter().map(|x| x / total).collect()
}

#[no_mangle]
#[inline(never)]
fn doubled(mut v: Vec<f32>) -> Vec<f32> {
    let copy = v.clone();
    v.extend_from_slice(&copy);
    v
}

#[no_mangle]
#[inline(never)]
fn appended(v: &mut Vec<u16>, s: String, n: usize) -> String {
    for i in 0..n {
        v.push(i as u16);
    }
    s + "!"
}

struct Matrix {
    rows: usize,
    cols: usize,
    scale: f64,
    name: [u8; 4],
    data: Vec<f64>,
}

impl Matrix {
    #[no_mangle]
    #[inline(never)]
    fn turned(&self, times: usize) -> Matrix {
        let mut data = vec![0.0; self.rows * self.cols * times];
        for i in 0..self.rows {
            for j in 0..self.cols {
                data[j * self.rows + i] = self.data[i * self.cols + j] * self.scale;
            }
        }
        Matrix { rows: self.cols, cols: self.rows, scale: 1.0, name: self.name, data }
    }
}

/// As wide as a cache line: no block of the C library's realloc would lie so.
#[repr(align(64))]
struct Line([f32; 16]);

#[no_mangle]
#[inline(never)]
fn aligned(n: usize) -> f32 {
    let mut lines = Vec::new();
    for i in 0..n {
        lines.push(Line([i as f32; 16]));
    }
    lines.reserve_exact(1);
    lines[n / 2].0[3]
}

/// What is caught may have been thrown.
#[no_mangle]
#[inline(never)]
fn caught(x: &[u32]) -> usize {
    let one = x[0];
    let ended = std::panic::catch_unwind(move || {
        if one == 5 {
            std::panic::resume_unwind(Box::new(()))
        }
    });
    vec![1u8; if ended.is_ok() { x.len() } else { 50 * x.len() }].len()
}

#[no_mangle]
#[inline(never)]
fn queue(n: usize) -> usize {
    let mut waiting = VecDeque::new();
    let mut done = 0;
    for i in 0..n {
        waiting.push_back(i);
        if i % 3 == 2 {
            done += waiting.pop_front().unwrap();
        }
    }
    done + waiting.len()
}

#[no_mangle]
#[inline(never)]
fn heap(n: u32) -> u64 {
    let mut all = BinaryHeap::with_capacity(n as usize);
    for i in 0..n {
        all.push((i * 7919) % 101);
    }
    let mut sum = 0;
    while let Some(v) = all.pop() {
        sum += v as u64;
    }
    sum
}

#[no_mangle]
#[inline(never)]
fn tree(n: u32) -> u64 {
    let mut all = BTreeMap::new();
    for i in 0..n {
        all.insert(i, i as u64);
    }
    all.values().sum()
}

#[repr(C)]
struct Requested {
    peak: i64,
    total: i64,
    requests: i64,
    reallocations: i64,
    left: i64,
}

extern "C" {
    fn counting_begin();
    fn counting_end() -> Requested;
}

fn numbers<T>(n: usize, make: impl Fn(i64) -> T) -> Vec<T> {
    (0..n as i64).map(|i| make((i * 7919 + 13) % 1009 - 400)).collect()
}

/// One call; what it returns lives until it has been counted.
fn call(name: &str, a: &[usize]) -> Requested {
    macro_rules! counted {
        ($call:expr) => {{
            unsafe { counting_begin() };
            let result = black_box($call);
            let found = unsafe { counting_end() };
            drop(result);
            found
        }};
    }
    match name {
        "tables" => counted!(tables(a[0], a[1])),
        "pushes" => counted!(pushes(a[0])),
        "collects" => counted!(collects(a[0])),
        "nested" => counted!(nested(a[0] as u32, a[1] as u32)),
        "boxes" => counted!(boxes(a[0], a[1])),
        "chain" => counted!(chain(a[0])),
        "shapes" => counted!(shapes(a[0])),
        "counts" => counted!(counts(a[0])),
        "groups" => counted!(groups(a[0])),
        "text" => counted!(text(a[0])),
        "upper" => {
            let name = "q".repeat(a[0]);
            counted!(upper(&name, a[1]))
        }
        "sorted" => {
            let x = numbers(a[0], |v| v as f64);
            counted!(sorted(&x))
        }
        "median" => {
            let x = numbers(a[0], |v| v as u32);
            counted!(median(&x))
        }
        "graph" => counted!(graph(a[0], a[1])),
        "cells" => counted!(cells(a[0])),
        "threads" => counted!(threads(a[0], a[1])),
        "merged" => {
            let x = numbers(a[0], |v| v as i32);
            counted!(merged(&x))
        }
        "filters::smooth" => {
            let (x, mut y) = (numbers(a[0], |v| v as f32), vec![0f32; a[1]]);
            counted!(filters::smooth(&x, &mut y, a[2]))
        }
        "positives" => {
            let x = numbers(a[0], |v| v as f32);
            counted!(positives(&x))
        }
        "places" => {
            let x = numbers(a[0], |v| v as f32);
            counted!(places(&x))
        }
        "normalised" => {
            let v = numbers(a[0], |v| v as f64);
            counted!(normalised(&v))
        }
        "doubled" => {
            let v = numbers(a[0], |v| v as f32);
            counted!(doubled(v))
        }
        "appended" => {
            let (mut v, s) = (Vec::with_capacity(a[0] + a[1]), "s".repeat(a[2]));
            v.extend(numbers(a[0], |v| v as u16));
            counted!(appended(&mut v, s, a[3]))
        }
        "turned" => {
            let data = numbers(a[0] * a[1], |v| v as f64);
            let m = Matrix { rows: a[0], cols: a[1], scale: 2.0, name: [0; 4], data };
            counted!(m.turned(a[3]))
        }
        "queue" => counted!(queue(a[0])),
        "aligned" => counted!(aligned(a[0])),
        "caught" => counted!(caught(&vec![5u32; a[0]])),
        "heap" => counted!(heap(a[0] as u32)),
        "tree" => counted!(tree(a[0] as u32)),
        _ => panic!("no operator {name}"),
    }
}

/// Arguments: an operator and its shape. The second call is counted.
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let shape: Vec<usize> = words[1..].iter().map(|w| w.parse().unwrap()).collect();
    call(&words[0], &shape);
    let found = call(&words[0], &shape);
    println!("{} {} {} {} {}", found.peak, found.total, found.requests, found.reallocations, found.left);
}
