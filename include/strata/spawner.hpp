// Spawner: creates entities with the same components, one by one or many at once, faster than World::create.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../core/compiler.hpp"
#include "../../storage/given_values.hpp"
#include "commands.hpp"
#include "detail/required_types.hpp"
#include "detail/value_target.hpp"

namespace strata {

namespace detail {

/// `Components`: all of Ts are components. `ComponentsWithOthers`: some of Ts also require components that are not
/// among Ts. ComponentsWithOthers is defined by means of Components, so the compiler treats it as the stricter concept,
/// and prefers the specialisation of Spawner for it.
template <class... Ts>
concept Components = (Component<Ts> && ...);
template <class... Ts>
concept ComponentsWithOthers = Components<Ts...> && gets_others<Ts...>();

/// An argument of `create_many`: either the number of entities to create, or a span or contiguous container, to whose
/// elements the handles of the new entities are written. The size of the span or container is then the number of
/// entities.
class CountOrSpan {
 public:
  CountOrSpan(std::size_t count, CallSite at = {}) : count_(count), at_(at) {}
  template <class Handles>  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): no copy is a span.
  requires std::convertible_to<Handles&, std::span<Entity>> CountOrSpan(Handles&& handles, CallSite at = {})
      : CountOrSpan(std::span<Entity>(handles), at, 0) {}

  std::size_t count() const { return count_; }

  /// Returns: the address to which the handles of the new entities are written; null if the caller gave the number of
  /// entities instead of a span.
  const Entity* handles() const { return handles_; }

  /// Returns: the place in the source code from which `create_many` was called, for messages.
  CallSite at() const { return at_; }

  /// Writes the handles of new entities to the caller's span, if there is one. `first` is the number of entities that
  /// the same call of `create_many` has created before `entities`.
  void notify(std::size_t first, std::span<const Entity> entities) const {
    if (handles_ != nullptr) std::copy(entities.begin(), entities.end(), handles_ + first);
  }

 private:
  CountOrSpan(std::span<Entity> handles, CallSite at, int)
      : count_(handles.size()), handles_(handles.data()), at_(at) {}

  std::size_t count_;
  Entity* handles_ = nullptr;
  CallSite at_;
};

template <class Function, class Arguments>
inline constexpr bool accepts = false;
template <class Function, class... Arguments>
inline constexpr bool accepts<Function, std::tuple<Arguments...>> =
    std::is_invocable_v<Function&, Arguments...>;

/// A function for `create_many` that writes the values of new entities. Its arguments are a span of entities,
/// and for each of Ts, except tags, a span of their values.
template <class Function, class... Ts>
concept FillsColumns =
    accepts<Function,
            decltype(std::tuple_cat(
                std::declval<std::tuple<std::span<const Entity>>>(),
                std::declval<std::conditional_t<is_tag<Ts>, std::tuple<>, std::tuple<std::span<Ts>>>>()...))>;

}  // namespace detail

/// Creates entities with the components Ts, and with the components that Ts require (see requires_of). The entities
/// become roots or children of one parent. A Spawner is faster than World::create and World::create_many, because it
/// remembers what those functions look up: the archetype, the table, and the columns or pools. World::spawner makes a
/// Spawner, which may be kept, and is valid as long as the world.
///
/// Errors: std::bad_alloc; nothing has been created then, but create_many may have moved the rows of the
/// parent's other children to another table (see Layout::adaptive).
/// Contract: no query iterates; the parent, if there is one, is alive.
/// Threads: each call counts as a change of the world: no other thread may use the world at the same time.
template <class... Ts>
requires detail::Components<Ts...>
class Spawner {
 public:
  /// `above` is the parent of the entities that `create` and `create_many` make, or a null handle for roots.
  Spawner(detail::TypedStore& typed, Entity above)
      : store_(&typed.store()),
        archetype_(&typed.archetype_of<Ts...>()),
        table_(&store_->tables().get(*archetype_, store_->tables().root())),
        typed_(&typed),
        above_(above),
        targets_(detail::ValueTarget<Ts>(*store_, *archetype_)...) {
    remember_storages();
  }

  /// Creates an entity with these values.
  /// Complexity: O(components).
  Entity create(Ts... values) {
    const detail::UseScope use = store_->changing("create of a spawner");
    store_->require_unlocked("create", Entity());
    if (declared_at_ != store_->registry().storage_epoch()) [[unlikely]]
      return create_anywhere(values...);
    const detail::NewRow row = above_ ? create_below_own() : store_->create_row(*table_);
    return build(row, values...);
  }

  /// Creates an entity with these values as the last child of `parent`, regardless of the parent of the spawner.
  /// Contract: the parent is alive.
  /// Complexity: O(components).
  Entity create_below(Entity parent, Ts... values) {
    const detail::UseScope use = store_->changing("create_below of a spawner");
    refresh();
    const detail::NewRow row = typed_->hierarchy().create_below(parent, *archetype_);
    if (declared_at_ != store_->registry().storage_epoch()) [[unlikely]]
      return typed_->template build_anywhere<Ts...>(row, values...);
    return build(row, values...);
  }

  /// Creates many entities. Their values are value-initialised, then written by calls of
  /// `fill(std::span<const Entity>, std::span<Ts>...)`. Each call gets a part of the entities, in order of creation,
  /// and for each component, except tags, a span with the values of these entities.
  /// Returns: the number of entities.
  /// Errors: exceptions of `fill` or a constructor; nothing has been created then, and the handles passed to `fill` are
  /// stale.
  /// Contract: `fill` makes no structural change, and looks up none of the new entities that it gets in later calls.
  /// Commands that it records are applied at the end.
  /// Complexity: O(entities * components).
  template <class Fill>
  requires detail::FillsColumns<Fill, Ts...> std::size_t create_many(detail::CountOrSpan many, Fill&& fill) {
    static_assert(
        (std::is_default_constructible_v<Ts> && ...),
        "values are value-initialised before they are filled in: give create_many a value to copy instead");
    const auto build = [](const Spawner& own, detail::NewEntities& made, const detail::RowRun& run) {
      (own.target<Ts>().build(made, run, detail::ValueInitialised<Ts>()), ...);
    };
    return make(many, (detail::ValueInitialised<Ts>::kRunsCode || ...), build, filler<Ts...>(fill));
  }

  /// Creates many entities, each with copies of these values.
  /// Returns: the number of entities.
  /// Errors: exceptions of a copy; nothing has been created then.
  /// Complexity: O(entities * components).
  std::size_t create_many(detail::CountOrSpan many, const Ts&... values) {
    static_assert((is_copyable<Ts> && ...),
                  "create_many copies the values: make their types copyable, or pass a function");
    return copy_many(many, values...);
  }

  /// Creates many entities. `many` is their number, or a span that receives their handles. Entity i gets a copy of the
  /// i-th value in each column.
  /// Returns: the number of entities.
  /// Errors: exceptions of a copy; nothing has been created then.
  /// Contract: every column has one value per entity, and no column is in memory of this world.
  /// Complexity: O(entities * components).
  std::size_t create_many(detail::CountOrSpan many,
                          std::span<const Ts>... columns) requires(sizeof...(Ts) != 0) {
    static_assert(((is_tag<Ts> || is_copyable<Ts>)&&...),
                  "create_many copies columns: make the types of their values copyable, or pass a function");
    require_columns<Ts...>(many, columns...);
    std::tuple<const Ts*...> next(columns.data()...);
    const auto build = [&next](const Spawner& own, detail::NewEntities& made, const detail::RowRun& run) {
      (own.target<Ts>().build(made, run, detail::CopiesOf<Ts>{std::get<const Ts*>(next)}), ...);
    };
    return make(many, kCopiesRunCode, build);
  }

 private:
  template <class... Us>
  requires detail::Components<Us...>
  friend class Spawner;

  static void require_size(std::string_view component, std::size_t values, const detail::CountOrSpan& many) {
    STRATA_EXPECTS_AT(many.at(), values == many.count(),
                      "create_many: the column of \"" + std::string(component) + "\" has " +
                          std::to_string(values) + " values for " + std::to_string(many.count()) +
                          " entities");
  }

  template <Component... Us>
  void require_columns(const detail::CountOrSpan& many, std::span<const Us>... columns) {
    (require_size(name_of<Us>, columns.size(), many), ...);
    (detail::require_outside(*store_, "create_many", store_->registry().template id_of<Us>(), columns.data()),
     ...);
  }

  /// Returns: a function that calls the user's `fill` for a run (adjacent new rows). The returned function divides the
  /// run among several calls of `fill`, if that is needed to give each call contiguous values of every component.
  template <Component... Us, class Fill>
  static auto filler(Fill& fill) {
    return [&fill](const Spawner& own, detail::NewEntities& made, detail::RowRun run) {
      made.show_handles();
      for (std::uint32_t left = run.count; left != 0; left -= run.count, run.row += run.count) {
        run.count = left;
        ((run.count = own.target<Us>().together(run)), ...);
        auto arguments = std::tuple_cat(std::tuple(entities_of(run)), own.target<Us>().arguments(run)...);
        made.without_members([&] { std::apply(fill, arguments); });
      }
    };
  }

  template <Component T>
  const detail::ValueTarget<T>& target() const {
    return std::get<detail::ValueTarget<T>>(targets_);
  }

  /// Moves the values of the new entity whose row is `row` to their columns and sparse sets.
  /// Returns: the entity.
  /// Errors: std::bad_alloc; the entity is destroyed then. What Store::creation_ended throws; the entity stays then.
  /// Contract: all of Ts are stored where `storage_of` says, in tables or sparse sets.
  STRATA_ALWAYS_INLINE Entity build(detail::NewRow row, Ts&... values) {
    {
      [[maybe_unused]] const detail::Making<Ts...> making(*store_, row);
      (target<Ts>().build_in_table(row.place, values), ...);
    }
    if constexpr (((storage_of<Ts> == Storage::sparse) || ...)) {
      detail::Rollback destroy(
          [&] { typed_->hierarchy().destroy_unobserved(row.entity, ChildPolicy::destroy); });
      (target<Ts>().build_in_side_store(row.entity, values), ...);
      destroy.dismiss();
    }
    store_->creation_ended(row.entity);
    return row.entity;
  }

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr bool kCopiesRunCode = !(detail::is_plain<Ts> && ...);

  /// Looks up again where the values of Ts are stored, if any component was moved to another storage since the last
  /// look-up.
  void refresh() {
    if (found_at_ != store_->registry().storage_epoch()) [[unlikely]]
      *this = Spawner(*typed_, above_);
  }
  void remember_storages() {
    found_at_ = store_->registry().storage_epoch();
    if ((typed_->is_as_declared<Ts>() && ...)) declared_at_ = found_at_;
  }

  /// The slower way of `create`. Used if one of Ts is not stored where `storage_of` says, or if any component was moved
  /// to another storage since this object last looked up where the values of Ts are stored.
  STRATA_NOINLINE Entity create_anywhere(detail::Passed<Ts>... values) {
    refresh();
    const detail::NewRow row = above_ ? create_below_own() : store_->create_row(*table_);
    return typed_->template build_anywhere<Ts...>(row, values...);
  }

  detail::NewRow create_below_own() { return typed_->hierarchy().create_below(above_, *archetype_); }

  /// Creates many entities, each with copies of these values. The values are passed by value, because the caller's
  /// values may be in a table of this world, whose rows move when the table grows.
  std::size_t copy_many(detail::CountOrSpan many, Ts... values) {
    const auto build = [&](const Spawner& own, detail::NewEntities& made, const detail::RowRun& run) {
      (own.target<Ts>().build(made, run, detail::CopyOf<Ts>{values}), ...);
    };
    return make(many, kCopiesRunCode, build);
  }

  struct FillNothing {
    void operator()(const Spawner&, const detail::NewEntities&, const detail::RowRun&) const {}
  };

  /// Creates many entities. `build` and `fill` are those of BulkCreation::create, but get one more argument, the first:
  /// a copy of this spawner. They get a copy because user code that runs meanwhile may destroy or assign to this
  /// spawner. `runs_code` is whether `build` may run code of the program.
  template <class Build, class Fill = FillNothing>
  std::size_t make(detail::CountOrSpan many, bool runs_code, Build build, Fill fill = {}) {
    const detail::UseScope use = store_->changing("create_many", many.at());
    refresh();
    STRATA_EXPECTS_AT(
        many.at(), !detail::holds_value_at(*store_, many.handles()),
        "create_many: the span for the handles is stored in this world, where rows are going to "
        "move: pass one outside");
    const auto notify = [&](std::size_t first, std::span<const Entity> entities) {
      many.notify(first, entities);
    };
    const Spawner own = *this;
    own.typed_->bulk().create(
        *own.archetype_, own.above_, many.count(), runs_code,
        [&](detail::NewEntities& made, const detail::RowRun& run) { build(own, made, run); },
        [&](detail::NewEntities& made, const detail::RowRun& run) { fill(own, made, run); }, notify,
        many.at());
    return many.count();
  }

  detail::Store* store_;
  detail::Archetype* archetype_;
  detail::Table* table_;  // The table of roots, which is never dropped.
  detail::TypedStore* typed_;
  Entity above_;
  std::tuple<detail::ValueTarget<Ts>...> targets_;
  std::uint64_t found_at_;              // Registry::storage_epoch at the last look-up.
  std::uint64_t declared_at_ = kNever;  // Equals `found_at_` if all of Ts are stored as declared.
};

/// The Spawner for components that require components which are not among Ts. It is defined in the header
/// requiring_spawner.hpp.
template <class... Ts>
requires detail::ComponentsWithOthers<Ts...>
class Spawner<Ts...>;

}  // namespace strata
