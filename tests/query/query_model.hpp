// The model of queries: every live entity asked one by one, and a query in all of its forms compared with that.
#pragma once

#include <algorithm>
#include <array>
#include <map>
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

// The model: every live entity, where it sits and its components as numbers. A query is checked against
// asking every one of them.
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

/// A query that lives through a whole run; its first term is Entity.
template <class... Terms>
class Checked {
 public:
  explicit Checked(Subject& subject)
      : subject_(subject),
        query_(subject.store, &subject.relation),
        runtime_(subject.store, query_.matcher().terms(), &subject.relation),
        reading_(subject.store, terms_that_read(query_.matcher().terms()), &subject.relation) {}

  Disagreement check(const Records& records, const std::vector<Entity>& seen) {
    const std::vector<Row> expected = filter(records);
    if (query_.count() != expected.size()) return "count() is wrong";
    if (runtime_.count() != expected.size()) return "count() of the runtime query is wrong";
    if (reading_.count() != expected.size()) return "count() of the query that only reads is wrong";
    for (const Order order : {Order::any, Order::down, Order::up}) {
      std::vector<Row> rows = visit(order);
      const Entity first = order == Order::any ? query_.first() : ordered(order).first();
      if (first != (rows.empty() ? Entity() : rows.front().entity)) return "first() is not the first visited";
      if (!in_order(records, rows, order)) return "the order of the ranks is wrong";
      if (visit_range(order) != rows) return "a range-for visits other rows than each";
      if (visit_runtime(runtime_, order) != rows) return "the runtime query visits other rows";
      if (visit_runtime(reading_, order) != rows) return "the query that only reads visits other rows";
      if (!query_.matcher().uses_side_store()) {
        if (visit_runtime_blocks(runtime_, order) != rows) return "the runtime query visits other blocks";
        if (visit_runtime_blocks(reading_, order) != rows) {
          return "the query that only reads visits other blocks";
        }
      }
      if (order != Order::any) {
        for (const Depths depths : {Depths{0, 0}, Depths{1, 1}, Depths{3, 3}, Depths{1, 2}, Depths{2, 900}}) {
          if (Disagreement wrong = check_depths(records, rows, order, depths)) return wrong;
        }
      }
      std::sort(rows.begin(), rows.end());
      if (rows != expected) return "the rows visited are not those that match";
    }
    if (Disagreement wrong = check_named(records, expected, seen)) return wrong;
    for (const Entity entity : seen) {
      const bool matches = records.contains(entity) && passes(records, entity);
      if (query_.contains(entity) != matches) return "contains(" + to_string(entity) + ") is wrong";
      const bool explained = query_.explain(entity).find(" matches") != std::string::npos;
      if (explained != matches) return "explain says: " + query_.explain(entity);
    }
    if (std::string broken = query_.matcher().check_invariants(); !broken.empty()) return broken;
    return {};
  }

 private:
  bool passes(const Records& records, Entity entity) {
    return (Expected<Terms>::passes(subject_, records, entity) && ...);
  }

  std::vector<Row> filter(const Records& records) {
    std::vector<Row> rows;
    for (const auto& [entity, record] : records) {
      if (!passes(records, entity)) continue;
      Row row{entity, {}};
      const auto add = [&, id = entity]<class Term>() {
        if (Expected<Term>::yields) row.numbers.push_back(Expected<Term>::number(subject_, records, id));
      };
      (add.template operator()<Terms>(), ...);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  /// Of named entities, those that match are visited in their order, each time that they are named.
  Disagreement check_named(const Records& records, const std::vector<Row>& matching,
                           const std::vector<Entity>& seen) {
    std::vector<Entity> named(seen.rbegin(), seen.rend());
    for (std::size_t i = 0; i < seen.size(); i += 3) named.push_back(seen[i]);
    named.insert(named.begin() + static_cast<std::ptrdiff_t>(named.size() / 2), {Entity(), Entity(7, 99)});
    std::vector<Row> expected;
    for (const Entity entity : named) {
      const auto found = std::lower_bound(matching.begin(), matching.end(), Row{entity, {}});
      const bool matches = records.contains(entity) && found != matching.end() && found->entity == entity;
      if (matches) expected.push_back(*found);
    }
    std::vector<Row> rows;
    query_.each_of(named, [&](Entity entity, auto&&... arguments) {
      rows.push_back({entity, {0, number_of(arguments)...}});
    });
    if (rows != expected) return "each_of visits other rows";
    std::vector<Entity> visited;
    runtime_.each_of(named, [&](const RuntimeQuery::Row& row) { visited.push_back(row.entity()); });
    const bool same = std::equal(visited.begin(), visited.end(), expected.begin(), expected.end(),
                                 [](Entity entity, const Row& row) { return entity == row.entity; });
    return same ? Disagreement() : "each_of of the runtime query visits other rows";
  }

  /// A query of some depths visits what one of all depths does, without the rest.
  Disagreement check_depths(const Records& records, std::vector<Row> expected, Order order, Depths depths) {
    const auto rank = [&](Entity entity) { return records.at(entity).branch->rank; };
    std::vector<Row> others = expected;
    std::erase_if(expected, [&](const Row& row) { return !depths.contains(rank(row.entity)); });
    std::erase_if(others, [&](const Row& row) { return depths.contains(rank(row.entity)); });
    auto query = ordered(order).depths(depths.first, depths.last);
    auto runtime = RuntimeSelection(runtime_, order).depths(depths.first, depths.last);
    std::vector<Row> rows;
    const auto collect = [&](Entity entity, auto&&... arguments) {
      rows.push_back({entity, {0, number_of(arguments)...}});
    };
    query.each(collect);
    if (rows != expected) return "a query of some depths visits other rows";
    rows.clear();
    for (const auto& row : query) std::apply(collect, row);
    if (rows != expected) return "a range-for of some depths visits other rows";
    std::vector<Entity> visited;
    runtime.each([&](const RuntimeQuery::Row& row) { visited.push_back(row.entity()); });
    if (visited.size() != expected.size() || runtime.count() != expected.size()) {
      return "the runtime query of some depths visits other rows";
    }
    if (query.count() != expected.size()) return "count() of some depths is wrong";
    if (query.first() != (expected.empty() ? Entity() : expected.front().entity)) {
      return "first() of some depths is not the first visited";
    }
    for (const Row& row : expected) {
      if (!query.contains(row.entity) || !runtime.contains(row.entity)) return "contains() misses a depth";
    }
    for (const Row& row : others) {
      if (query.contains(row.entity) || runtime.contains(row.entity)) return "contains() takes another depth";
      if (query.explain(row.entity).find("has another depth") == std::string::npos) {
        return "explain does not say that the depth is another one";
      }
    }
    return {};
  }

  auto ordered(Order order) { return query_.cascade(order == Order::up ? Direction::up : Direction::down); }
  std::vector<Row> visit(Order order) {
    std::vector<Row> rows;
    const auto collect = [&](Entity entity, auto&&... arguments) {
      rows.push_back({entity, {0, number_of(arguments)...}});
    };
    if (order == Order::any) {
      query_.each(collect);
    } else {
      ordered(order).each(collect);
    }
    return rows;
  }
  std::vector<Row> visit_range(Order order) {
    std::vector<Row> rows;
    const auto collect = [&](const auto& row) {
      std::apply(
          [&](Entity entity, auto&&... arguments) {
            rows.push_back({entity, {0, number_of(arguments)...}});
          },
          row);
    };
    if (order == Order::any) {
      for (const auto& row : query_) collect(row);
    } else {
      for (const auto& row : ordered(order)) collect(row);
    }
    return rows;
  }

  int read(ComponentId id, const void* value) const {
    for (const Kind& kind : subject_.kinds) {
      if (kind.id == id) return value != nullptr ? kind.read(value) : -1;
    }
    return -2;
  }
  /// The same terms, without those that write.
  static std::vector<Term> terms_that_read(std::span<const Term> terms) {
    std::vector<Term> read(terms.begin(), terms.end());
    for (Term& term : read) {
      if (term.role == Role::value) term.role = Role::read;
      if (term.role == Role::optional) term.role = Role::read_optional;
    }
    return read;
  }
  std::vector<Row> visit_runtime(RuntimeQuery& query, Order order) {
    std::vector<Row> rows;
    const std::span<const Term> terms = query.matcher().terms();
    RuntimeSelection(query, order).each([&](const RuntimeQuery::Row& view) {
      Row row{view.entity(), {0}};
      for (std::size_t i = 0; i < terms.size(); ++i) {
        const Role role = terms[i].role;
        const bool writes = role == Role::value || role == Role::optional;
        if (writes) row.numbers.push_back(read(terms[i].id, view.value(i)));
        if (role == Role::read || role == Role::read_optional) {
          row.numbers.push_back(read(terms[i].id, view.read(i)));
        }
        if (is_related(terms[i])) row.numbers.push_back(read(terms[i].id, view.related(i)));
      }
      rows.push_back(std::move(row));
    });
    return rows;
  }
  std::vector<Row> visit_runtime_blocks(RuntimeQuery& query, Order order) {
    std::vector<Row> rows;
    const std::span<const Term> terms = query.matcher().terms();
    RuntimeSelection(query, order).each_block([&](const RuntimeQuery::Block& view) {
      for (std::uint32_t row = 0; row < view.size(); ++row) {
        rows.push_back({view.entities()[row], {0}});
        for (std::size_t i = 0; i < terms.size(); ++i) {
          if (is_related(terms[i])) rows.back().numbers.push_back(read(terms[i].id, view.related(i, row)));
          const bool writes = terms[i].role == Role::value || terms[i].role == Role::optional;
          if (!writes && terms[i].role != Role::read && terms[i].role != Role::read_optional) continue;
          const std::span<const std::byte> bytes = writes ? view.bytes(i) : view.read_bytes(i);
          const std::size_t size = bytes.size() / view.size();
          rows.back().numbers.push_back(read(terms[i].id, bytes.empty() ? nullptr : &bytes[row * size]));
        }
      }
    });
    return rows;
  }
  static bool in_order(const Records& records, const std::vector<Row>& rows, Order order) {
    return order == Order::any || std::is_sorted(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
             const std::uint32_t rank_a = records.at(a.entity).branch->rank;
             const std::uint32_t rank_b = records.at(b.entity).branch->rank;
             return order == Order::down ? rank_a < rank_b : rank_a > rank_b;
           });
  }

  Subject& subject_;
  Query<Terms...> query_;
  RuntimeQuery runtime_;
  RuntimeQuery reading_;
};

}  // namespace strata::test
