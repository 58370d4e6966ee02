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

//@ operator ridge
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
