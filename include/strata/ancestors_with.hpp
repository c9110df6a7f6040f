// AncestorsWith: a range over component values of an entity's ancestors, from its parent up to the root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../query/terms/terms.hpp"
#include "detail/typed_store.hpp"

namespace strata::detail {

/// Finds the values of one component on live entities, which are given by Entity::index. LiveValues remembers the
/// archetype of the entity for which `find` was called last, and where the component's column is in it, because the
/// ancestors of an entity often have the same archetype.
template <Component T>
class LiveValues {
 public:
  LiveValues() = default;
  explicit LiveValues(const TypedStore& typed)
      : typed_(&typed), id_(typed.store().registry().template find_as_declared<T>()) {
    if constexpr (kSparse) pool_ = typed.store().side().find(id_);
  }

  /// Returns: a pointer to the value of the live entity whose Entity::index is `index`; null if the entity does not
  /// have the component.
  const T* find(std::uint32_t index) {
    const Slots& slots = typed_->store().slots();
    if constexpr (kSparse) {
      if (pool_ != nullptr) [[likely]]
        return pool_->template find_as<T>(slots.handle_of(index));
      return find_anywhere(index);
    } else {
      const Place place = slots.place_of(index);
      if (place.block->format != recent_) [[unlikely]] {
        const std::uint32_t prefix = place.block->format->prefix_of(id_);
        if (prefix == BlockFormat::kAbsent) return find_anywhere(index);
        recent_ = place.block->format;
        prefix_ = prefix;
      }
      const T* const value = column_of<T>(*place.block, prefix_) + place.row;
      if (value == nullptr) STRATA_UNREACHABLE();  // Lets the callers omit their tests for null.
      return value;
    }
  }

 private:
  static constexpr bool kSparse = storage_of<T> == Storage::sparse;

  /// If `id_` is Registry::kUnknown, finds the value in the storage (tables or sparse set) that the component really
  /// has. `id_` is unknown if the component is not stored where `storage_of<T>` says, if a StorageAdvisor counts the
  /// uses of the component, or if the component was not registered when this object was made. If `id_` is known,
  /// returns null: `find` has looked in the right storage already.
  const T* find_anywhere(std::uint32_t index) const {
    if (id_ != Registry::kUnknown) return nullptr;
    return typed_->template find_anywhere<T>(typed_->store().slots().handle_of(index));
  }

  const TypedStore* typed_ = nullptr;
  ComponentId id_ = Registry::kUnknown;
  const SparsePool* pool_ = nullptr;
  const BlockFormat* recent_ = nullptr;
  std::uint32_t prefix_ = BlockFormat::kAbsent;
};

/// How World::ancestors_with treats one of its terms (template arguments). A term T skips ancestors without the
/// component, and yields a const T&. A term Maybe<T> skips none, and yields a const T*, which is null for an ancestor
/// without T.
template <class Term>
struct AncestorTerm {
  using Value = std::remove_const_t<Term>;
  using Answer = const Value&;
  static_assert(Component<Value>, "a term of ancestors_with is a component or Maybe<component>");
  static_assert(!is_tag<Value>, "a tag has no value: call has<T> for each of world.ancestors");

  static bool accepts(const Value* value) { return value != nullptr; }
  static Answer answer(const Value* value) { return *value; }
};
template <class T>
struct AncestorTerm<Maybe<T>> : AncestorTerm<T> {
  using Answer = const typename AncestorTerm<T>::Value*;

  static bool accepts(Answer) { return true; }
  static Answer answer(Answer value) { return value; }
};

/// The type of the values that an iterator of AncestorsWith yields. `Answers` has AncestorTerm::Answer for each term.
/// For one term, the type is that Answer itself; for several terms, a tuple of them.
template <class... Answers>
struct AnswerOf {
  using type = std::tuple<Answers...>;
};
template <class Answer>
struct AnswerOf<Answer> {
  using type = Answer;
};

/// A range over component values of an entity's ancestors, from its parent up to the root. World::ancestors_with makes
/// it. An ancestor that lacks the component of a term is skipped, unless the term is a `Maybe<T>`.
///
/// Each step of an iterator follows a link to the parent and looks up the parent's row. The steps do not check handles,
/// because links lead from live entities to live entities.
///
/// Invalidates: iterators and values, by any structural change.
/// Complexity: O(1) for each ancestor.
/// Threads: iterating counts as reading the world; any number of threads may read at the same time.
template <class... Terms>
class AncestorsWith {
 public:
  static_assert(sizeof...(Terms) != 0,
                "ancestors_with needs a component; world.ancestors returns all ancestors");

  /// An iterator stops at each ancestor that is not skipped. With one term, `*it` is the value of the ancestor: a const
  /// T&, or a const T* for `Maybe<T>`. With several terms, `*it` is a tuple with such a reference or pointer for each.
  class iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using reference = typename AnswerOf<typename AncestorTerm<Terms>::Answer...>::type;
    using value_type = std::remove_cvref_t<reference>;
    using difference_type = std::ptrdiff_t;
    using pointer = void;

    iterator() = default;
    iterator(const TypedStore& typed, const Links& links, std::uint32_t node)
        : links_(&links), slots_(&typed.store().slots()), node_(node), columns_(Column<Terms>(typed)...) {
      pass_over();
    }

    reference operator*() const {
      return std::apply(
          [](const auto*... values) -> reference {
            return reference(AncestorTerm<Terms>::answer(values)...);
          },
          values_);
    }
    iterator& operator++() {
      node_ = links_->parent_of_linked(node_);
      pass_over();
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }

    /// Returns: the ancestor to which the values at this position belong.
    /// Contract: the iterator is not at the end.
    Entity entity() const { return slots_->handle_of(node_); }

    friend bool operator==(const iterator& a, const iterator& b) { return a.node_ == b.node_; }
    friend bool operator==(const iterator& at, std::default_sentinel_t) { return at.node_ == Links::kNone; }

   private:
    template <class Term>
    using Column = LiveValues<typename AncestorTerm<Term>::Value>;
    template <class Term>
    using Pointer = const typename AncestorTerm<Term>::Value*;

    /// Beginning with the current entity, goes up to the nearest entity that has the components of all terms without
    /// `Maybe`, and sets `values_` to the values of that entity. If there is no such entity, goes to the end of the
    /// range.
    void pass_over() {
      while (node_ != Links::kNone && !find_values(std::index_sequence_for<Terms...>())) {
        node_ = links_->parent_of_linked(node_);
      }
    }
    template <std::size_t... i>
    bool find_values(std::index_sequence<i...>) {
      return (find_value<Terms>(std::get<i>(columns_), std::get<i>(values_)) && ...);
    }
    template <class Term>
    bool find_value(Column<Term>& column, Pointer<Term>& value) {
      value = column.find(node_);
      return AncestorTerm<Term>::accepts(value);
    }

    const Links* links_ = nullptr;
    const Slots* slots_ = nullptr;
    std::uint32_t node_ = Links::kNone;
    std::tuple<Column<Terms>...> columns_;
    std::tuple<Pointer<Terms>...> values_;  // The values of `node_`.
  };

  AncestorsWith(const TypedStore& typed, const Links& links, Entity entity)
      : typed_(&typed), links_(&links), entity_(entity) {}

  /// Returns: an iterator to the nearest ancestor that has the components of all terms without `Maybe`; an end iterator
  /// if there is no such ancestor or the entity is stale.
  /// Complexity: O(skipped ancestors).
  iterator begin() const {
    const bool alive = typed_->store().alive(entity_);
    return {*typed_, *links_, alive ? links_->parent(entity_.index()) : Links::kNone};
  }
  std::default_sentinel_t end() const { return {}; }
  bool empty() const { return begin() == end(); }

 private:
  const TypedStore* typed_;
  const Links* links_;
  Entity entity_;
};

}  // namespace strata::detail
