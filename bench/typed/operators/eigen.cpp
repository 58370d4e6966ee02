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
//@ data noise
//@ shapes a.rows=40,a.cols=6,b.rows=40 | a.rows=333,a.cols=41,b.rows=333 | a.rows=100000,a.cols=100,b.rows=100000
//@ let a = MatrixXd($a.rows, $a.cols)
//@ let b = VectorXd($b.rows)
//@ call least_squares(a, b)
VectorXd least_squares(const MatrixXd &a, const VectorXd &b) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(a);
  return qr.solve(b);
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
