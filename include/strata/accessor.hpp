// Accessor: reads, adds and removes one component of any entity, faster than the functions of World.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../../core/compiler.hpp"
#include "detail/typed_store.hpp"

namespace strata {

/// Reads, adds and removes one component of any entity. An Accessor is faster than World::get, find, has, add and
/// remove, because it remembers what those functions look up: the pool of the component in the side store (sparse
/// sets), or the component's column in the archetype of the last entity. World::accessor makes an Accessor, which may
/// be kept and is valid as long as the world.
///
/// `T` may be const; a `const World&` can only make accessors of const T. A `const Accessor` only reads. It remembers
/// no columns from call to call, so it is slightly slower.
///
/// Threads: one thread at a time per accessor. Several accessors may read at the same time, and any number of
/// threads may read through a const accessor.
template <class T>
requires Component<std::remove_const_t<T>>
class Accessor {
 public:
  using Value = std::remove_const_t<T>;

  explicit Accessor(detail::TypedStore& typed)
      : store_(&typed.store()), typed_(&typed), id_(typed.store().registry().template id_of<Value>()) {
    if constexpr (kSparse) pool_ = &typed.store().side().get(id_);
  }
  /// Makes an accessor that only reads. If the component is not registered in the world yet, each access looks up
  /// whether it is registered now.
  explicit Accessor(const detail::TypedStore& typed) requires(std::is_const_v<T>)
      : store_(&typed.store()), typed_(&typed) {
    find_component();
  }

  /// Returns: the entity's value of the component. If T is not const and changes of its values are tracked (see
  /// tracking_of), the call counts as a change.
  /// Contract: the entity is alive and has the component.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_ALWAYS_INLINE T& get(Entity entity, CallSite at = {}) {
    const detail::UseScope use = store_->reading("get of an accessor");
    return get_found(entity, find_as_declared(entity), at);
  }
  [[nodiscard]] STRATA_ALWAYS_INLINE T& get(Entity entity, CallSite at = {}) const
      requires(std::is_const_v<T>) {
    const detail::UseScope use = store_->reading("get of an accessor");
    return get_found(entity, read_as_declared(entity), at);
  }

  /// Returns: a pointer to the entity's value of the component; null if the entity is stale or does not have it. If T
  /// is not const and changes of its values are tracked (see tracking_of), a call that finds the value counts as a
  /// change.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_ALWAYS_INLINE T* find(Entity entity) {
    const detail::UseScope use = store_->reading("find of an accessor");
    return find_if_not_found(entity, find_as_declared(entity));
  }
  [[nodiscard]] STRATA_ALWAYS_INLINE T* find(Entity entity) const requires(std::is_const_v<T>) {
    const detail::UseScope use = store_->reading("find of an accessor");
    return find_if_not_found(entity, read_as_declared(entity));
  }

  /// Returns: whether the entity has the component; false if the entity is stale.
  /// Complexity: O(1).
  [[nodiscard]] STRATA_ALWAYS_INLINE bool contains(Entity entity) const {
    const detail::UseScope use = store_->reading("contains of an accessor");
    if (is_anywhere()) [[unlikely]]
      return typed_->template has_anywhere<Value>(entity);
    if constexpr (kSparse) {
      return pool_->contains(entity);
    } else {
      const detail::Place place = store_->slots().find(entity);
      return place.block != nullptr && place.block->format->contains(id_);
    }
  }

  /// Adds the component to the entity, or replaces the value if the entity has the component.
  /// Returns: a reference to the new value; nothing for a tag.
  /// Errors: std::bad_alloc; nothing has changed then.
  /// Contract: the entity is alive, and no query iterates.
  /// Invalidates: if T is stored in tables and the entity did not have it, pointers to the components of the entity in
  /// tables, and of other entities in its old and its new table.
  /// Complexity: O(components of the entity); O(1) if T is stored in the side store (sparse sets).
  decltype(auto) add(Entity entity, Value value = Value{}, CallSite at = {}) requires(!std::is_const_v<T>) {
    if constexpr (!kSparse || detail::requires_others<Value>) {
      return typed_->add(entity, value, at);
    } else {
      if (!store_->undisturbed()) [[unlikely]]
        return typed_->add(entity, value, at);
      const detail::Store::Change change(*store_, "add", entity, at);
      const detail::SparsePool::Inserted inserted = insert(entity, at);
      if constexpr (!is_tag<Value>) {
        return inserted.existed
                   ? detail::replace(*store_, "add", entity, *static_cast<Value*>(inserted.value), value)
                   : detail::build_value(*store_, entity, inserted.value, value);
      }
    }
  }

  /// Removes the component from the entity.
  /// Returns: false if the entity is stale or does not have the component.
  /// Errors: std::bad_alloc, if T is stored in tables; nothing has changed then.
  /// Contract: no query iterates.
  /// Invalidates: if T is stored in tables, pointers to the components of the entity in tables, and of other entities
  /// in its old and its new table. If T is stored in the side store, the pointer to the removed value, and pointers to
  /// other values of T, unless removals from its pool (sparse set) move no values (Removal::stable).
  /// Complexity: O(components of the entity); O(1) if T is stored in the side store (sparse sets).
  bool remove(Entity entity, CallSite at = {}) requires(!std::is_const_v<T>) {
    static_assert(!detail::is_kept_by_library<Value>,
                  "only the library removes this component: remove a pair of the relation");
    if constexpr (!kSparse || can_toggle<Value>) return store_->remove(entity, id_, at);
    const detail::UseScope use = store_->changing("remove", at);
    // `undisturbed` is false, for example, while a query iterates, or if World::set_storage has moved any component to
    // another storage. Store::remove handles these cases, but is slower than the code below.
    if (!store_->undisturbed()) [[unlikely]]
      return store_->remove(entity, id_, at);
    if constexpr (!detail::is_plain<Value>)
      store_->require_unlocked("remove", entity, at);  // The message says what is under way.
    const bool erased = pool_->template erase_as<Value>(entity);
    store_->change_ended();
    return erased;
  }

 private:
  static constexpr bool kSparse = storage_of<Value> == Storage::sparse;
  static constexpr bool kReads = std::is_const_v<T>;
  template <class Object>
  using MaybeConst = std::conditional_t<kReads, const Object, Object>;

  STRATA_ALWAYS_INLINE T& get_found(Entity entity, T* value, CallSite at) const {
    if (value == nullptr) [[unlikely]] {
      value = typed_->template find_anywhere<Value>(entity);
      if (value == nullptr) typed_->refuse_absent("get", entity, name_of<Value>, at);
    }
    return *value;
  }
  STRATA_ALWAYS_INLINE T* find_if_not_found(Entity entity, T* value) const {
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

  STRATA_ALWAYS_INLINE T* find_as_declared(Entity entity) {
    static_assert(!is_tag<Value>, "a tag has no value: call contains");
    if constexpr (kSparse) {
      return pool_->template find_as<Value>(entity);
    } else {
      const detail::Place place = store_->slots().find(entity);
      if (place.block == nullptr) [[unlikely]]
        return nullptr;
      if (place.block->format != recent_) {
        if (!place.block->format->contains(id_)) return nullptr;
        remember(*place.block->format);
      }
      if constexpr (!kReads && tracking_of<Value> != Tracking::none) {
        store_->mark_write(place, id_);
      }
      T* const value = detail::column_of<Value>(*place.block, prefix_) + place.row;
      if (value == nullptr) STRATA_UNREACHABLE();  // Lets `get` omit its test for null.
      return value;
    }
  }

  /// Returns: a pointer to the value, if the component is stored where `storage_of<Value>` says and the entity has it;
  /// null otherwise. Does not remember the column for the next call, so a const accessor may call this function.
  STRATA_ALWAYS_INLINE T* read_as_declared(Entity entity) const {
    static_assert(!is_tag<Value>, "a tag has no value: call contains");
    if constexpr (kSparse) {
      return pool_->template find_as<Value>(entity);
    } else {
      const detail::Place place = store_->slots().find(entity);
      if (place.block == nullptr) return nullptr;
      const std::uint32_t prefix = place.block->format->prefix_of(id_);
      return prefix < detail::BlockFormat::kTag ? detail::column_of<Value>(*place.block, prefix) + place.row
                                                : nullptr;
    }
  }

  detail::SparsePool::Inserted insert(Entity entity, CallSite at) {
    store_->require_alive("add", entity, at);
    return pool_->template insert_as<Value>(entity);
  }

  /// Returns: whether the component may be stored elsewhere than `storage_of<Value>` says, so that a look-up must ask
  /// the store: either some component of the world was moved to another storage, or this read-only accessor was made
  /// before the component was registered (for a component in the side store, before it had a pool).
  bool is_anywhere() const {
    if constexpr (kReads) {
      if (kSparse ? pool_ == &detail::SparsePool::none() : id_ == detail::Registry::kUnknown) [[unlikely]]
        return true;
    }
    return store_->registry().moved_components() != 0;
  }

  void remember(const detail::BlockFormat& format) {
    recent_ = &format;
    prefix_ = format.prefix_of(id_);
  }

  MaybeConst<detail::Store>* store_;
  MaybeConst<detail::TypedStore>* typed_;
  ComponentId id_{};
  MaybeConst<detail::SparsePool>* pool_ = nullptr;
  // `recent_` is the layout of the archetype of the last entity that had the component. `prefix_` is the number of
  // bytes per row of all columns before the component's column; it gives the address of the column in a block (see
  // BlockFormat). Both are kept for the next access, because successive entities often have the same archetype:
  // comparing with `recent_` is then faster than looking up the prefix, which takes two dependent loads.
  const detail::BlockFormat* recent_ = nullptr;
  std::uint32_t prefix_ = detail::BlockFormat::kAbsent;
};

}  // namespace strata
