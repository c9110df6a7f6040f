// The model of queries: every live entity is looked at by itself, and a query in all of its forms is compared with
// that.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../query/query.hpp"
#include "../../query/runtime_query.hpp"
#include "../support/model_test.hpp"
#include "../support/values.hpp"

namespace strata::test {

using namespace detail;

// The model: every live entity, the branch that it is in, and its components as numbers.
struct Record {
  Branch* branch;
  std::map<ComponentId, int> numbers;
};
using Records = std::map<Entity, Record>;

/// Relates a branch's rows to one entity, by the branch's label, or each row to one of its own.
class TestRelation final : public Relation {
 public:
  static constexpr std::uint32_t kEachItsOwn = 9;

  explicit TestRelation(const Store& store) : store_(store) {}

  std::uint64_t prepare(std::span<Archetype* const>, std::uint64_t, PlanCost&) const override { return 1; }
  std::uint32_t find_shared(std::span<Block* const> blocks, std::uint32_t, ComponentId id,
                            const void** values) const override {
    std::uint32_t differing = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i]->label == kEachItsOwn) {
        differing |= 1u << i;
      } else {
        values[i] = store_.find(shared_[blocks[i]->label], id);
      }
    }
    return differing;
  }
  void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const override {
    for (const Entity row : rows) *values++ = store_.find(related(row), id);
  }
  void find_nearest(std::span<const Entity> rows, ComponentId id, WalkMemo&,
                    const void** values) const override {
    for (const Entity row : rows) *values++ = store_.find(nearest(row, id), id);
  }
  void find_having(std::span<const Entity> rows, ComponentId id, Reach reach, WalkMemo&,
                   bool* found) const override {
    for (const Entity row : rows) {
      *found++ = store_.has(reach == Reach::parent ? related(row) : nearest(row, id), id);
    }
  }
  Entity find_parent(Entity entity) const override { return related(entity); }
  void find_places(std::span<const Entity> rows, Place* places) const override {
    for (const Entity row : rows) *places++ = store_.slots().find(related(row));
  }
  void append_children(std::span<const VisitedRow>, std::vector<VisitedRow>&) const override {}

  Entity related(Entity row) const {
    const std::uint32_t label = table_of(*store_.slots().find(row).block).branch().label;
    if (label != kEachItsOwn) return shared_[label];
    const auto found = own_.find(row);
    return found != own_.end() ? found->second : Entity();
  }
  /// What relates in a circle ends somewhere.
  Entity nearest(Entity row, ComponentId id) const {
    Entity above = related(row);
    for (int i = 0; i < 20 && store_.alive(above) && !store_.has(above, id); ++i) above = related(above);
    return store_.has(above, id) ? above : Entity();
  }
  void relate(Entity row, Entity to) { own_[row] = to; }
  void relate_branch(std::uint32_t label, Entity to) { shared_[label] = to; }

 private:
  const Store& store_;
  std::map<Entity, Entity> own_;
  std::array<Entity, kEachItsOwn> shared_{};  // By label.
};

struct Subject {
  Store store{std::pmr::new_delete_resource()};
  TestRelation relation{store};
  std::vector<Kind> kinds = all_kinds(store.registry());

  Entity create(Branch& branch, Archetype& archetype) { return store.create_row(archetype, branch).entity; }
  Entity create() { return create(store.tables().root(), store.archetypes().empty()); }
  template <class T>
  void add(Entity entity, int number) {
    T value = make_value<T>(number);
    alignas(T) std::byte memory[sizeof(T)];
    store.add(entity, store.registry().id_of<T>(), ::new (memory) T(std::move(value)));
  }
};

// An argument of a visiting function as a number: -1 where there is nothing.

template <class T>
int number_of(const T& value) {
  return number_in(value);
}
template <class T>
int number_of(T* value) {
  return value != nullptr ? number_in(*value) : -1;
}

struct Row {
  Entity entity;
  std::vector<int> numbers;
  friend bool operator==(const Row&, const Row&) = default;
  friend auto operator<=>(const Row& a, const Row& b) { return a.entity <=> b.entity; }
};

// What the model says of one term: whether the entity passes, and the number that is handed out.
template <class T>
struct Expected {
  static bool has(Subject& s, const Record& r) { return r.numbers.contains(s.store.registry().id_of<T>()); }
  static bool passes(Subject& s, const Records& records, Entity entity) { return has(s, records.at(entity)); }
  static int number(Subject& s, const Records& records, Entity entity) {
    const Record& record = records.at(entity);
    const auto found = record.numbers.find(s.store.registry().id_of<T>());
    return found != record.numbers.end() ? found->second : -1;
  }
  static constexpr bool yields = true;
};
template <class T>
struct Expected<const T> : Expected<T> {};
template <class T>
struct Expected<Maybe<T>> : Expected<T> {
  static bool passes(Subject&, const Records&, Entity) { return true; }
};
template <class T>
struct Expected<With<T>> : Expected<T> {
  static constexpr bool yields = false;
};
template <class T>
struct Expected<Without<T>> : Expected<T> {
  static bool passes(Subject& s, const Records& records, Entity entity) {
    return !Expected<T>::passes(s, records, entity);
  }
  static constexpr bool yields = false;
};
template <class... Ts>
struct Expected<AnyOf<Ts...>> {
  static bool passes(Subject& s, const Records& records, Entity entity) {
    return (Expected<Ts>::passes(s, records, entity) || ...);
  }
  static int number(Subject&, const Records&, Entity) { return 0; }
  static constexpr bool yields = false;
};
template <class T>
struct Expected<Parent<const T>> {
  static bool passes(Subject&, const Records&, Entity) { return true; }
  static int number(Subject& s, const Records& records, Entity entity) {
    const Entity related = s.relation.related(entity);
    return records.contains(related) ? Expected<T>::number(s, records, related) : -1;
  }
  static constexpr bool yields = true;
};
template <class T>
struct Expected<Up<const T>> {
  static bool passes(Subject&, const Records&, Entity) { return true; }
  static int number(Subject& s, const Records& records, Entity entity) {
    Entity above = s.relation.related(entity);
    for (int i = 0; i < 20 && records.contains(above); ++i) {
      if (Expected<T>::has(s, records.at(above))) break;
      above = s.relation.related(above);
    }
    return records.contains(above) ? Expected<T>::number(s, records, above) : -1;
  }
  static constexpr bool yields = true;
};
template <class T>
struct Expected<With<Parent<T>>> : Expected<With<T>> {
  static bool passes(Subject& s, const Records& records, Entity entity) {
    const Entity related = s.relation.related(entity);
    return records.contains(related) && Expected<T>::has(s, records.at(related));
  }
};
template <class T>
struct Expected<With<Up<T>>> : Expected<With<T>> {
  static bool passes(Subject& s, const Records& records, Entity entity) {
    return Expected<Up<const T>>::number(s, records, entity) != -1;
  }
};
template <class T>
struct Expected<Without<Parent<T>>> : Expected<With<T>> {
  static bool passes(Subject& s, const Records& records, Entity entity) {
    return !Expected<With<Parent<T>>>::passes(s, records, entity);
  }
};
template <class T>
struct Expected<Without<Up<T>>> : Expected<With<T>> {
  static bool passes(Subject& s, const Records& records, Entity entity) {
    return !Expected<With<Up<T>>>::passes(s, records, entity);
  }
};
template <>
struct Expected<Entity> {
  static bool passes(Subject&, const Records&, Entity) { return true; }
  static int number(Subject&, const Records&, Entity) { return 0; }
  static constexpr bool yields = true;
};

/// A typed query, or the part of it in some order and of some depths, without its terms in its type: what compares
/// it with the model is compiled once.
class AnyQuery {
 public:
  virtual ~AnyQuery() = default;
  virtual std::size_t count() = 0;
  virtual Entity first() = 0;
  virtual bool contains(Entity entity) = 0;
  virtual std::string explain(Entity entity) = 0;
  virtual std::vector<Row> each() = 0;
  virtual std::vector<Row> range() = 0;
};

template <class TypedQuery>
class AnyQueryOf final : public AnyQuery {
 public:
  explicit AnyQueryOf(TypedQuery&& query) : query_(std::forward<TypedQuery>(query)) {}

  std::size_t count() override { return query_.count(); }
  Entity first() override { return query_.first(); }
  bool contains(Entity entity) override { return query_.contains(entity); }
  std::string explain(Entity entity) override { return query_.explain(entity); }
  std::vector<Row> each() override {
    std::vector<Row> rows;
    query_.each([&](Entity entity, auto&&... arguments) {
      rows.push_back({entity, {0, number_of(arguments)...}});
    });
    return rows;
  }
  std::vector<Row> range() override {
    std::vector<Row> rows;
    const auto collect = [&](Entity entity, auto&&... arguments) {
      rows.push_back({entity, {0, number_of(arguments)...}});
    };
    for (const auto& row : query_) std::apply(collect, row);
    return rows;
  }

 private:
  TypedQuery query_;
};

/// What depends on the types of a query's terms: the query, and what the model says of one entity.
class TypedParts {
 public:
  virtual ~TypedParts() = default;
  virtual const Matcher& matcher() = 0;
  virtual std::unique_ptr<AnyQuery> query(Order order) = 0;
  virtual std::unique_ptr<AnyQuery> query(Order order, Depths depths) = 0;
  virtual std::vector<Row> each_of(const std::vector<Entity>& named) = 0;
  virtual bool passes(const Records& records, Entity entity) = 0;
  virtual Row expected_row(const Records& records, Entity entity) = 0;
};

template <class... Terms>
class TypedPartsOf final : public TypedParts {
 public:
  explicit TypedPartsOf(Subject& subject) : subject_(subject), query_(subject.store, &subject.relation) {}

  const Matcher& matcher() override { return query_.matcher(); }
  std::unique_ptr<AnyQuery> query(Order order) override {
    if (order == Order::any) return std::make_unique<AnyQueryOf<Query<Terms...>&>>(query_);
    return make_any(ordered(order));
  }
  std::unique_ptr<AnyQuery> query(Order order, Depths depths) override {
    return make_any(ordered(order).depths(depths.first, depths.last));
  }
  std::vector<Row> each_of(const std::vector<Entity>& named) override {
    std::vector<Row> rows;
    query_.each_of(named, [&](Entity entity, auto&&... arguments) {
      rows.push_back({entity, {0, number_of(arguments)...}});
    });
    return rows;
  }
  bool passes(const Records& records, Entity entity) override {
    return (Expected<Terms>::passes(subject_, records, entity) && ...);
  }
  Row expected_row(const Records& records, Entity entity) override {
    Row row{entity, {}};
    const auto add = [&]<class Term>() {
      if (Expected<Term>::yields) row.numbers.push_back(Expected<Term>::number(subject_, records, entity));
    };
    (add.template operator()<Terms>(), ...);
    return row;
  }

 private:
  auto ordered(Order order) { return query_.cascade(order == Order::up ? Direction::up : Direction::down); }
  template <class TypedQuery>
  static std::unique_ptr<AnyQuery> make_any(TypedQuery query) {
    return std::make_unique<AnyQueryOf<TypedQuery>>(std::move(query));
  }

  Subject& subject_;
  Query<Terms...> query_;
};

/// A query in all of its forms that lives through a whole run, and is compared with the model.
class CheckedQuery {
 public:
  CheckedQuery(Subject& subject, std::unique_ptr<TypedParts> typed);

  Disagreement check(const Records& records, const std::vector<Entity>& seen);

 private:
  std::vector<Row> filter(const Records& records);
  Disagreement check_order(const Records& records, const std::vector<Row>& expected, Order order);
  Disagreement check_entities(const Records& records, const std::vector<Entity>& seen);
  Disagreement check_named(const Records& records, const std::vector<Row>& matching,
                           const std::vector<Entity>& seen);
  Disagreement check_depths(const Records& records, std::vector<Row> expected, Order order, Depths depths);
  int read(ComponentId id, const void* value) const;
  std::vector<Row> visit_runtime(RuntimeQuery& query, Order order);
  std::vector<Row> visit_runtime_blocks(RuntimeQuery& query, Order order);

  Subject& subject_;
  std::unique_ptr<TypedParts> typed_;
  RuntimeQuery runtime_;
  RuntimeQuery reading_;
};

/// The first term is Entity.
template <class... Terms>
class Checked : public CheckedQuery {
 public:
  explicit Checked(Subject& subject)
      : CheckedQuery(subject, std::make_unique<TypedPartsOf<Terms...>>(subject)) {}
};

}  // namespace strata::test
