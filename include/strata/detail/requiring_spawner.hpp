// The Spawner (which creates entities with a fixed list of components) for components that require other components
// (see requires_of).
#pragma once

#include <span>
#include <tuple>
#include <utility>

#include "../spawner.hpp"

namespace strata {
namespace detail {

/// The member `type` is the Spawner for entities that have the components Ts and the components in Entries, which Ts
/// require.
template <class Entries, Component... Ts>
struct WholeSpawner;
template <class... Entries, Component... Ts>
struct WholeSpawner<TypeList<Entries...>, Ts...> {
  using type = Spawner<Ts..., RequiredValue<Entries>...>;
};

}  // namespace detail

/// A Spawner (which creates entities with the components Ts) whose entities also get the components that Ts
/// require, with their initial values.
template <class... Ts>
requires detail::ComponentsWithOthers<Ts...>
class Spawner<Ts...> {
  using Others = detail::Missing<Ts...>;
  using Whole = typename detail::WholeSpawner<Others, Ts...>::type;

 public:
  Spawner(detail::TypedStore& typed, Entity above) : typed_(&typed), whole_(typed, above) {}

  Entity create(Ts... values) {
    return with_others(
        [&](auto&... others) { return whole_.create(std::move(values)..., std::move(others)...); });
  }

  Entity create_below(Entity parent, Ts... values) {
    return with_others([&](auto&... others) {
      return whole_.create_below(parent, std::move(values)..., std::move(others)...);
    });
  }

  template <class Fill>
  requires detail::FillsColumns<Fill, Ts...> std::size_t create_many(detail::CountOrSpan many, Fill&& fill) {
    static_assert(
        (std::is_default_constructible_v<Ts> && ...),
        "values are value-initialised before they are filled in: give create_many a value to copy instead");
    const auto build = [](const Whole& own, detail::NewEntities& made, const detail::RowRun& run) {
      (own.template target<Ts>().build(made, run, detail::ValueInitialised<Ts>()), ...);
      build_others(own, made, run, Others());
    };
    return whole_.make(many, (detail::ValueInitialised<Ts>::kRunsCode || ...) || others_run_code(Others()),
                       build, whole_.template filler<Ts...>(fill));
  }

  std::size_t create_many(detail::CountOrSpan many, const Ts&... values) {
    static_assert((is_copyable<Ts> && ...),
                  "create_many copies the values: make their types copyable, or pass a function");
    return copy_many(many, values...);
  }

  std::size_t create_many(detail::CountOrSpan many,
                          std::span<const Ts>... columns) requires(sizeof...(Ts) != 0) {
    static_assert(((is_tag<Ts> || is_copyable<Ts>)&&...),
                  "create_many copies columns: make the types of their values copyable, or pass a function");
    whole_.template require_columns<Ts...>(many, columns...);
    std::tuple<const Ts*...> next(columns.data()...);
    const auto build = [&next](const Whole& own, detail::NewEntities& made, const detail::RowRun& run) {
      (own.template target<Ts>().build(made, run, detail::CopiesOf<Ts>{std::get<const Ts*>(next)}), ...);
      build_others(own, made, run, Others());
    };
    return whole_.make(many, Whole::kCopiesRunCode || others_run_code(Others()), build);
  }

 private:
  template <class Create>
  Entity with_others(Create create) {
    return detail::create_with_others(typed_->store(), Others(), create);
  }

  template <class... Entries>
  static void build_others(const Whole& own, detail::NewEntities& made, const detail::RowRun& run,
                           detail::TypeList<Entries...>) {
    (own.template target<detail::RequiredValue<Entries>>().build(made, run, detail::RequiredFor<Entries>()),
     ...);
  }

  template <class... Entries>
  static constexpr bool others_run_code(detail::TypeList<Entries...>) {
    return (detail::RequiredFor<Entries>::kRunsCode || ...);
  }

  // The values are passed by value, because the caller's values may be in a table of this world, whose rows move when
  // the table grows.
  std::size_t copy_many(detail::CountOrSpan many, Ts... values) {
    const auto build = [&](const Whole& own, detail::NewEntities& made, const detail::RowRun& run) {
      (own.template target<Ts>().build(made, run, detail::CopyOf<Ts>{values}), ...);
      build_others(own, made, run, Others());
    };
    return whole_.make(many, Whole::kCopiesRunCode || others_run_code(Others()), build);
  }

  detail::TypedStore* typed_;
  Whole whole_;
};

}  // namespace strata
