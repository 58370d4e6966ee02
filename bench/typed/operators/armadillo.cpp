// Operators on Armadillo's matrices and cubes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <armadillo>

//@ operator standardised
//@ shapes x.n_rows=3,x.n_cols=4 | x.n_rows=501,x.n_cols=67 | x.n_rows=400000,x.n_cols=101
//@ let x = arma::mat($x.n_rows, $x.n_cols)
//@ call standardised(x)
arma::mat standardised(const arma::mat &x) {
  arma::rowvec mean = arma::mean(x, 0), deviation = arma::stddev(x, 0, 0);
  arma::mat out = x.each_row() - mean;
  out.each_row() /= deviation + 1e-12;
  return out;
}

//@ operator convolved_rows
//@ shapes x.n_rows=5,x.n_cols=30,k.n_cols=3 | x.n_rows=77,x.n_cols=501,k.n_cols=31 | x.n_rows=3000,x.n_cols=20001,k.n_cols=64
//@ let x = arma::mat($x.n_rows, $x.n_cols)
//@ let k = arma::rowvec($k.n_cols)
//@ call convolved_rows(x, k)
arma::mat convolved_rows(const arma::mat &x, const arma::rowvec &k) {
  arma::mat out(x.n_rows, x.n_cols);
  for (arma::uword i = 0; i < x.n_rows; ++i)
    out.row(i) = arma::conv(x.row(i), k, "same");
  return out;
}

//@ operator energy_of_slices
//@ shapes v.n_rows=5,v.n_cols=6,v.n_slices=3 | v.n_rows=41,v.n_cols=77,v.n_slices=13 | v.n_rows=501,v.n_cols=500,v.n_slices=301
//@ let v = arma::cube($v.n_rows, $v.n_cols, $v.n_slices)
//@ call energy_of_slices(v)
arma::vec energy_of_slices(const arma::cube &v) {
  arma::vec out(v.n_slices);
  arma::cube squared = arma::square(v);
  for (arma::uword s = 0; s < v.n_slices; ++s) {
    arma::mat smooth = 0.5 * (squared.slice(s) + squared.slice(s ? s - 1 : s));
    out(s) = arma::accu(smooth % smooth);
  }
  return out;
}

//@ operator ridge
//@ tags decision
//@ data noise
//@ shapes a.n_rows=40,a.n_cols=6,b.n_rows=40 | a.n_rows=333,a.n_cols=41,b.n_rows=333 | a.n_rows=200000,a.n_cols=150,b.n_rows=200000
//@ let a = arma::mat($a.n_rows, $a.n_cols)
//@ let b = arma::vec($b.n_rows)
//@ set lambda=0.5
//@ call ridge(a, b, 0.5)
arma::vec ridge(const arma::mat &a, const arma::vec &b, double lambda) {
  arma::mat normal = a.t() * a;
  normal.diag() += lambda;
  return arma::solve(normal, a.t() * b, arma::solve_opts::likely_sympd + arma::solve_opts::no_approx);
}

//@ operator leading_directions
//@ tags decision
//@ data noise
//@ shapes x.n_rows=40,x.n_cols=6,k=2 | x.n_rows=333,x.n_cols=41,k=5 | x.n_rows=50000,x.n_cols=200,k=10
//@ let x = arma::mat($x.n_rows, $x.n_cols)
//@ call leading_directions(x, $k)
arma::mat leading_directions(const arma::mat &x, int k) {
  arma::mat centred = x.each_row() - arma::mean(x, 0);
  arma::vec values;
  arma::mat vectors;
  arma::eig_sym(values, vectors, arma::cov(centred));
  return centred * vectors.tail_cols(k);
}

//@ operator amplitude
//@ shapes x.n_rows=16 | x.n_rows=1000 | x.n_rows=262144
//@ let x = arma::vec($x.n_rows)
//@ call amplitude(x)
arma::vec amplitude(const arma::vec &x) {
  arma::cx_vec f = arma::fft(x);
  return arma::abs(f);
}
