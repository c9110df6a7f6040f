// Accessor: reaches one component of any entity, its id and its place found once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "detail/typed_store.hpp"

namespace strata {

/// Does what World::get, find, has, add and remove do for one component, and remembers what those have to find
/// out: its pool in the side store, or its column in the archetype of the last entity. Made by World::accessor; a
/// value to keep, valid as long as the world. `T` may be const: a `const World&` can make such an accessor, and a const
/// one reads, too, but remembers nothing, so that entities of changing archetypes take a little longer.
///
/// Threads: one at a time per accessor; several accessors may read at the same time, and any number of threads may read
/// by one that is const.
template <class T>
requires Component<std::remove_const_t<T>>
class Accessor {
 public:
  using Value = std::remove_const_t<T>;

  explicit Accessor(detail::TypedStore& typed)
      : store_(&typed.store()), typed_(&typed), id_(typed.store().registry().template id_of<Value>()) {
    if constexpr (kSparse) pool_ = &typed.store().side().get(id_);
  }
  /// Writes nothing to the world: a component that it does not know yet is looked for at each access until it does.
  explicit Accessor(const detail::TypedStore& typed) requires(std::is_const_v<T>)
      : store_(&typed.store()), typed_(&typed) {
    find_component();
  }

  /// Returns: the value.
  /// Contract: the entity is alive and has the component.
  /// Complexity: O(1).
  [[nodiscard, gnu::always_inline]] T& get(Entity entity, CallSite at = {}) {
    return get_found(entity, find_as_declared(entity), at);
  }
  [[nodiscard, gnu::always_inline]] T& get(Entity entity, CallSite at = {}) const
      requires(std::is_const_v<T>) {
    return get_found(entity, read_as_declared(entity), at);
  }

  /// Returns: the value; null when the entity is stale or has none.
  /// Complexity: O(1).
  [[nodiscard, gnu::always_inline]] T* find(Entity entity) {
    return find_if_not_found(entity, find_as_declared(entity));
  }
  [[nodiscard, gnu::always_inline]] T* find(Entity entity) const requires(std::is_const_v<T>) {
    return find_if_not_found(entity, read_as_declared(entity));
  }

  /// Returns: whether the entity has the component; false for a stale one.
  /// Complexity: O(1).
  [[nodiscard, gnu::always_inline]] bool contains(Entity entity) const {
    if (is_anywhere()) [[unlikely]]
      return typed_->template has_anywhere<Value>(entity);
    if constexpr (kSparse) {
      return pool_->contains(entity);
    } else {
      const detail::Place place = store_->slots().find(entity);
      return place.block != nullptr && place.block->layout->contains(id_);
    }
  }

  /// Gives the entity the component, or replaces the value that it has.
  /// Returns: the value; nothing for a tag.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the entity is alive, nothing is being iterated.
  /// Invalidates: pointers to the components of the entity in tables, if T is stored in tables.
  /// Complexity: O(components of the entity), O(1) in the side store.
  decltype(auto) add(Entity entity, Value value = Value{}, CallSite at = {}) requires(!std::is_const_v<T>) {
    if constexpr (!kSparse) {
      return typed_->add(entity, value, at);
    } else {
      const detail::Store::Change change(*store_, "add", entity, at);
      const detail::SparsePool::Inserted inserted = insert(entity, at);
      if constexpr (!is_tag<Value>) {
        return inserted.existed
                   ? detail::replace(*store_, "add", entity, *static_cast<Value*>(inserted.value), value)
                   : detail::build_value(*store_, entity, inserted.value, value);
      }
    }
  }

  /// Returns: false when the entity is stale or has no such component.
  /// Errors: std::bad_alloc, if T is stored in tables; nothing has changed then.
  /// Contract: nothing is being iterated.
  /// Invalidates: as `add`, and pointers to values of T in a pool that is not stable.
  /// Complexity: as `add`.
  bool remove(Entity entity, CallSite at = {}) requires(!std::is_const_v<T>) {
    if constexpr (!kSparse) return store_->remove(entity, id_, at);
    // The store refuses what is being iterated, and finds components that have been moved.
    if (!store_->undisturbed()) [[unlikely]]
      return store_->remove(entity, id_, at);
    if constexpr (!detail::is_plain<Value>)
      store_->require_unlocked("remove", entity, at);  // Names what is under way.
    const bool erased = pool_->template erase_as<Value>(entity);
    store_->change_ended();
    return erased;
  }

 private:
  static constexpr bool kSparse = storage_of<Value> == Storage::sparse;
  static constexpr bool kReads = std::is_const_v<T>;
  template <class Object>
  using MaybeConst = std::conditional_t<kReads, const Object, Object>;

  [[gnu::always_inline]] T& get_found(Entity entity, T* value, CallSite at) const {
    if (value == nullptr) [[unlikely]] {
      value = typed_->template find_anywhere<Value>(entity);
      if (value == nullptr) typed_->refuse_absent("get", entity, name_of<Value>, at);
    }
    return *value;
  }
  [[gnu::always_inline]] T* find_if_not_found(Entity entity, T* value) const {
    if (value != nullptr || (!kReads && tracking_of<Value> != Tracking::none) || !is_anywhere()) [[likely]]
      return value;
    return typed_->template find_anywhere<Value>(entity);
  }

  void find_component() {
    id_ = store_->registry().template find_or_unknown<Value>();
    if constexpr (kSparse) {
      const detail::SparsePool* const pool = store_->side().find(id_);
      pool_ = pool != nullptr ? pool : &detail::SparsePool::none();
    }
  }

  [[gnu::always_inline]] T* find_as_declared(Entity entity) {
    static_assert(!is_tag<Value>, "a tag has no value: ask contains");
    if constexpr (kSparse) {
      return pool_->template find_as<Value>(entity);
    } else {
      const detail::Place place = store_->slots().find(entity);
      if (place.block == nullptr) [[unlikely]]
        return nullptr;
      if (place.block->layout != recent_) {
        if (!place.block->layout->contains(id_)) return nullptr;
        remember(*place.block->layout);
      }
      if constexpr (!kReads && tracking_of<Value> != Tracking::none) {
        store_->note_write(place, id_);
      }
      T* const value = detail::column_of<Value>(*place.block, prefix_) + place.row;
      if (value == nullptr) __builtin_unreachable();  // So that `get` does not ask again.
      return value;
    }
  }

  /// As above, without remembering anything.
  [[gnu::always_inline]] T* read_as_declared(Entity entity) const {
    static_assert(!is_tag<Value>, "a tag has no value: ask contains");
    if constexpr (kSparse) {
      return pool_->template find_as<Value>(entity);
    } else {
      const detail::Place place = store_->slots().find(entity);
      if (place.block == nullptr) return nullptr;
      const std::uint32_t prefix = place.block->layout->prefix_of(id_);
      return prefix < detail::ColumnLayout::kTag ? detail::column_of<Value>(*place.block, prefix) + place.row
                                                 : nullptr;
    }
  }

  detail::SparsePool::Inserted insert(Entity entity, CallSite at) {
    if (!store_->undisturbed()) [[unlikely]] {
      const detail::Store::Added added = store_->add(entity, id_, at);
      return {added.value, added.existed};
    }
    store_->require_alive("add", entity, at);
    return pool_->template insert_as<Value>(entity);
  }

  /// Whether the component may be elsewhere than it was looked for: components have been moved to another storage than
  /// their types say, or it was unknown when this was made.
  bool is_anywhere() const {
    if constexpr (kReads) {
      if (kSparse ? pool_ == &detail::SparsePool::none() : id_ == detail::Registry::kUnknown) [[unlikely]]
        return true;
    }
    return store_->registry().moved_components() != 0;
  }

  void remember(const detail::ColumnLayout& layout) {
    recent_ = &layout;
    prefix_ = layout.prefix_of(id_);
  }

  MaybeConst<detail::Store>* store_;
  MaybeConst<detail::TypedStore>* typed_;
  ComponentId id_{};
  MaybeConst<detail::SparsePool>* pool_ = nullptr;
  // The last one with the component: most entities that are asked about one after the other are of one archetype,
  // and a comparison that mostly holds is cheaper than two loads that depend on each other.
  const detail::ColumnLayout* recent_ = nullptr;
  std::uint32_t prefix_ = detail::ColumnLayout::kAbsent;
};

}  // namespace strata
