#include "digest_sum.hpp"

#include <bit>
#include <span>

#include "../../core/values/hash.hpp"
#include "../../core/values/value_bytes.hpp"

namespace strata::detail {
namespace {

/// The kinds of facts about a world that are hashed.
enum class FactKind : std::uint64_t { tag = 1, alive, child, name, pair, resource };

/// Returns: a hash that depends on `hash`, the hash so far, and on `word`.
/// Source: the output function of SplitMix64 (G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number
/// generators", 2014).
std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (std::rotl(hash, 29) ^ word) + 0x9E37'79B9'7F4A'7C15;
  hash = (hash ^ hash >> 30) * 0xBF58'476D'1CE4'E5B9;
  hash = (hash ^ hash >> 27) * 0x94D0'49BB'1331'11EB;
  return hash ^ hash >> 31;
}
template <class... Words>
std::uint64_t mix_all(FactKind fact, Words... words) {
  auto hash = static_cast<std::uint64_t>(fact);
  ((hash = mix(hash, words)), ...);
  return hash;
}

std::uint64_t hash_of_text(std::string_view text, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(text)), seed);
}

}  // namespace

std::uint64_t DigestSum::key_of(std::string_view name) {
  return hash_of_text(name);
}

std::uint64_t DigestSum::hash_value(const ValueType& type, const void* value, std::uint64_t seed) {
  writer_.clear();
  write_values(type, value, 1, writer_);
  return hash_bytes(writer_.written(), seed);
}

void DigestSum::add_component(const ComponentInfo& info, std::uint64_t key, const Entity* entities,
                              const void* values, std::size_t count) {
  if (values == nullptr) {
    for (std::size_t i = 0; i < count; ++i) sum_ += mix_all(FactKind::tag, key, entities[i].bits());
    return;
  }
  const ValueType& type = *info.value;
  const bool is_copied = can_copy_bytes(type);
  for (std::size_t i = 0; i < count; ++i) {
    const void* const value = at_offset(values, i * type.size);
    const std::uint64_t seed = mix(key, entities[i].bits());
    sum_ += is_copied ? hash_bytes({static_cast<const std::byte*>(value), type.size}, seed)
                      : hash_value(type, value, seed);
  }
}

void DigestSum::add_node(Entity entity, Entity parent, Entity previous, std::string_view name) {
  sum_ += mix_all(FactKind::alive, entity.bits());
  if (parent) sum_ += mix_all(FactKind::child, entity.bits(), parent.bits(), previous.bits());
  if (!name.empty()) sum_ += hash_of_text(name, mix_all(FactKind::name, entity.bits()));
}

void DigestSum::add_pair(std::uint64_t key, Entity source, Entity target, const ValueType* type,
                         const void* value) {
  const std::uint64_t seed =
      mix_all(FactKind::pair, mix_all(FactKind::pair, key), source.bits(), target.bits());
  sum_ += type != nullptr ? hash_value(*type, value, seed) : seed;
}

void DigestSum::add_resource(const ResourceNode& resource) {
  const ResourceType& type = *resource.type;
  sum_ +=
      hash_value(*type.value_type(), type.value_of(resource), mix_all(FactKind::resource, key_of(type.name)));
}

}  // namespace strata::detail
