#include "archetypes.hpp"

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {

namespace {

/// Memory for the component ids of a temporary signature: an array of 128 bytes in this object. Only long
/// signatures take more memory, from `memory`.
class SignatureScratch {
 public:
  explicit SignatureScratch(std::pmr::memory_resource* memory) : memory_(bytes_, sizeof bytes_, memory) {}

  std::pmr::memory_resource* memory() { return &memory_; }

 private:
  alignas(ComponentId) std::byte bytes_[128];
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace

struct Archetypes::Signatures
    : std::pmr::unordered_map<std::span<const ComponentId>, Archetype*, SignatureHash, SignatureEqual> {
  using unordered_map::unordered_map;
};

Archetypes::Archetypes(const Registry& registry, std::pmr::memory_resource* memory)
    : registry_(registry),
      memory_(memory),
      lasting_(&memory_),
      occupancy_(&memory_),
      by_rank_(&memory_),
      all_(&memory_),
      by_component_(&memory_),
      by_signature_(std::in_place, &lasting_) {
  create(Signature(&memory_));
}

Archetypes::~Archetypes() {
  for (Archetype* archetype : all_) std::destroy_at(archetype);
}

Archetype& Archetypes::get(const Signature& signature) {
  const auto found = by_signature_->find(signature.ids());
  return found != by_signature_->end() ? *found->second : create(signature);
}

Archetype& Archetypes::create(const Signature& signature) {
  reserve_one(all_);
  occupancy_.reserve(all_.size() + 1);
  for (const ComponentId id : signature.ids()) {
    while (by_component_.size() <= to_index(id)) by_component_.emplace_back(&memory_);
    reserve_one(by_component_[to_index(id)]);
  }
  std::pmr::polymorphic_allocator<> allocator(&lasting_);
  const auto id = static_cast<std::uint32_t>(all_.size());
  auto* archetype =
      allocator.new_object<Archetype>(id, signature, registry_, occupancy_, by_rank_, &lasting_, &memory_);
  Rollback free([&] { allocator.delete_object(archetype); });
  by_signature_->emplace(archetype->signature().ids(), archetype);
  free.dismiss();

  all_.push_back(archetype);
  states_ |= archetype->states();
  occupancy_.record(id);
  for (const ComponentId component : signature.ids()) by_component_[to_index(component)].push_back(archetype);
  return *archetype;
}

/// Checks that only the library adds or removes the public tag of a state, such as disabled. A state also has tags that
/// give its reason (see StateTags), and the library changes these before the public tag. So the public tag may only be
/// added to an archetype that has one of these tags, and only be removed from an archetype that has none of them. The
/// check runs when an edge (see Archetype) is made, so cached edges need no check.
void Archetypes::require_by_library(const Archetype& from, ComponentId id) const {
  for (const State state : kStates) {
    const StateTags& tags = registry_.state_tags(state);
    if (id != tags.shown || id == Registry::kUnknown) continue;
    const BlockFormat& format = from.format();
    const bool has_reason =
        format.contains(tags.itself) || format.contains(tags.subtree) || format.contains(tags.above);
    if (has_reason == format.contains(id)) registry_.refuse_state(id);
  }
}

Archetype& Archetypes::find_with(Archetype& from, ComponentId id) {
  require_by_library(from, id);
  SignatureScratch scratch(&memory_);
  return follow(from.with_, id, from.signature().with(id, scratch.memory()));
}

Archetype& Archetypes::find_without(Archetype& from, ComponentId id) {
  require_by_library(from, id);
  SignatureScratch scratch(&memory_);
  return follow(from.without_, id, from.signature().without(id, scratch.memory()));
}

Archetype& Archetypes::follow(ComponentTable<Archetype*>& edges, ComponentId id, const Signature& target) {
  edges.reserve(edges.size() + 1);
  Archetype& found = get(target);
  edges.insert(id, &found);
  return found;
}

std::string Archetypes::check_invariants() const {
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    const Archetype& archetype = *all_[i];
    const auto found = by_signature_->find(archetype.signature().ids());
    if (archetype.id() != i || found == by_signature_->end() || found->second != &archetype) {
      return "A3: an archetype is not the one found by its signature";
    }
    if (std::string complaint = archetype.check_invariants(); !complaint.empty()) return complaint;
  }
  std::vector<std::vector<Archetype*>> expected(by_component_.size());
  for (Archetype* archetype : all_) {
    for (const ComponentId id : archetype->signature().ids()) {
      if (to_index(id) >= expected.size()) return "A4: a component of an archetype has no list";
      expected[to_index(id)].push_back(archetype);
    }
  }
  for (std::uint32_t i = 0; i < by_component_.size(); ++i) {
    const std::span<Archetype* const> listed = by_component_[i];
    if (!std::equal(expected[i].begin(), expected[i].end(), listed.begin(), listed.end())) {
      return "A4: the list of a component's archetypes is wrong";
    }
  }
  return "";
}

}  // namespace strata::detail
