// The limit: the same useful work over plain arrays, hand-written.
#include <memory_resource>

#include "../support/counting_memory.hpp"
#include "variant.hpp"

namespace scene {
namespace {

class ArraysVariant final : public Variant {
 public:
  explicit ArraysVariant(const Forest& forest)
      : forest_(forest), order_(breadth_first_order(forest.parents)) {
    std::vector<NodeIndex> place(order_.size());
    for (NodeIndex row = 0; row < order_.size(); ++row) place[order_[row]] = row;
    locals_.reserve(order_.size());
    parents_.reserve(order_.size());
    for (const NodeIndex node : order_) {
      const NodeIndex parent = forest.parents[node];
      locals_.push_back(forest.locals[node]);
      parents_.push_back(parent == kNoParent ? kNoParent : place[parent]);
      if (parent == kNoParent) ++root_count_;
    }
    worlds_.resize(order_.size());
  }

  void frame(unsigned number) override {
    for (std::size_t row = 0; row < root_count_; ++row) {
      locals_[row] = moved(forest_.locals[order_[row]], number);
      worlds_[row] = locals_[row];
    }
    for (std::size_t row = root_count_; row < locals_.size(); ++row)
      worlds_[row] = compose(worlds_[parents_[row]], locals_[row]);
  }

  std::vector<Affine> world_transforms() const override {
    std::vector<Affine> transforms(order_.size());
    for (std::size_t row = 0; row < order_.size(); ++row) transforms[order_[row]] = worlds_[row];
    return transforms;
  }

  Footprint footprint() const override { return {memory_.bytes(), 0}; }

 private:
  const Forest& forest_;
  std::vector<NodeIndex> order_;  // to find the forest's nodes again: not part of the limit
  std::size_t root_count_ = 0;
  strata::bench::CountingMemory memory_;
  std::pmr::vector<Affine> locals_{&memory_};
  std::pmr::vector<Affine> worlds_{&memory_};
  std::pmr::vector<NodeIndex> parents_{&memory_};
};

}  // namespace

std::unique_ptr<Variant> make_arrays(const Forest& forest) {
  return std::make_unique<ArraysVariant>(forest);
}

}  // namespace scene
