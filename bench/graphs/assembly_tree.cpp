// Trees of sparse Cholesky factorisations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assembly_tree DIMENSIONS SIDE ORDERING NODES: the tree of a multifrontal factorisation of Poisson's equation on a grid
// of SIDE^DIMENSIONS points (5- or 7-point stencil), from CHOLMOD's analysis. ORDERING: amd, metis, nesdis. NODES: columns
// (the elimination tree) or supernodes (fundamental ones: columns that follow each other with nested patterns).
//
// Prints the number of nodes, then for each `parent output work time`, children before parents, -1 for a root. A front of
// w columns and c rows holds c^2 doubles, leaves a contribution of (c - w)^2, and takes the sum of the squares of its
// columns' lengths as time (Liu 1992). Bytes; multiplications. Data for benchmarks alone: no part of memshape links CHOLMOD.

#include <suitesparse/cholmod.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t Double = 8; // bytes

/// The lower triangle of the Laplacian's pattern.
cholmod_sparse *poisson(int Dimensions, int Side, cholmod_common &Common) {
  const int Rows = Side, Layers = Dimensions == 3 ? Side : 1;
  const int Count = Side * Rows * Layers;
  cholmod_triplet *Entries = cholmod_allocate_triplet(static_cast<std::size_t>(Count), static_cast<std::size_t>(Count),
                                                      static_cast<std::size_t>(Count) * 4, -1, CHOLMOD_REAL, &Common);
  const auto Add = [&](int Row, int Column, double Value) {
    static_cast<int *>(Entries->i)[Entries->nnz] = Row;
    static_cast<int *>(Entries->j)[Entries->nnz] = Column;
    static_cast<double *>(Entries->x)[Entries->nnz++] = Value;
  };
  for (int Z = 0, At = 0; Z < Layers; ++Z)
    for (int Y = 0; Y < Rows; ++Y)
      for (int X = 0; X < Side; ++X, ++At) {
        Add(At, At, 2 * Dimensions);
        if (X + 1 < Side)
          Add(At + 1, At, -1);
        if (Y + 1 < Rows)
          Add(At + Side, At, -1);
        if (Z + 1 < Layers)
          Add(At + Side * Rows, At, -1);
      }
  cholmod_sparse *Matrix = cholmod_triplet_to_sparse(Entries, Entries->nnz, &Common);
  cholmod_free_triplet(&Entries, &Common);
  return Matrix;
}

struct Columns {
  std::vector<int> Parent;         ///< -1 for a root
  std::vector<std::int64_t> Count; ///< rows of the factor's column, the diagonal included
};

Columns analysed(cholmod_sparse *Matrix, int Ordering, cholmod_common &Common) {
  Common.nmethods = 1;
  Common.method[0].ordering = Ordering;
  Common.postorder = 1;
  Common.supernodal = CHOLMOD_SIMPLICIAL;
  cholmod_factor *Factor = cholmod_analyze(Matrix, &Common);
  if (!Factor || Common.status < 0)
    return {};
  Columns Found;
  const int *Counts = static_cast<const int *>(Factor->ColCount);
  Found.Count.assign(Counts, Counts + Factor->n);
  Found.Parent.resize(Factor->n);
  cholmod_sparse *Upper = cholmod_ptranspose(Matrix, 0, static_cast<int *>(Factor->Perm), nullptr, 0, &Common);
  if (Upper->stype < 0) {
    cholmod_sparse *Other = cholmod_transpose(Upper, 0, &Common);
    cholmod_free_sparse(&Upper, &Common);
    Upper = Other;
  }
  cholmod_etree(Upper, Found.Parent.data(), &Common);
  cholmod_free_sparse(&Upper, &Common);
  cholmod_free_factor(&Factor, &Common);
  return Found;
}

/// Front of each column: a column joins that before it where it is its only child's parent and its pattern follows.
std::vector<int> supernodes(const Columns &Of) {
  const std::size_t Size = Of.Parent.size();
  std::vector<int> Children(Size, 0), Front(Size);
  for (int Parent : Of.Parent)
    if (Parent >= 0)
      ++Children[static_cast<std::size_t>(Parent)];
  int Last = -1;
  for (std::size_t At = 0; At < Size; ++At) {
    const bool Joins = At > 0 && Of.Parent[At - 1] == static_cast<int>(At) && Children[At] == 1 &&
                       Of.Count[At - 1] == Of.Count[At] + 1;
    Front[At] = Joins ? Last : ++Last;
  }
  return Front;
}

void print(const Columns &Of, const std::vector<int> &Front) {
  const std::size_t Size = Of.Parent.size();
  std::printf("%d\n", Size ? Front.back() + 1 : 0);
  for (std::size_t Begin = 0, End; Begin < Size; Begin = End) {
    double Time = 0;
    for (End = Begin; End < Size && Front[End] == Front[Begin]; ++End)
      Time += static_cast<double>(Of.Count[End] * Of.Count[End]);
    const std::int64_t Rows = Of.Count[Begin], Left = Rows - static_cast<std::int64_t>(End - Begin);
    const int Parent = Of.Parent[End - 1];
    std::printf("%d %lld %lld %.0f\n", Parent < 0 ? -1 : Front[static_cast<std::size_t>(Parent)],
                static_cast<long long>(Double * Left * Left),
                static_cast<long long>(Double * (Rows * Rows - Left * Left)), Time);
  }
}

} // namespace

int main(int Count, char **Arguments) {
  const std::map<std::string, int> Orderings = {
      {"amd", CHOLMOD_AMD}, {"metis", CHOLMOD_METIS}, {"nesdis", CHOLMOD_NESDIS}};
  const int Dimensions = Count == 5 ? std::atoi(Arguments[1]) : 0, Side = Count == 5 ? std::atoi(Arguments[2]) : 0;
  const std::string Nodes = Count == 5 ? Arguments[4] : "";
  if ((Dimensions != 2 && Dimensions != 3) || Side < 1 || !Orderings.contains(Arguments[3]) ||
      (Nodes != "columns" && Nodes != "supernodes")) {
    std::fputs("usage: assembly_tree 2|3 SIDE amd|metis|nesdis columns|supernodes\n", stderr);
    return 2;
  }
  cholmod_common Common;
  cholmod_start(&Common);
  cholmod_sparse *Matrix = poisson(Dimensions, Side, Common);
  const Columns Found = analysed(Matrix, Orderings.at(Arguments[3]), Common);
  cholmod_free_sparse(&Matrix, &Common);
  cholmod_finish(&Common);
  if (Found.Parent.empty()) {
    std::fputs("assembly_tree: CHOLMOD has not analysed the matrix; try another ordering\n", stderr);
    return 1;
  }
  std::vector<int> Front(Found.Parent.size());
  if (Nodes == "supernodes")
    Front = supernodes(Found);
  else
    for (std::size_t At = 0; At < Front.size(); ++At)
      Front[At] = static_cast<int>(At);
  print(Found, Front);
}
