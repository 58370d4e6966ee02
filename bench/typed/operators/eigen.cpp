// Operators on Eigen's matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

using Eigen::ArrayXXf;
using Eigen::MatrixXd;
using Eigen::MatrixXf;
using Eigen::VectorXd;

//@ operator covariance
//@ shapes x.rows=30,x.cols=4 | x.rows=501,x.cols=67 | x.rows=300000,x.cols=180
//@ let x = MatrixXd($x.rows, $x.cols)
//@ call covariance(x)
MatrixXd covariance(const MatrixXd &x) {
  MatrixXd centred = x.rowwise() - x.colwise().mean();
  return (centred.adjoint() * centred) / double(x.rows() - 1);
}

//@ operator whitened
//@ tags by-value
//@ data noise
//@ shapes x.rows=40,x.cols=6 | x.rows=333,x.cols=41 | x.rows=200000,x.cols=120
//@ let x = MatrixXd($x.rows, $x.cols)
//@ call whitened(x)
// Symmetric eigenvalues of the covariance, and the samples turned into their directions.
MatrixXd whitened(MatrixXd x) {
  x.rowwise() -= VectorXd(x.colwise().mean()).transpose();
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(x.transpose() * x / double(x.rows())));
  VectorXd scale = (solver.eigenvalues().array().max(0) + 1e-9).rsqrt();
  return x * solver.eigenvectors() * scale.asDiagonal();
}

//@ operator least_squares
//@ tags decision
//@ data noise
//@ shapes a.rows=40,a.cols=6,b.rows=40 | a.rows=333,a.cols=41,b.rows=333 | a.rows=100000,a.cols=100,b.rows=100000
//@ let a = MatrixXd($a.rows, $a.cols)
//@ let b = VectorXd($b.rows)
//@ call least_squares(a, b)
VectorXd least_squares(const MatrixXd &a, const VectorXd &b) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(a);
  return qr.solve(b);
}

//@ operator kalman_update
//@ tags in-out
//@ data noise
//@ shapes x.rows=4,p.rows=4,p.cols=4,z.rows=2,h.rows=2,h.cols=4 | x.rows=33,p.rows=33,p.cols=33,z.rows=7,h.rows=7,h.cols=33 | x.rows=900,p.rows=900,p.cols=900,z.rows=200,h.rows=200,h.cols=900
//@ let x = VectorXd($x.rows)
//@ let p = MatrixXd($p.rows, $p.cols)
//@ do p = (p * p.transpose() + MatrixXd::Identity(p.rows(), p.cols())).eval();
//@ let z = VectorXd($z.rows)
//@ let h = MatrixXd($h.rows, $h.cols)
//@ set noise=0.5
//@ call kalman_update(x, p, z, h, 0.5)
void kalman_update(VectorXd &x, MatrixXd &p, const VectorXd &z, const MatrixXd &h, double noise) {
  MatrixXd s = h * p * h.transpose() + noise * MatrixXd::Identity(h.rows(), h.rows());
  MatrixXd gain = p * h.transpose() * s.inverse();
  x += gain * (z - h * x);
  p = (MatrixXd::Identity(x.size(), x.size()) - gain * h) * p;
}

//@ operator smoothed_twice
//@ shapes f.rows=9,f.cols=12,times=3 | f.rows=101,f.cols=77,times=5 | f.rows=11000,f.cols=9001,times=2
//@ let f = ArrayXXf($f.rows, $f.cols)
//@ call smoothed_twice(f, $times)
// Five-point diffusion, with two buffers that are exchanged.
ArrayXXf smoothed_twice(const ArrayXXf &f, int times) {
  ArrayXXf now = f, next = f;
  const Eigen::Index m = f.rows() - 2, n = f.cols() - 2;
  for (int t = 0; t < times; ++t) {
    next.block(1, 1, m, n) = 0.2f * (now.block(1, 1, m, n) + now.block(0, 1, m, n) + now.block(2, 1, m, n) +
                                     now.block(1, 0, m, n) + now.block(1, 2, m, n));
    now.swap(next);
  }
  return now;
}

//@ operator power_spectrum
//@ tags view
//@ shapes x.rows=16 | x.rows=1000 | x.rows=2000003
//@ let x = VectorXd($x.rows)
//@ call power_spectrum(Eigen::Ref<const VectorXd>(x))
//@ declare VectorXd power_spectrum(const Eigen::Ref<const VectorXd> &x);
// Windowed, and folded to the first half.
VectorXd power_spectrum(const Eigen::Ref<const VectorXd> &x) {
  const Eigen::Index n = x.size();
  VectorXd windowed(n);
  for (Eigen::Index i = 0; i < n; ++i)
    windowed[i] = x[i] * (0.5 - 0.5 * std::cos(2 * M_PI * double(i) / double(n)));
  VectorXd squared = windowed.cwiseAbs2();
  return squared.head(n / 2) + squared.tail(n / 2).reverse();
}

//@ operator pairwise_distances
//@ shapes a.rows=20,a.cols=3,b.rows=31,b.cols=3 | a.rows=333,a.cols=17,b.rows=101,b.cols=17 | a.rows=9000,a.cols=40,b.rows=7001,b.cols=40
//@ let a = MatrixXf($a.rows, $a.cols)
//@ let b = MatrixXf($b.rows, $b.cols)
//@ call pairwise_distances(a, b)
MatrixXf pairwise_distances(const MatrixXf &a, const MatrixXf &b) {
  MatrixXf out = -2.f * a * b.transpose();
  out.colwise() += a.rowwise().squaredNorm();
  out.rowwise() += b.rowwise().squaredNorm().transpose();
  return out.cwiseMax(0.f).cwiseSqrt();
}

//@ operator low_rank
//@ tags decision
//@ data noise
//@ shapes a.rows=12,a.cols=9,rank=3 | a.rows=77,a.cols=41,rank=5 | a.rows=900,a.cols=500,rank=20
//@ let a = MatrixXd($a.rows, $a.cols)
//@ call low_rank(a, $rank)
// A truncated decomposition into singular values.
MatrixXd low_rank(const MatrixXd &a, int rank) {
  Eigen::BDCSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixU().leftCols(rank) * svd.singularValues().head(rank).asDiagonal() *
         svd.matrixV().leftCols(rank).transpose();
}
