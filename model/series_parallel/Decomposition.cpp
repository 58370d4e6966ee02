// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/series_parallel/Releases.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace memshape::series_parallel {

namespace {

using Kind = Decomposition::Kind;

/// Edges that stand for what lies between their ends, until one is left.
class Reduction {
public:
  explicit Reduction(const Graph &Of) : Of(Of), Grouped(Of.size(), false), Ends(Of.size()) {
    Source = addVertex(), Sink = addVertex();
    for (Node Each = 0; Each < Of.size(); ++Each)
      connectGroup(Of.consumers(Each), Each);
    for (Node Each = 0; Each < Of.size(); ++Each) {
      if (Of.inputs(Each).empty())
        addEdge(Source, Each, None);
      if (Of.consumers(Each).empty())
        addEdge(Each, Sink, None);
      if (!Grouped[Each])
        connectTo(Of.consumers(Each), Each);
    }
  }

  /// The part that is left between source and sink; nothing where more than that is left.
  std::optional<std::uint32_t> run() {
    if (Edges.size() + 3 > 2 * Ends.size()) // more than any series-parallel graph has
      return std::nullopt;
    Known.reserve(Edges.size());
    for (std::uint32_t Each = 0; Each < Edges.size(); ++Each)
      Known.emplace(key(Edges[Each].From, Edges[Each].To), Each);
    std::vector<std::uint32_t> Ready;
    for (std::uint32_t Each = 0; Each < Ends.size(); ++Each)
      if (isInner(Each))
        Ready.push_back(Each);
    std::size_t Removed = 0;
    for (; !Ready.empty(); ++Removed) {
      const std::uint32_t Each = Ready.back();
      Ready.pop_back();
      const Edge In = remove(Ends[Each].Into), Out = remove(Ends[Each].From);
      connect(In.From, Out.To, series(series(In.Between, addPart({Kind::Job, Each, None})), Out.Between));
      for (std::uint32_t End : {In.From, Out.To})
        if (Merged && isInner(End))
          Ready.push_back(End);
    }
    if (Removed + 2 != Ends.size())
      return std::nullopt;
    return Removed ? Edges[Ends[Source].From].Between : None;
  }

  /// The same parts, those of equal kind that stand in each other as one.
  Decomposition flattened(std::uint32_t Root) const {
    Decomposition Flat;
    Flat.Jobs = static_cast<std::uint32_t>(Ends.size());
    if (Root == None)
      return Flat;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> Open = {{Root, None}}; // a part here, and who has it there
    std::vector<std::uint32_t> Inside;
    while (!Open.empty()) {
      const auto [Now, Owner] = Open.back();
      Open.pop_back();
      const std::uint32_t Made =
          Parts[Now].Is == Kind::Job ? Flat.addJob(Parts[Now].Left) : Flat.add(Parts[Now].Is, {});
      if (Owner == None)
        Flat.Root = Made;
      else
        Flat.Parts[Owner].Parts.push_back(Made);
      if (Parts[Now].Is == Kind::Job)
        continue;
      // What is opened last is made first.
      for (Inside = {Now}; !Inside.empty();) {
        const std::uint32_t Each = Inside.back();
        Inside.pop_back();
        if (Parts[Each].Is == Parts[Now].Is) {
          Inside.push_back(Parts[Each].Left);
          Inside.push_back(Parts[Each].Right);
        } else {
          Open.push_back({Each, Made});
        }
      }
    }
    return Flat;
  }

private:
  struct Edge {
    std::uint32_t From, To;
    std::uint32_t Between; ///< part, or none
  };
  /// How many edges there are, and the exclusive or of their numbers: of one edge its number.
  struct Vertex {
    std::uint32_t Ins = 0, Outs = 0, Into = 0, From = 0;
  };
  struct Binary {
    Kind Is;
    std::uint32_t Left, Right; ///< Left of a job: its number
  };

  static std::uint64_t key(std::uint32_t From, std::uint32_t To) { return std::uint64_t(From) << 32 | To; }

  bool isInner(std::uint32_t Each) const {
    return Each != Source && Each != Sink && Ends[Each].Ins == 1 && Ends[Each].Outs == 1;
  }

  std::uint32_t addVertex() {
    Ends.emplace_back();
    return static_cast<std::uint32_t>(Ends.size() - 1);
  }

  std::uint32_t addPart(Binary Part) {
    Parts.push_back(Part);
    return static_cast<std::uint32_t>(Parts.size() - 1);
  }

  std::uint32_t series(std::uint32_t Left, std::uint32_t Right) {
    if (Left == None || Right == None)
      return Left == None ? Right : Left;
    return addPart({Kind::Series, Left, Right});
  }

  void addEdge(std::uint32_t From, std::uint32_t To, std::uint32_t Between) {
    const auto Number = static_cast<std::uint32_t>(Edges.size());
    Edges.push_back({From, To, Between});
    ++Ends[From].Outs, ++Ends[To].Ins;
    Ends[From].From ^= Number, Ends[To].Into ^= Number;
  }

  /// Merged says whether there was such an edge.
  void connect(std::uint32_t From, std::uint32_t To, std::uint32_t Between) {
    const auto [Found, Added] = Known.try_emplace(key(From, To), static_cast<std::uint32_t>(Edges.size()));
    Merged = !Added;
    if (Merged) {
      std::uint32_t &Other = Edges[Found->second].Between;
      if (Other == None || Between == None)
        Other = Other == None ? Between : Other;
      else
        Other = addPart({Kind::Parallel, Other, Between});
      return;
    }
    addEdge(From, To, Between);
  }

  Edge remove(std::uint32_t Number) {
    const Edge Gone = Edges[Number];
    Known.erase(key(Gone.From, Gone.To));
    --Ends[Gone.From].Outs, --Ends[Gone.To].Ins;
    Ends[Gone.From].From ^= Number, Ends[Gone.To].Into ^= Number;
    return Gone;
  }

  static bool same(std::span<const Node> Left, std::span<const Node> Right) {
    return std::equal(Left.begin(), Left.end(), Right.begin(), Right.end());
  }

  /// Whether several nodes all read the same several ones, and those nothing else reads.
  bool isGroup(std::span<const Node> Readers) const {
    const std::span<const Node> Read = Of.inputs(Readers.front());
    const auto SameInputs = [&](Node Each) { return Of.inputs(Each).size() == Read.size(); };
    // Each of as many inputs has the same readers: then the readers' inputs are those, in whatever order they stand.
    return Readers.size() > 1 && Read.size() > 1 && std::all_of(Readers.begin(), Readers.end(), SameInputs) &&
           std::all_of(Read.begin(), Read.end(), [&](Node Each) { return same(Of.consumers(Each), Readers); });
  }

  /// First is asked alone of all nodes that may be read by the same ones: no group is looked at twice.
  void connectGroup(std::span<const Node> Readers, Node First) {
    if (Readers.empty() || Of.inputs(Readers.front()).front() != First || !isGroup(Readers))
      return;
    const std::uint32_t Between = addVertex();
    for (Node Input : Of.inputs(Readers.front())) {
      Grouped[Input] = true;
      addEdge(Input, Between, None);
    }
    connectTo(Readers, Between);
  }

  void connectTo(std::span<const Node> Readers, std::uint32_t From) {
    for (Node Reader : Readers)
      addEdge(From, Reader, None);
  }

  const Graph &Of;
  std::vector<bool> Grouped; ///< is connected to its consumers through a vertex of its own
  std::vector<Vertex> Ends;
  std::vector<Edge> Edges;
  std::vector<Binary> Parts;
  std::unordered_map<std::uint64_t, std::uint32_t> Known;
  std::uint32_t Source = None, Sink = None;
  bool Merged = false;
};

} // namespace

std::uint32_t Decomposition::add(Kind Is, std::vector<std::uint32_t> Of) {
  Parts.push_back({Is, None, std::move(Of)});
  return static_cast<std::uint32_t>(Parts.size() - 1);
}

std::uint32_t Decomposition::addJob(std::uint32_t Job) {
  Parts.push_back({Kind::Job, Job, {}});
  return static_cast<std::uint32_t>(Parts.size() - 1);
}

std::vector<std::uint32_t> Decomposition::bottomUp() const {
  std::vector<std::uint32_t> Order, Open;
  if (Root != None)
    Open.push_back(Root);
  while (!Open.empty()) { // each before what it consists of, the last one of a series first; turned round below
    const std::uint32_t Now = Open.back();
    Open.pop_back();
    Order.push_back(Now);
    Open.insert(Open.end(), Parts[Now].Parts.begin(), Parts[Now].Parts.end());
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

std::optional<Decomposition> decompose(const Graph &Of) {
  Reduction Edges(Of);
  const std::optional<std::uint32_t> Root = Edges.run();
  if (!Root)
    return std::nullopt;
  return Edges.flattened(*Root);
}

} // namespace memshape::series_parallel
