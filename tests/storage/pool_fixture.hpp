// A sparse pool under test: with typed access to it and all the memory it took.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "../../storage/side_store/pool_removal.hpp"
#include "../../storage/sorting/pool_sorting.hpp"
#include "../support/failing_memory.hpp"
#include "../support/values.hpp"

namespace strata::test {

using namespace detail;

/// Of these, two fit on a page of values.
struct Bulky {
  Counted counted;
  std::array<std::byte, 6000> rest{};
  explicit Bulky(int value = 0) : counted(value) {}
};
inline int number_in(const Bulky& value) {
  return value.counted.value();
}

/// A pool of T, and all the memory it took.
template <class T>
struct PoolFixture {
  FailingMemory memory;
  ComponentInfo component;
  Memberships joined{std::pmr::new_delete_resource()};
  std::optional<SparsePool> owned;
  SparsePool& pool;

  explicit PoolFixture(PoolOptions options = pool_options_of<T>)
      : component(described(options)),
        owned(std::in_place, ComponentId{7}, component, &joined, add_pool(), &memory),
        pool(*owned) {}

  void insert(Entity entity, int number) {
    const SparsePool::Inserted inserted = pool.insert(entity);
    if (inserted.existed) std::destroy_at(static_cast<T*>(inserted.value));
    ::new (inserted.value) T(make_value<T>(number));
  }
  void insert_range(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) insert(Entity(i, 1), static_cast<int>(i));
  }
  int number_at(std::uint32_t position) const {
    return number_in(*static_cast<const T*>(pool.value_at(position)));
  }
  std::vector<Entity> members() const { return {pool.entities().begin(), pool.entities().end()}; }
  std::vector<int> numbers() const {
    std::vector<int> all;
    for (std::uint32_t i = 0; i < pool.size(); ++i) all.push_back(number_at(i));
    return all;
  }
  /// Returns: whether the pool, destroyed now, gives back what it took.
  bool gives_all_back() {
    owned.reset();
    return memory.blocks() == 0 && memory.complaint().empty();
  }

 private:
  static ComponentInfo described(PoolOptions options) {
    ComponentInfo description = strata::describe<T>();
    description.pool = options;
    return description;
  }
  std::uint32_t add_pool() {
    constexpr std::uint32_t kNumber = 3;
    joined.reserve_pools(kNumber + 1);
    return kNumber;
  }
};

}  // namespace strata::test
