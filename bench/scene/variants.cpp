#include <memory_resource>

#include "../support/counting_memory.hpp"
#include "../support/thread_pool.hpp"
#include "comparison.hpp"
#include "walk.hpp"

namespace scene {

struct SparseLocal {
  Affine value;
};
struct SparseWorldTransform {
  Affine value;
};

}  // namespace scene

template <>
inline constexpr strata::Storage strata::storage_of<scene::SparseLocal> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<scene::SparseWorldTransform> = strata::Storage::sparse;

namespace scene {
namespace {

/// A forest in a world of its own. `Local` and `WorldTransform` each hold an Affine named `value`; their types decide where
/// they are stored. In tables a cascade goes parents first. Pools are sorted once, parents first, and then need none.
template <class Local, class WorldTransform>
class WorldVariant final : public Variant {
 public:
  WorldVariant(const Forest& forest, strata::Layout layout, std::size_t threads)
      : forest_(forest),
        pool_(threads),
        roots_(roots_of(forest.parents)),
        world_(strata::WorldOptions{layout, &memory_}),
        entities_(populate<Local, WorldTransform>(world_, forest)),
        query_(world_.query<const Local, WorldTransform, strata::Parent<const WorldTransform>>()) {
    world_.defragment();
    if constexpr (kInPools) {
      const auto parents_first = [this](strata::Entity left, strata::Entity right) {
        return world_.depth(left) < world_.depth(right);
      };
      world_.pool<Local>().sort(parents_first);
      world_.pool<WorldTransform>().sort(parents_first);
    }
  }

  void frame(unsigned number) override {
    for (const NodeIndex root : roots_) {
      world_.get<Local>(entities_[root]).value = moved(forest_.locals[root], number);
    }
    if constexpr (kInPools) {
      query_.each(propagate);
    } else if (pool_.worker_count() > 1) {
      query_.cascade().par(pool_).each(propagate);
    } else {
      query_.cascade().each(propagate);
    }
  }

  std::vector<Affine> world_transforms() const override {
    std::vector<Affine> transforms;
    transforms.reserve(entities_.size());
    for (const strata::Entity entity : entities_) {
      transforms.push_back(world_.get<WorldTransform>(entity).value);
    }
    return transforms;
  }

  Footprint footprint() const override { return {memory_.bytes(), world_.stats().tables}; }

 private:
  static constexpr bool kInPools = strata::storage_of<Local> == strata::Storage::sparse;

  const Forest& forest_;
  strata::bench::ThreadPool pool_;
  std::vector<NodeIndex> roots_;
  strata::bench::CountingMemory memory_;
  strata::World world_;
  std::vector<strata::Entity> entities_;
  strata::Query<const Local, WorldTransform, strata::Parent<const WorldTransform>> query_;
};

/// The limit: the same useful work over plain arrays, hand-written.
class ArraysVariant final : public Variant {
 public:
  ArraysVariant(const Forest& forest, std::size_t threads)
      : forest_(forest), pool_(threads), order_(breadth_first_order(forest.parents)) {
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
    // A level ends before the first child of its first node.
    for (std::size_t begin = root_count_; begin < parents_.size();) {
      std::size_t end = begin;
      while (end < parents_.size() && parents_[end] < begin) ++end;
      level_ends_.push_back(begin = end);
    }
  }

  void frame(unsigned number) override {
    for (std::size_t row = 0; row < root_count_; ++row) {
      locals_[row] = moved(forest_.locals[order_[row]], number);
      worlds_[row] = locals_[row];
    }
    if (pool_.worker_count() == 1) return update(root_count_, locals_.size());
    std::size_t begin = root_count_;
    for (const std::size_t end : level_ends_) {
      update_level(begin, end);
      begin = end;
    }
  }

  std::vector<Affine> world_transforms() const override {
    std::vector<Affine> transforms(order_.size());
    for (std::size_t row = 0; row < order_.size(); ++row) transforms[order_[row]] = worlds_[row];
    return transforms;
  }

  Footprint footprint() const override { return {memory_.bytes(), 0}; }

 private:
  void update(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      worlds_[row] = compose(worlds_[parents_[row]], locals_[row]);
  }

  /// Threads share the rows of a level if they are many.
  void update_level(std::size_t begin, std::size_t end) {
    constexpr std::size_t kGrain = 2048;
    if (end - begin < 2 * kGrain) return update(begin, end);
    const auto part = [this, begin](std::size_t first, std::size_t last) {
      update(begin + first, begin + last);
    };
    pool_.parallel_for(end - begin, kGrain, part);
  }

  const Forest& forest_;
  strata::bench::ThreadPool pool_;
  std::vector<std::size_t> level_ends_;  // Of the levels below the roots; for several threads alone.
  std::vector<NodeIndex> order_;         // to find the forest's nodes again: not part of the limit
  std::size_t root_count_ = 0;
  strata::bench::CountingMemory memory_;
  std::pmr::vector<Affine> locals_{&memory_};
  std::pmr::vector<Affine> worlds_{&memory_};
  std::pmr::vector<NodeIndex> parents_{&memory_};
};

}  // namespace

std::unique_ptr<Variant> make_tables(const Forest& forest, strata::Layout layout, std::size_t threads) {
  return std::make_unique<WorldVariant<Local, WorldTransform>>(forest, layout, threads);
}

std::unique_ptr<Variant> make_side_store(const Forest& forest) {
  // The entities have no component in tables; per_level keeps their empty rows in as few as possible.
  return std::make_unique<WorldVariant<SparseLocal, SparseWorldTransform>>(forest, strata::Layout::per_level,
                                                                           1);
}

std::unique_ptr<Variant> make_arrays(const Forest& forest, std::size_t threads) {
  return std::make_unique<ArraysVariant>(forest, threads);
}

}  // namespace scene
