// A sparse Cholesky factorisation, front by front.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// multifrontal DIMENSIONS SIDE ORDERING FACTORS: the assembly tree of Poisson's equation on a grid of SIDE^DIMENSIONS
// points (5- or 7-point stencil) as a document memshape.graph/1, whose nodes name the operator `front` of this program
// with their shapes. ORDERING: amd (Eigen's) or dissection (nested, of the grid).
//
// multifrontal DIMENSIONS SIDE ORDERING FACTORS ORDER: executes the nodes in the order of a file, solves an equation by the
// factors, and prints the relative residual. `memshape run` counts what the operator `pipeline` holds.
//
// FACTORS: `out`, where they go to memory of the caller, which is in no node (Liu 1986), or `kept`, where a first node
// makes the memory for all of them, and each front reads it, so that it is there until the end.

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#define OPERATOR __attribute__((annotate("memshape.operator")))

using Block = std::vector<double>;
using Square = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// Lower triangle of a small positive definite matrix into its factor. Without a look at the pivots, which would let data
/// decide: where the matrix is not positive definite, what comes out is not finite.
static void factorise(Eigen::Ref<Eigen::MatrixXd> A) {
  for (Eigen::Index K = 0; K < A.cols(); ++K) {
    A(K, K) = std::sqrt(A(K, K));
    for (Eigen::Index I = K + 1; I < A.rows(); ++I)
      A(I, K) /= A(K, K);
    for (Eigen::Index J = K + 1; J < A.cols(); ++J)
      for (Eigen::Index I = J; I < A.rows(); ++I)
        A(I, J) -= A(I, K) * A(J, K);
  }
}

/// One front: assembled from entries of the matrix and from what its children left, its pivots eliminated. Returns what
/// it leaves to its parent, a square of rows - pivots; the lower triangle counts.
///
/// \param Blocks what children left, with a null pointer at the end; Places: the row of the front for each of their rows.
/// \param At where in the front, by columns, the entries Values stand, with -1 at the end.
/// \param Factor rows x pivots doubles, by columns, that are written.
OPERATOR Block front(int rows, int pivots, const double *const *Blocks, const int *const *Places, const int *Sizes,
                     const int *At, const double *Values, double *Factor) {
  const std::size_t Rows = static_cast<std::size_t>(rows);
  Block Memory(Rows * Rows);
  for (; *At >= 0; ++At, ++Values)
    Memory[static_cast<std::size_t>(*At)] += *Values;
  for (; *Blocks; ++Blocks, ++Places, ++Sizes)
    for (int J = 0; J < *Sizes; ++J)
      for (int I = J; I < *Sizes; ++I)
        Memory[static_cast<std::size_t>((*Places)[J]) * Rows + static_cast<std::size_t>((*Places)[I])] +=
            (*Blocks)[static_cast<std::size_t>(J) * static_cast<std::size_t>(*Sizes) + static_cast<std::size_t>(I)];
  Square Front(Memory.data(), rows, rows, Eigen::OuterStride<>(rows));
  constexpr int Panel = 64; // columns
  for (int J = 0; J < pivots; J += Panel) {
    const int Wide = std::min(Panel, pivots - J), Below = rows - J - Wide;
    auto Diagonal = Front.block(J, J, Wide, Wide);
    factorise(Diagonal);
    if (Below == 0)
      continue;
    auto Under = Front.block(J + Wide, J, Below, Wide);
    Diagonal.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(Under);
    Front.bottomRightCorner(Below, Below).selfadjointView<Eigen::Lower>().rankUpdate(Under, -1.0);
  }
  std::copy_n(Memory.data(), Rows * static_cast<std::size_t>(pivots), Factor);
  const std::size_t Rest = static_cast<std::size_t>(rows - pivots);
  Block Left(Rest * Rest);
  for (std::size_t J = 0; J < Rest; ++J)
    std::copy_n(Memory.data() + (J + Rows - Rest) * Rows + Rows - Rest, Rest, Left.data() + J * Rest);
  return Left;
}

/// Memory for all factors.
OPERATOR Block factors(long doubles) { return Block(static_cast<std::size_t>(doubles)); }

namespace {

/// Rows of a symmetric matrix: columns and values, the diagonal first.
using Rows = std::vector<std::vector<std::pair<int, double>>>;

struct Grid {
  int Side, Layers;

  int point(int X, int Y, int Z) const { return (Z * Side + Y) * Side + X; }

  /// The Laplacian.
  Rows poisson() const {
    Rows Found;
    for (int Z = 0; Z < Layers; ++Z)
      for (int Y = 0; Y < Side; ++Y)
        for (int X = 0; X < Side; ++X) {
          auto &Row = Found.emplace_back();
          Row.emplace_back(point(X, Y, Z), Layers > 1 ? 6.0 : 4.0);
          for (int Step : {-1, 1}) {
            if (X + Step >= 0 && X + Step < Side)
              Row.emplace_back(point(X + Step, Y, Z), -1.0);
            if (Y + Step >= 0 && Y + Step < Side)
              Row.emplace_back(point(X, Y + Step, Z), -1.0);
            if (Z + Step >= 0 && Z + Step < Layers)
              Row.emplace_back(point(X, Y, Z + Step), -1.0);
          }
        }
    return Found;
  }
};

/// Points whose columns are eliminated together, front by front, children first.
using Parts = std::vector<std::vector<int>>;

struct Front {
  std::vector<int> Rows; ///< places in the order of elimination, ascending; the pivots first
  int Pivots = 0;
  int Parent = -1;
  std::vector<int> Children;
};

/// Fronts of some parts: what a front has beyond its pivots comes from the matrix and from its children.
std::vector<Front> analysed(const Rows &Matrix, const Parts &Of) {
  std::vector<int> Place(Matrix.size()), Owner;
  for (std::size_t Part = 0; Part < Of.size(); ++Part)
    for (int Point : Of[Part]) {
      Place[Point] = static_cast<int>(Owner.size());
      Owner.push_back(static_cast<int>(Part));
    }
  std::vector<Front> Found(Of.size());
  for (std::size_t Part = 0; Part < Of.size(); ++Part) {
    Front &Now = Found[Part];
    for (int Point : Of[Part])
      for (const auto &[Other, Value] : Matrix[Point])
        Now.Rows.push_back(Place[Other]);
    for (int Child : Now.Children) {
      const Front &Lower = Found[Child];
      Now.Rows.insert(Now.Rows.end(), Lower.Rows.begin() + Lower.Pivots, Lower.Rows.end());
    }
    const int First = Place[Of[Part].front()];
    std::sort(Now.Rows.begin(), Now.Rows.end());
    Now.Rows.erase(std::unique(Now.Rows.begin(), Now.Rows.end()), Now.Rows.end());
    Now.Rows.erase(Now.Rows.begin(), std::lower_bound(Now.Rows.begin(), Now.Rows.end(), First));
    Now.Pivots = static_cast<int>(Of[Part].size());
    if (Now.Rows.size() > Of[Part].size()) {
      Now.Parent = Owner[Now.Rows[Of[Part].size()]];
      Found[Now.Parent].Children.push_back(static_cast<int>(Part));
    }
  }
  return Found;
}

/// Nested dissection: the plane in the middle of the longest side parts a box in two, and is eliminated after both
/// (George 1973). Boxes of few points are fronts of their own.
Parts dissected(const Grid &Of) {
  constexpr int Few = 32; // points
  Parts Found;
  const std::function<void(std::vector<int>, std::vector<int>)> Dissect = [&](std::vector<int> From,
                                                                              std::vector<int> To) {
    int Count = 1;
    std::size_t Longest = 0;
    for (std::size_t Axis = 0; Axis < 3; ++Axis) {
      Count *= To[Axis] - From[Axis];
      if (To[Axis] - From[Axis] > To[Longest] - From[Longest])
        Longest = Axis;
    }
    if (Count == 0)
      return;
    if (Count > Few) {
      const int Middle = (From[Longest] + To[Longest]) / 2;
      std::vector<int> Before = To, After = From;
      Before[Longest] = Middle;
      After[Longest] = Middle + 1;
      Dissect(From, Before);
      Dissect(After, To);
      From[Longest] = Middle;
      To[Longest] = Middle + 1;
    }
    auto &Part = Found.emplace_back();
    for (int Z = From[2]; Z < To[2]; ++Z)
      for (int Y = From[1]; Y < To[1]; ++Y)
        for (int X = From[0]; X < To[0]; ++X)
          Part.push_back(Of.point(X, Y, Z));
  };
  Dissect({0, 0, 0}, {Of.Side, Of.Side, Of.Layers});
  return Found;
}

/// Minimum degree, columns in a postorder of their tree. A column joins its last child's front where it has the same
/// rows, or where the front has few columns: fronts of one column would be most of the work.
Parts ofLeastDegree(const Rows &Matrix) {
  constexpr std::size_t Few = 8; // columns
  const int Size = static_cast<int>(Matrix.size());
  std::vector<Eigen::Triplet<double>> Entries;
  for (int Row = 0; Row < Size; ++Row)
    for (const auto &[Column, Value] : Matrix[Row])
      Entries.emplace_back(Row, Column, Value);
  Eigen::SparseMatrix<double> Sparse(Size, Size);
  Sparse.setFromTriplets(Entries.begin(), Entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> Order;
  Eigen::AMDOrdering<int>()(Sparse, Order);
  Parts Columns;
  for (int Place = 0; Place < Size; ++Place)
    Columns.push_back({Order.indices()[Place]});
  const std::vector<Front> Tree = analysed(Matrix, Columns);
  Parts Found;
  int Before = -1;
  const std::function<void(int)> Visit = [&](int At) {
    const Front &Column = Tree[At];
    for (int Child : Column.Children)
      Visit(Child);
    const bool Joins = !Column.Children.empty() &&
                       (Found.back().size() < Few ||
                        (Column.Children.size() == 1 && Tree[Before].Rows.size() == Column.Rows.size() + 1));
    if (!Joins)
      Found.emplace_back();
    Found.back().push_back(Columns[At].front());
    Before = At;
  };
  for (int At = 0; At < Size; ++At)
    if (Tree[At].Parent < 0)
      Visit(At);
  return Found;
}

/// What the operator is given for one front, and where its factor begins.
struct Given {
  std::vector<const double *> Blocks;
  std::vector<std::vector<int>> Rows; ///< of each child's, in the front
  std::vector<const int *> Places;
  std::vector<int> Sizes, At;
  std::vector<double> Values;
  std::size_t Factor = 0;
};

struct Factorisation {
  std::vector<Front> Fronts;
  std::vector<int> Points; ///< by their places
  std::vector<Given> Of;
  std::vector<Block> Left; ///< by each front to its parent
  Block Factors;
  long Doubles = 0; ///< of all factors

  Factorisation(const Rows &Matrix, const Parts &Parts)
      : Fronts(analysed(Matrix, Parts)), Of(Parts.size()), Left(Parts.size()) {
    std::vector<int> Place(Matrix.size());
    for (const auto &Part : Parts)
      for (int Point : Part) {
        Place[Point] = static_cast<int>(Points.size());
        Points.push_back(Point);
      }
    for (std::size_t Number = 0; Number < Fronts.size(); ++Number) {
      const Front &Now = Fronts[Number];
      Given &Give = Of[Number];
      const auto RowOf = [&](int At) {
        return static_cast<int>(std::lower_bound(Now.Rows.begin(), Now.Rows.end(), At) - Now.Rows.begin());
      };
      Give.Factor = Doubles;
      Doubles += static_cast<long>(Now.Rows.size()) * Now.Pivots;
      for (int Column = 0; Column < Now.Pivots; ++Column)
        for (const auto &[Other, Value] : Matrix[Points[Now.Rows[Column]]])
          if (const int At = Place[Other]; At >= Now.Rows[Column]) {
            Give.At.push_back(Column * static_cast<int>(Now.Rows.size()) + RowOf(At));
            Give.Values.push_back(Value);
          }
      Give.At.push_back(-1);
      for (int Child : Now.Children) {
        const Front &Lower = Fronts[Child];
        auto &Rows = Give.Rows.emplace_back();
        for (std::size_t Row = Lower.Pivots; Row < Lower.Rows.size(); ++Row)
          Rows.push_back(RowOf(Lower.Rows[Row]));
        Give.Sizes.push_back(static_cast<int>(Rows.size()));
      }
      for (const auto &Rows : Give.Rows)
        Give.Places.push_back(Rows.data());
      Give.Blocks.resize(Now.Children.size() + 1);
    }
  }

  /// Eliminates one front, after which what its children left is gone.
  void eliminate(std::size_t Number) {
    const Front &Now = Fronts[Number];
    Given &Give = Of[Number];
    for (std::size_t Child = 0; Child < Now.Children.size(); ++Child)
      Give.Blocks[Child] = Left[Now.Children[Child]].data();
    Left[Number] = front(static_cast<int>(Now.Rows.size()), Now.Pivots, Give.Blocks.data(), Give.Places.data(),
                         Give.Sizes.data(), Give.At.data(), Give.Values.data(), Factors.data() + Give.Factor);
    for (int Child : Now.Children)
      Block().swap(Left[Child]);
  }

  /// The solution for a right-hand side, both by points of the grid.
  std::vector<double> solved(const std::vector<double> &Right) const {
    std::vector<double> X, Found(Right.size());
    for (int Point : Points)
      X.push_back(Right[Point]);
    const auto Each = [&](std::size_t Number, bool Forward) {
      const Front &Now = Fronts[Number];
      const Eigen::Index All = static_cast<Eigen::Index>(Now.Rows.size()), Pivots = Now.Pivots;
      const Eigen::Map<const Eigen::MatrixXd> Factor(Factors.data() + Of[Number].Factor, All, Pivots);
      const auto Upper = Factor.topRows(Pivots).triangularView<Eigen::Lower>();
      Eigen::VectorXd Part(All);
      for (Eigen::Index Row = 0; Row < All; ++Row)
        Part[Row] = X[Now.Rows[Row]];
      if (Forward) {
        Upper.solveInPlace(Part.head(Pivots));
        Part.tail(All - Pivots) -= Factor.bottomRows(All - Pivots) * Part.head(Pivots);
      } else {
        Part.head(Pivots) -= Factor.bottomRows(All - Pivots).transpose() * Part.tail(All - Pivots);
        Upper.transpose().solveInPlace(Part.head(Pivots));
      }
      for (Eigen::Index Row = 0; Row < All; ++Row)
        X[Now.Rows[Row]] = Part[Row];
    };
    for (std::size_t Number = 0; Number < Fronts.size(); ++Number)
      Each(Number, true);
    for (std::size_t Number = Fronts.size(); Number-- > 0;)
      Each(Number, false);
    for (std::size_t At = 0; At < Points.size(); ++At)
      Found[Points[At]] = X[At];
    return Found;
  }
};

/// ||b - A x|| / ||b|| for a right-hand side that is different at each point.
double residual(const Rows &Matrix, const Factorisation &By) {
  std::vector<double> Right;
  for (std::size_t Row = 0; Row < Matrix.size(); ++Row)
    Right.push_back(std::sin(1.0 + static_cast<double>(Row)));
  const std::vector<double> X = By.solved(Right);
  double Left = 0, All = 0;
  for (std::size_t Row = 0; Row < Matrix.size(); ++Row) {
    double Sum = Right[Row];
    for (const auto &[Column, Value] : Matrix[Row])
      Sum -= Value * X[Column];
    Left += Sum * Sum;
    All += Right[Row] * Right[Row];
  }
  return std::sqrt(Left / All);
}

const char *const Kept = "factors"; ///< the node of their memory

/// The document: an output is what a front leaves; what it takes besides is predicted.
void print(const Factorisation &Of, const char *File, bool IsKept) {
  std::printf("{\"schema\": \"memshape.graph/1\", \"nodes\": [");
  if (IsKept)
    std::printf("\n{\"id\": \"%s\", \"operator\": \"factors\", \"file\": \"%s\", \"shape\": {\"doubles\": %ld}, "
                "\"inputs\": []},",
                Kept, File, Of.Doubles);
  for (std::size_t Number = 0; Number < Of.Fronts.size(); ++Number) {
    const Front &Now = Of.Fronts[Number];
    const std::size_t Rest = Now.Rows.size() - Now.Pivots;
    std::vector<std::string> Inputs(IsKept ? 1 : 0, Kept);
    for (int Child : Now.Children)
      Inputs.push_back("f" + std::to_string(Child));
    std::printf(
        "%s\n{\"id\": \"f%zu\", \"operator\": \"front\", \"file\": \"%s\", \"shape\": {\"rows\": %zu, \"pivots\": %d}, "
        "\"output_bytes\": %zu, \"inputs\": [",
        Number ? "," : "", Number, File, Now.Rows.size(), Now.Pivots, sizeof(double) * Rest * Rest);
    for (const std::string &Input : Inputs)
      std::printf("%s\"%s\"", &Input == Inputs.data() ? "" : ", ", Input.c_str());
    std::printf("]}");
  }
  std::printf("]}\n");
}

} // namespace

/// Executes nodes in an order: all that the factorisation holds is requested here.
OPERATOR void pipeline(Factorisation &Of, const std::string *Order, int nodes) {
  for (int Node = 0; Node < nodes; ++Node)
    if (Order[Node] == Kept)
      Of.Factors = factors(Of.Doubles);
    else
      Of.eliminate(std::atol(Order[Node].c_str() + 1));
}

int main(int Count, char **Arguments) {
  const std::vector<std::string> Words(Arguments, Arguments + Count);
  const auto Is = [&](std::size_t Word, std::vector<std::string> Of) {
    return Word < Words.size() && std::find(Of.begin(), Of.end(), Words[Word]) != Of.end();
  };
  const int Side = Count > 2 ? std::atoi(Arguments[2]) : 0;
  if (!Is(1, {"2", "3"}) || Side < 1 || !Is(3, {"amd", "dissection"}) || !Is(4, {"out", "kept"}) || Count > 6) {
    std::fputs("usage: multifrontal 2|3 SIDE amd|dissection out|kept [ORDER]\n", stderr);
    return 2;
  }
  const Grid Points{Side, Words[1] == "3" ? Side : 1};
  const Rows Matrix = Points.poisson();
  Factorisation Of(Matrix, Words[3] == "amd" ? ofLeastDegree(Matrix) : dissected(Points));
  if (Count == 5) {
    print(Of, Arguments[0], Words[4] == "kept");
    return 0;
  }
  std::ifstream File(Arguments[5]);
  const std::vector<std::string> Order{std::istream_iterator<std::string>(File), {}};
  if (Words[4] == "out")
    Of.Factors = factors(Of.Doubles);
  pipeline(Of, Order.data(), static_cast<int>(Order.size()));
  std::printf("%.3g\n", residual(Matrix, Of));
}
