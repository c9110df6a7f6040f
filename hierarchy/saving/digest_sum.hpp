// DigestSum: computes a hash of the contents of a world: the sum of a hash for each fact, such as "this entity has that
// parent".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"
#include "../../core/resource_list.hpp"
#include "../../core/values/byte_stream.hpp"

namespace strata::detail {

/// Adds up hashes of facts, such as "this entity has that parent". The sum does not depend on the order in which facts
/// are added. So the sum for a part of a world can be kept while this part stays the same, and `add_sum` adds it to
/// another sum.
class DigestSum {
 public:
  std::uint64_t sum() const { return sum_; }
  void add_sum(std::uint64_t sum) { sum_ += sum; }

  /// Returns: the number that stands for a component, relation or resource with this name in the hashes of facts.
  static std::uint64_t key_of(std::string_view name);

  /// Adds, for each of `count` entities, the fact that it has a component. `values` has the values of these entities,
  /// in the same order; null for a tag. `key` is what `key_of` returns for the name of the component.
  /// Errors: std::bad_alloc, and what the program's functions for writing values (see members_of) throw.
  void add_component(const ComponentInfo& info, std::uint64_t key, const Entity* entities, const void* values,
                     std::size_t count);
  /// Adds the facts that an entity is alive, and that it has this parent, this previous sibling and this name. A null
  /// handle or an empty name means that it has none.
  void add_node(Entity entity, Entity parent, Entity previous, std::string_view name);
  /// Adds the fact that there is a pair from `source` to `target`. `key` is what `key_of` returns for the name of the
  /// relation. `type` is null if the value of the pair is not part of the fact.
  void add_pair(std::uint64_t key, Entity source, Entity target, const ValueType* type, const void* value);
  void add_resource(const ResourceNode& resource);

 private:
  std::uint64_t hash_value(const ValueType& type, const void* value, std::uint64_t seed);

  ByteWriter writer_;
  std::uint64_t sum_ = 0;
};

}  // namespace strata::detail
