#include "digest.hpp"

#include <bit>
#include <string_view>

#include "../../core/values/hash.hpp"
#include "../../core/values/value_bytes.hpp"

namespace strata::detail {
namespace {

std::uint64_t hash_of_text(std::string_view text, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(text)), seed);
}

/// Adds up hashes of facts, such as "this entity has that parent". A sum depends on no order, so facts are added as
/// they are found.
class Digest {
 public:
  explicit Digest(const Contents& contents) : contents_(contents) {}

  std::uint64_t compute() {
    contents_.store().tables().for_each([&](const Table& table) { add_table(table); });
    contents_.store().side().for_each([&](const SparsePool& pool) { add_pool(pool); });
    add_nodes();
    for (const Pairs* pairs : contents_.relations().all()) add_pairs(*pairs);
    add_resources();
    return sum_;
  }

 private:
  /// The kinds of facts.
  enum class Fact : std::uint64_t { tag = 1, alive, child, name, pair, resource };

  /// Returns: a number into which a word is mixed.
  /// Source: the output function of SplitMix64 (G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number
  /// generators", 2014).
  static std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    hash = (std::rotl(hash, 29) ^ word) + 0x9E37'79B9'7F4A'7C15;
    hash = (hash ^ hash >> 30) * 0xBF58'476D'1CE4'E5B9;
    hash = (hash ^ hash >> 27) * 0x94D0'49BB'1331'11EB;
    return hash ^ hash >> 31;
  }
  template <class... Words>
  static std::uint64_t mix_all(Fact fact, Words... words) {
    auto hash = static_cast<std::uint64_t>(fact);
    ((hash = mix(hash, words)), ...);
    return hash;
  }

  /// Adds the value of a component of some entities, which lie side by side.
  void add_values(const ValueType& type, std::uint64_t key, const Entity* entities, const void* values,
                  std::size_t count) {
    const bool is_copied = can_copy_bytes(type);
    for (std::size_t i = 0; i < count; ++i) {
      const void* const value = at_offset(values, i * type.size);
      const std::uint64_t seed = mix(key, entities[i].bits());
      sum_ += is_copied ? hash_bytes({static_cast<const std::byte*>(value), type.size}, seed)
                        : hash_value(type, value, seed);
    }
  }
  std::uint64_t hash_value(const ValueType& type, const void* value, std::uint64_t seed) {
    writer_.clear();
    write_values(type, value, 1, writer_);
    return hash_bytes(writer_.written(), seed);
  }

  void add_table(const Table& table) {
    if (table.empty()) return;
    for (const ComponentId id : table.archetype().signature().ids()) {
      if (!contents_.counts(id)) continue;
      const ComponentInfo& info = contents_.store().registry()[id];
      const std::uint64_t key = hash_of_text(info.name);
      for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
        const Entity* const entities = block->format->entities(*block);
        if (info.is_tag()) {
          for (std::uint32_t row = 0; row < block->count; ++row)
            sum_ += mix_all(Fact::tag, key, entities[row].bits());
        } else if (block->count != 0) {
          add_values(*info.value, key, entities, block->format->find(*block, 0, id), block->count);
        }
      }
    }
  }

  void add_pool(const SparsePool& pool) {
    if (pool.size() == 0 || !contents_.counts(pool.id())) return;
    const std::uint64_t key = hash_of_text(pool.component().name);
    for (std::uint32_t position = 0; position < pool.size(); ++position) {
      const Entity entity = pool.entities()[position];
      if (pool.component().is_tag()) {
        sum_ += mix_all(Fact::tag, key, entity.bits());
      } else {
        add_values(*pool.component().value, key, &entity, pool.value_at(position), 1);
      }
    }
  }

  void add_nodes() {
    const bool has_names = contents_.names().size() != 0;
    for (std::uint32_t index = 0; index < contents_.store().slots().size(); ++index) {
      const Entity entity = contents_.entity_at(index);
      if (!entity) continue;
      sum_ += mix_all(Fact::alive, entity.bits());
      if (const Entity parent = contents_.parent_of(entity))
        sum_ += mix_all(Fact::child, entity.bits(), parent.bits(), contents_.before(entity).bits());
      const std::string_view name = has_names ? contents_.names().name(entity) : std::string_view();
      if (!name.empty()) sum_ += hash_of_text(name, mix_all(Fact::name, entity.bits()));
    }
  }

  void add_pairs(const Pairs& pairs) {
    if (pairs.size() == 0) return;
    const ComponentInfo& info = pairs.component();
    const bool has_values = !info.is_tag() && contents_.counts(pairs.id());
    const std::uint64_t key = mix_all(Fact::pair, hash_of_text(info.name));
    pairs.for_each_source([&](Entity source, std::span<const Entity> targets) {
      for (std::uint32_t i = 0; i < targets.size(); ++i) {
        const std::uint64_t seed = mix_all(Fact::pair, key, source.bits(), targets[i].bits());
        sum_ += has_values ? hash_value(*info.value, pairs.value(source, i), seed) : seed;
      }
    });
  }

  void add_resources() {
    for (const ResourceNode* const resource : contents_.list_resources()) {
      const std::uint64_t key = mix_all(Fact::resource, hash_of_text(resource->type->name));
      sum_ += hash_value(*resource->type->value_type(), resource->type->value_of(*resource), key);
    }
  }

  const Contents& contents_;
  ByteWriter writer_;
  std::uint64_t sum_ = 0;
};

}  // namespace

std::uint64_t digest_of(const Contents& contents) {
  return Digest(contents).compute();
}

}  // namespace strata::detail
