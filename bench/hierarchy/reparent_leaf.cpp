#include <algorithm>
#include <memory>
#include <string>

#include "edits.hpp"
#include "questions.hpp"
#include "support/random.hpp"

namespace strata::bench {
namespace {

/// Rounds of random leaves that go below random other parents: 1 % of the nodes, or all leaves if they are
/// fewer.
struct Data : EditData {
  explicit Data(const Subject& subject) : EditData(subject) {
    std::mt19937 random(19);
    const NodeList leaves = leaves_of(tree);
    const NodeList inner = inner_nodes_of(tree);
    const auto parents = static_cast<std::uint32_t>(inner.size());
    for (int round = 0; round < 8; ++round) {
      Excursions<std::uint32_t>& excursions = rounds.emplace_back();
      for (const std::uint32_t leaf : chosen(random, leaves, tree.parents.size() / 100)) {
        const std::uint32_t home = tree.parents[leaf];
        std::uint32_t away = inner[below(random, parents)];
        if (away == home) away = home != inner.front() ? inner.front() : inner.back();
        excursions.push_back({leaf, away, home});
      }
    }
  }
};

/// The limit: siblings chained in both directions, from their parent's first child.
class LinkArrays {
 public:
  explicit LinkArrays(const Tree& tree) : nodes_(tree.parents.size()) {
    for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;) {
      if (tree.parents[node] != Tree::kNoParent) link(node, tree.parents[node]);
    }
  }

  void set_parent(std::uint32_t node, std::uint32_t parent) {
    unlink(node);
    link(node, parent);
  }

  /// Returns: the first node that is not the parent of exactly its children.
  Complaint wrong_parent(const Tree& tree) const {
    std::size_t linked = 0;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      for (std::uint32_t child = nodes_[node].first; child != kNone; child = nodes_[child].next) {
        ++linked;
        if (nodes_[child].parent != node || tree.parents[child] != node) {
          return "node " + std::to_string(child) + " has the wrong parent";
        }
      }
    }
    return linked == children_of(tree).size() ? "" : "nodes are missing";
  }

 private:
  static constexpr std::uint32_t kNone = Tree::kNoParent;

  struct Links {
    std::uint32_t parent = kNone;
    std::uint32_t first = kNone;
    std::uint32_t next = kNone;
    std::uint32_t previous = kNone;
  };

  void link(std::uint32_t node, std::uint32_t parent) {
    const std::uint32_t next = nodes_[parent].first;
    nodes_[node].parent = parent;
    nodes_[node].next = next;
    nodes_[node].previous = kNone;
    if (next != kNone) nodes_[next].previous = node;
    nodes_[parent].first = node;
  }

  void unlink(std::uint32_t node) {
    const Links& links = nodes_[node];
    if (links.next != kNone) nodes_[links.next].previous = links.previous;
    if (links.previous != kNone) {
      nodes_[links.previous].next = links.next;
    } else {
      nodes_[links.parent].first = links.next;
    }
  }

  std::vector<Links> nodes_;
};

Work move_in_arrays(Data& data) {
  const auto links = std::make_shared<LinkArrays>(data.tree);
  const auto traveller = std::make_shared<Traveller<std::uint32_t>>(data.rounds);
  return {.step =
              [links, traveller] {
                traveller->step(
                    [&](std::uint32_t node, std::uint32_t parent) { links->set_parent(node, parent); });
              },
          .check =
              [links, traveller, &data] {
                return links->wrong_parent(after_steps(data.tree, data.rounds, traveller->steps()));
              }};
}

Work move_in_scene(Layout layout, Data& data) {
  const auto scene = std::make_shared<EditedScene>(layout, data);
  return {.step = [scene] { scene->re_parent(); }, .check = [scene] { return scene->wrong_node(); }};
}

Bar bar(const Subject&, Layout) {
  return Bar::at_most(3);
}

}  // namespace

void ask_reparent_leaf(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<Data> kQuestion{
      .name = "reparent_leaf",
      .limit = move_in_arrays,
      .answer = move_in_scene,
      .bar = bar,
      .items = [](const Data& data) { return data.rounds.front().size(); }};
  ask(suite, kQuestion, subject, subject.is_typical());
}

}  // namespace strata::bench
