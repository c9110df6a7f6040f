#include "delta_maker.hpp"

#include <algorithm>
#include <cstring>

#include "../../core/values/value_bytes.hpp"
#include "delta_moves.hpp"
#include "saved_components.hpp"

namespace strata::detail {
namespace {

/// Compares two images (copies of a world, made at two times), and fills a delta with the differences.
class DeltaMaker {
 public:
  DeltaMaker(const SavedParts& parts, const WorldImage& from, const WorldImage& to, Undescribed undescribed,
             WorldDelta& delta)
      : parts_(parts), from_(parts, from), to_(parts, to), undescribed_(undescribed), delta_(delta) {}

  Outcome make() {
    compare_rows();
    if (from_.image().tree != to_.image().tree) list_moves(from_, to_, delta_.moves);
    compare_pools();
    compare_off();
    compare_names();
    compare_all_pairs();
    compare_resources();
    finish_components();
    if (!fault_.empty()) return Outcome::refused(fault_);
    delta_.before = sum_of(delta_, from_, parts_);
    delta_.after = sum_of(delta_, to_, parts_);
    return Outcome::done();
  }

 private:
  const Registry& registry() const { return parts_.store.registry(); }

  /// Returns: whether the delta contains the changes of a component: true for tags and for components whose types are
  /// described for saving (see members_of); false for components whose types are not, and for the library's own data,
  /// such as states and layers. With Undescribed::refuse, a type that is not described also sets `fault_`.
  bool counts(ComponentId id) {
    const ComponentInfo& info = registry()[id];
    if (!may_be_written(registry(), parts_.layers, id)) return false;
    return info.is_tag() || is_described(info.value, "component \"" + info.name + '"');
  }
  bool is_described(const ValueType* type, const std::string& what) {
    if (type == nullptr && undescribed_ == Undescribed::refuse && fault_.empty())
      fault_ = what + " cannot be written: its values are not described; write members_of for it";
    return type != nullptr;
  }
  /// Returns: whether two values of one type differ; false if `type` is null, as it is for a tag.
  bool differ(const ValueType* type, const void* first, const void* second) {
    if (type == nullptr || first == second) return false;
    if (can_copy_bytes(*type)) return std::memcmp(first, second, type->size) != 0;
    for (ByteWriter* const writer : {&writer_, &other_writer_}) writer->clear();
    write_values(*type, first, 1, writer_);
    write_values(*type, second, 1, other_writer_);
    return !std::ranges::equal(writer_.written(), other_writer_.written());
  }

  /// Returns: the list of changes of a component, to which the caller adds changes. `finish_components` adds all lists
  /// to the delta.
  WorldDelta::OfComponent& of(ComponentId id) {
    if (by_id_.size() <= to_index(id)) by_id_.resize(registry().size());
    by_id_[to_index(id)].id = id;
    return by_id_[to_index(id)];
  }
  void compare_values(ComponentId id, Entity entity, const void* before, const void* after) {
    if (differ(registry()[id].value, before, after)) of(id).set.push_back(entity);
  }

  void compare_rows() {
    const StoreImage& from = *from_.image().store;
    const StoreImage& to = *to_.image().store;
    if (from.rows != to.rows) {
      const std::uint32_t slots = std::max(from_.slots(), to_.slots());
      for (std::uint32_t index = 0; index < slots; ++index) compare_slot(index);
      return;
    }
    for (std::size_t block = 0; block < to.blocks.size(); ++block) {
      if (from.blocks[block] != to.blocks[block]) compare_pages(block);
    }
  }
  /// Adds to the delta the entities whose values differ between the images, for a block that has the same rows in both
  /// images. Skips pages (runs of values of one column) that the images share, because their values are equal.
  void compare_pages(std::size_t block) {
    const BlockImage& before = *from_.image().store->blocks[block];
    const BlockImage& after = *to_.image().store->blocks[block];
    const std::uint32_t rows = to_.image().store->rows->blocks[block];
    std::size_t page = 0;
    for (const Column& column : to_.archetype_of_block(block).format().columns()) {
      for (std::uint32_t row = 0; row < rows; row += rows_per_page(column.size), ++page) {
        if (before[page] == after[page] || !counts(column.id)) continue;
        for (std::uint32_t i = 0; i < after[page].count(); ++i)
          compare_values(column.id, to_.entity_in(block, row + i),
                         at_offset(before[page].values(), std::size_t{i} * column.size),
                         at_offset(after[page].values(), std::size_t{i} * column.size));
      }
    }
  }
  void compare_slot(std::uint32_t index) {
    const Entity before = from_.entity_at(index);
    const Entity after = to_.entity_at(index);
    if (before && before != after) delta_.destroyed.push_back(before);
    if (!after) return;
    if (before != after) {
      delta_.created.push_back(after);
      add_created(after);
    } else if (!to_.has_row_of(from_, after) || from_.archetype(after) != to_.archetype(after)) {
      compare_entity(after);
    }
  }
  void add_created(Entity entity) {
    for (const ComponentId id : to_.archetype(entity)->signature().ids()) {
      if (counts(id)) of(id).set.push_back(entity);
    }
    const WorldDelta::Marked marks = marks_of(to_, entity);
    if (marks.itself != 0 || marks.subtree != 0 || marks.layer != Layers::kDefaultKey)
      delta_.marked.push_back(marks);
  }
  void compare_entity(Entity entity) {
    for (const ComponentId id : to_.archetype(entity)->signature().ids()) {
      if (!counts(id)) continue;
      if (from_.has(entity, id)) {
        compare_values(id, entity, from_.value(entity, id), to_.value(entity, id));
      } else {
        of(id).set.push_back(entity);
      }
    }
    for (const ComponentId id : from_.archetype(entity)->signature().ids()) {
      if (!to_.has(entity, id) && counts(id)) of(id).removed.push_back(entity);
    }
    const WorldDelta::Marked before = marks_of(from_, entity);
    const WorldDelta::Marked after = marks_of(to_, entity);
    if (before.itself != after.itself || before.subtree != after.subtree || before.layer != after.layer)
      delta_.marked.push_back(after);
  }

  void compare_pools() {
    for (std::uint32_t i = 0; i < registry().size(); ++i) {
      const ComponentId id{i};
      const SparsePool* const before = from_.pool(id);
      const SparsePool* const after = to_.pool(id);
      if (before == after || !counts(id)) continue;
      for (const Entity entity : members(after)) {
        if (from_.has(entity, id)) {
          compare_values(id, entity, from_.value(entity, id), to_.value(entity, id));
        } else {
          of(id).set.push_back(entity);
        }
      }
      for (const Entity entity : members(before)) {
        if (to_.alive(entity) && !to_.has(entity, id)) of(id).removed.push_back(entity);
      }
    }
  }
  static std::span<const Entity> members(const SparsePool* pool) {
    return pool != nullptr ? pool->entities() : std::span<const Entity>();
  }
  void compare_off() {
    for (const Registry::Toggled& toggled : registry().toggled()) {
      const SparsePool* const before = from_.pool(toggled.off);
      const SparsePool* const after = to_.pool(toggled.off);
      if (before == after || !counts(toggled.id)) continue;
      for (const Entity entity : members(after)) {
        if (!from_.is_off(entity, toggled.id)) of(toggled.id).off.push_back(entity);
      }
      for (const Entity entity : members(before)) {
        if (to_.has(entity, toggled.id) && !to_.is_off(entity, toggled.id))
          of(toggled.id).on.push_back(entity);
      }
    }
  }

  void compare_names() {
    const NamesImage* const before = from_.image().names.get();
    const NamesImage* const after = to_.image().names.get();
    if (before == after) return;
    for (const Entity entity : after != nullptr ? std::span(after->order) : std::span<const Entity>()) {
      const std::string_view name = to_.name(entity);
      if (from_.name(entity) != name) delta_.named.push_back({entity, std::string(name)});
    }
    for (const Entity entity : before != nullptr ? std::span(before->order) : std::span<const Entity>()) {
      if (to_.alive(entity) && to_.name(entity).empty()) delta_.named.push_back({entity, ""});
    }
  }

  void compare_all_pairs() {
    for (const Pairs* const known : parts_.relations.all()) {
      const Pairs* const before = from_.pairs(known->id());
      const Pairs* const after = to_.pairs(known->id());
      if (before != after && counts(known->id())) compare_pairs(*known, before, after);
    }
  }
  void compare_pairs(const Pairs& known, const Pairs* before, const Pairs* after) {
    const ValueType* const type = known.component().value;
    for_each_pair(after, [&](Entity source, Entity target, const void* value) {
      const Pairs::Found found = before != nullptr ? before->find(source, target) : Pairs::Found{};
      if (!found || differ(type, before->value(source, found.position), value))
        of(known.id()).set_pairs.push_back({source, target});
    });
    for_each_pair(before, [&](Entity source, Entity target, const void*) {
      if (after == nullptr || !after->find(source, target))
        of(known.id()).removed_pairs.push_back({source, target});
    });
  }
  template <class Visit>
  static void for_each_pair(const Pairs* pairs, Visit visit) {
    if (pairs == nullptr) return;
    pairs->for_each_source([&](Entity source, std::span<const Entity> targets) {
      for (std::uint32_t i = 0; i < targets.size(); ++i) {
        if (pairs->options().symmetric && targets[i].index() < source.index())
          continue;  // The reverse pair is listed instead.
        visit(source, targets[i], pairs->value(source, i));
      }
    });
  }

  void compare_resources() {
    for (const auto& image : to_.image().resources) {
      const ResourceNode& after = image->resource();
      const ResourceNode* const before = from_.resource(after.type->name);
      if (before == &after) continue;
      const ValueType* const type = after.type->value_type();
      if (!is_described(type, "resource \"" + std::string(after.type->name) + '"')) continue;
      const void* const value = after.type->value_of(after);
      if (before != nullptr && !differ(type, before->type->value_of(*before), value)) continue;
      delta_.resources.push_back({after.type, false, {}});
      append(*type, value, delta_.resources.back().value);
    }
    for (const auto& image : from_.image().resources) {
      const ResourceType& type = *image->resource().type;
      if (to_.resource(type.name) == nullptr && type.value_type() != nullptr)
        delta_.resources.push_back({&type, true, {}});
    }
  }

  void append(const ValueType& type, const void* value, std::vector<std::byte>& to) {
    writer_.clear();
    write_values(type, value, 1, writer_);
    to.insert(to.end(), writer_.written().begin(), writer_.written().end());
  }
  /// Adds the changes of all components to the delta. Takes the new values of components and pairs from the image
  /// `to_`.
  void finish_components() {
    for (WorldDelta::OfComponent& changes : by_id_) {
      if (changes.removed.empty() && changes.set.empty() && changes.on.empty() && changes.off.empty() &&
          changes.removed_pairs.empty() && changes.set_pairs.empty())
        continue;
      const ComponentInfo& info = registry()[changes.id];
      if (!info.is_tag()) {
        for (const Entity entity : changes.set)
          append(*info.value, to_.value(entity, changes.id), changes.values);
        for (const WorldDelta::PairEnds& ends : changes.set_pairs)
          append(*info.value, to_.pairs(changes.id)->find_value(ends.source, ends.target),
                 changes.pair_values);
      }
      delta_.components.push_back(std::move(changes));
    }
  }

  const SavedParts& parts_;
  ImageFacts from_;
  ImageFacts to_;
  Undescribed undescribed_;
  WorldDelta& delta_;
  std::vector<WorldDelta::OfComponent> by_id_;
  ByteWriter writer_;
  ByteWriter other_writer_;
  std::string fault_;
};

}  // namespace

Outcome make_world_delta(const SavedParts& parts, const WorldImage& from, const WorldImage& to,
                         Undescribed undescribed, WorldDelta& delta) {
  return DeltaMaker(parts, from, to, undescribed, delta).make();
}

}  // namespace strata::detail
