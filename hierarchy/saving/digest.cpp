#include "digest.hpp"

namespace strata::detail {
namespace {

/// Computes the digest of a world: the sum of the hashes of the components, parent, previous sibling and name of each
/// entity, of the pairs of all relations, and of the resources.
class Digest {
 public:
  explicit Digest(const Contents& contents) : contents_(contents) {}

  std::uint64_t compute() {
    contents_.store().tables().for_each([&](const Table& table) { add_table(table); });
    contents_.store().side().for_each([&](const SparsePool& pool) { add_pool(contents_, pool, sum_); });
    add_nodes();
    for (const Pairs* pairs : contents_.relations().all()) add_pairs(contents_, *pairs, sum_);
    for (const ResourceNode* const resource : contents_.list_resources()) sum_.add_resource(*resource);
    return sum_.sum();
  }

 private:
  void add_table(const Table& table) {
    if (table.empty()) return;
    for (const ComponentId id : table.archetype().signature().ids()) {
      if (!contents_.counts(id)) continue;
      const ComponentInfo& info = contents_.store().registry()[id];
      const std::uint64_t key = DigestSum::key_of(info.name);
      for (const Block* block = table.first_block(); block != nullptr && block->count != 0;
           block = block->next) {
        const void* const values = info.is_tag() ? nullptr : block->format->find(*block, 0, id);
        sum_.add_component(info, key, block->format->entities(*block), values, block->count);
      }
    }
  }

  void add_nodes() {
    const bool has_names = contents_.names().size() != 0;
    for (std::uint32_t index = 0; index < contents_.store().slots().size(); ++index) {
      const Entity entity = contents_.entity_at(index);
      if (!entity) continue;
      sum_.add_node(entity, contents_.parent_of(entity), contents_.before(entity),
                    has_names ? contents_.names().name(entity) : std::string_view());
    }
  }

  const Contents& contents_;
  DigestSum sum_;
};

}  // namespace

void add_pool(const Contents& contents, const SparsePool& pool, DigestSum& sum) {
  if (pool.size() == 0 || !contents.counts(pool.id())) return;
  const std::uint64_t key = DigestSum::key_of(pool.component().name);
  for (std::uint32_t position = 0; position < pool.size(); ++position) {
    const void* const value = pool.component().is_tag() ? nullptr : pool.value_at(position);
    sum.add_component(pool.component(), key, &pool.entities()[position], value, 1);
  }
}

void add_pairs(const Contents& contents, const Pairs& pairs, DigestSum& sum) {
  if (pairs.size() == 0) return;
  const ComponentInfo& info = pairs.component();
  const ValueType* const type = !info.is_tag() && contents.counts(pairs.id()) ? info.value : nullptr;
  const std::uint64_t key = DigestSum::key_of(info.name);
  pairs.for_each_source([&](Entity source, std::span<const Entity> targets) {
    for (std::uint32_t i = 0; i < targets.size(); ++i)
      sum.add_pair(key, source, targets[i], type, type != nullptr ? pairs.value(source, i) : nullptr);
  });
}

std::uint64_t digest_of(const Contents& contents) {
  return Digest(contents).compute();
}

}  // namespace strata::detail
