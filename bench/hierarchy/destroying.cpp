// Trees that are destroyed by their roots, and leaves that are destroyed here and there.
#include <optional>

#include "subject.hpp"
#include "support/packed_set.hpp"
#include "support/random.hpp"

namespace strata::bench::destroying {
namespace {

struct DoomedData : TreeData<Affine> {
  explicit DoomedData(const Subject& subject) : TreeData(subject), children(tree) {}

  ChildRanges children;
};

/// The limit: a generation per node of breadth-first arrays, and a list of free indices.
class DoomedArrays {
 public:
  explicit DoomedArrays(const DoomedData& data) : data_(data), generations_(data.tree.parents.size()) {
    free_.reserve(generations_.size());
  }

  void prepare() { free_.clear(); }
  /// Destroys all nodes, root by root.
  void step() {
    for (std::uint32_t root = 0; root < data_.arrays.roots; ++root) {
      for_each_level(data_.children, root, [this](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t node = begin; node < end; ++node) destroy(node);
      });
    }
  }
  Complaint check() const { return free_.size() == generations_.size() ? "" : "nodes are left"; }

 protected:
  void destroy(std::uint32_t node) {
    ++generations_[node];
    free_.push_back(node);
  }

  const DoomedData& data_;

 private:
  NodeList generations_;
  NodeList free_;
};

/// The same in arrays by level, each node a row, in the order in which a scene creates them.
class DoomedLevels : public DoomedArrays {
 public:
  explicit DoomedLevels(const DoomedData& data)
      : DoomedArrays(data), numbers_(places_in(data.script.creation.nodes)) {}

  void prepare() {
    levels_.emplace(data_.script.creation);
    DoomedArrays::prepare();
  }
  void step() {
    for (std::uint32_t root = 0; root < data_.arrays.roots; ++root) {
      levels_->destroy(numbers_[root], [this](std::uint32_t node) { destroy(node); });
    }
  }
  Complaint check() const { return levels_->size() == 0 ? DoomedArrays::check() : "nodes are left by hand"; }

 private:
  NodeList numbers_;  // By node of the tree.
  std::optional<LevelArrays> levels_;
};

/// A tree that is built again each time that it has been destroyed.
class DoomedScene {
 public:
  DoomedScene(Layout layout, const DoomedData& data) : layout_(layout), data_(data) {}

  void prepare() {
    scene_.emplace(layout_, data_);
    const std::vector<Entity> handles = scene_->handles();
    roots_.assign(handles.begin(), handles.begin() + data_.arrays.roots);
  }

  void step() {
    for (const Entity root : roots_) scene_->world().destroy(root);
  }

  Complaint check() const {
    const std::vector<Entity> handles = scene_->handles();
    return wrong_tree<Affine>(scene_->world(), handles, data_.arrays.parents, data_.arrays.locals, handles);
  }

 private:
  Layout layout_;
  const DoomedData& data_;
  std::optional<TreeScene<DoomedData>> scene_;
  std::vector<Entity> roots_;
};

/// Rounds of leaves, a random 10 % each. What a step has destroyed is created again before the next.
struct ShedData : TreeData<Affine> {
  explicit ShedData(const Subject& subject) : TreeData(subject) {
    std::mt19937 random(17);
    const NodeList leaves = leaves_of(tree);
    for (int round = 0; round < 8; ++round) rounds.push_back(chosen(random, leaves, leaves.size() / 10));
  }

  std::vector<NodeList> rounds;
};

/// The limit: packed rows, of which a round of leaves is destroyed in each step. The list of free numbers gives each
/// leaf its own again.
class ShedRows {
 public:
  explicit ShedRows(const ShedData& data) : data_(data), rows_(data.arrays.size()) {
    for (std::uint32_t node = 0; node < data.arrays.size(); ++node) create(node);
  }

  void prepare() {
    const NodeList& last = data_.rounds[round_];
    const bool destroyed = rows_.size() != data_.arrays.size();  // Not before the first round.
    for (std::size_t i = destroyed ? last.size() : 0; i-- > 0;) create(last[i]);
    round_ = (round_ + 1) % data_.rounds.size();
  }
  void step() {
    for (const std::uint32_t leaf : data_.rounds[round_]) rows_.destroy(leaf);
  }
  Complaint check() const {
    const std::size_t destroyed = data_.rounds.front().size();
    if (rows_.size() + destroyed != data_.arrays.size()) return "the number of rows is wrong";
    return first_fault(data_.arrays.size(), "has the wrong parent or value", [this](std::uint32_t node) {
      return !rows_.set().contains(node) ||
             (rows_.set().get<std::uint32_t>(node) == data_.arrays.parents[node] &&
              rows_.set().get<LocalOf<Affine>>(node).value == data_.arrays.locals[node]);
    });
  }

 private:
  void create(std::uint32_t node) {
    const Affine& local = data_.arrays.locals[node];
    rows_.create(data_.arrays.parents[node], {local}, {local});
  }

  const ShedData& data_;
  PackedRows<std::uint32_t, LocalOf<Affine>, WorldOf<Affine>> rows_;
  std::size_t round_ = 0;
};

/// A scene whose leaves come and go.
class ShedScene : TreeScene<ShedData> {
 public:
  ShedScene(Layout layout, const ShedData& tree) : TreeScene(layout, tree), handles_(handles()) {}

  void step() {
    for (const Entity leaf : doomed_) world().destroy(leaf);
  }

  /// Creates the leaves of the last round again, and looks up those of the next.
  void prepare() {
    for (const std::uint32_t leaf : data.rounds[round_]) {
      if (world().alive(handles_[leaf])) break;  // It is the first round.
      const Affine& local = data.arrays.locals[leaf];
      handles_[leaf] =
          world().create(child_of(handles_[data.arrays.parents[leaf]]), Local{local}, InWorld{local});
    }
    round_ = (round_ + 1) % data.rounds.size();
    doomed_.clear();
    for (const std::uint32_t leaf : data.rounds[round_]) doomed_.push_back(handles_[leaf]);
  }

  Complaint check() const {
    return wrong_tree<Affine>(world(), handles_, data.arrays.parents, data.arrays.locals, doomed_);
  }

 private:
  std::vector<Entity> handles_;  // By node.
  std::vector<Entity> doomed_;
  std::size_t round_ = 0;
};

const Family kFamily([](Suite& suite) {
  ask_about_trees<DoomedData>(suite, {.name = "delete_tree",
                                      .limit = done_by<DoomedArrays>,
                                      .answer = done_in<DoomedScene>,
                                      .at_most = 8,
                                      .more_answers = {{"by_hand", done_by<DoomedLevels, DoomedData>}}});
  ask_about_trees<ShedData>(suite,
                            {.name = "delete_leaves",
                             .limit = done_by<ShedRows>,
                             .answer = done_in<ShedScene>,
                             .at_most = 4,
                             .items = [](const ShedData& data) { return data.rounds.front().size(); }});
});

}  // namespace
}  // namespace strata::bench::destroying
