#include "../../query/query.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/values.hpp"

using namespace strata;
using namespace strata::test;

namespace {

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
  void find_places(std::span<const Entity> rows, Place* places) const override {
    for (const Entity row : rows) *places++ = store_.slots().find(related(row));
  }
  void append_children(std::span<const Reached>, std::vector<Reached>&) const override {}

  Entity related(Entity row) const {
    const std::uint32_t label = table_of(*store_.slots().find(row).block).branch().label;
    if (label != kEachItsOwn) return shared_[label];
    const auto found = own_.find(row);
    return found != own_.end() ? found->second : Entity();
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

  Entity create(Branch& branch, Archetype& archetype) {
    const Place place = store.create(archetype, branch);
    return place.block->layout->entities(*place.block)[place.row];
  }
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
  static bool passes(Subject& s, const Record& r) {
    return r.numbers.contains(s.store.registry().id_of<T>());
  }
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
  static bool passes(Subject&, const Record&) { return true; }
};
template <class T>
struct Expected<With<T>> : Expected<T> {
  static constexpr bool yields = false;
};
template <class T>
struct Expected<Without<T>> : Expected<T> {
  static bool passes(Subject& s, const Record& r) { return !Expected<T>::passes(s, r); }
  static constexpr bool yields = false;
};
template <class T>
struct Expected<Parent<const T>> {
  static bool passes(Subject&, const Record&) { return true; }
  static int number(Subject& s, const Records& records, Entity entity) {
    const Entity related = s.relation.related(entity);
    return records.contains(related) ? Expected<T>::number(s, records, related) : -1;
  }
  static constexpr bool yields = true;
};
template <>
struct Expected<Entity> {
  static bool passes(Subject&, const Record&) { return true; }
  static int number(Subject&, const Records&, Entity) { return 0; }
  static constexpr bool yields = true;
};

/// A query that lives through a whole run; its first term is Entity.
template <class... Terms>
class Checked {
 public:
  explicit Checked(Subject& subject) : subject_(subject), query_(subject.store, &subject.relation) {}

  Disagreement check(const Records& records, const std::vector<Entity>& seen) {
    const std::vector<Row> expected = filter(records);
    if (query_.count() != expected.size()) return "count() is wrong";
    for (const Order order : {Order::any, Order::down, Order::up}) {
      std::vector<Row> rows = visit(order);
      const Entity first = order == Order::any ? query_.first() : ordered(order).first();
      if (first != (rows.empty() ? Entity() : rows.front().entity)) return "first() is not the first visited";
      if (!in_order(records, rows, order)) return "the order of the ranks is wrong";
      std::sort(rows.begin(), rows.end());
      if (rows != expected) return "the rows visited are not those that match";
    }
    for (const Entity entity : seen) {
      const bool matches = records.contains(entity) && passes(records.at(entity));
      if (query_.contains(entity) != matches) return "contains(" + to_string(entity) + ") is wrong";
    }
    if (std::string broken = query_.matcher().check_invariants(); !broken.empty()) return broken;
    return {};
  }

 private:
  bool passes(const Record& record) { return (Expected<Terms>::passes(subject_, record) && ...); }

  std::vector<Row> filter(const Records& records) {
    std::vector<Row> rows;
    for (const auto& [entity, record] : records) {
      if (!passes(record)) continue;
      Row row{entity, {}};
      const auto add = [&, id = entity]<class Term>() {
        if (Expected<Term>::yields) row.numbers.push_back(Expected<Term>::number(subject_, records, id));
      };
      (add.template operator()<Terms>(), ...);
      rows.push_back(std::move(row));
    }
    return rows;
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
  static bool in_order(const Records& records, const std::vector<Row>& rows, Order order) {
    return order == Order::any || std::is_sorted(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
             const std::uint32_t rank_a = records.at(a.entity).branch->rank;
             const std::uint32_t rank_b = records.at(b.entity).branch->rank;
             return order == Order::down ? rank_a < rank_b : rank_a > rank_b;
           });
  }

  Subject& subject_;
  Query<Terms...> query_;
};

class QueryTest {
 public:
  QueryTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {
    Tables& tables = subject_.store.tables();
    branches_ = {&tables.root(), &tables.create_branch(1, TestRelation::kEachItsOwn),
                 &tables.create_branch(2, 1), &tables.create_branch(1, 0)};
  }

  void turn() {
    switch (bytes_.below(7)) {
      case 0:
      case 1:
        return create();
      case 2:
        return destroy();
      case 3:
      case 4:
        return toggle();
      case 5:
        return change_rank();
      default:
        return relate();
    }
  }

  Disagreement compare() {
    Disagreement wrong;
    const auto check = [&](const char* name, auto& query) {
      if (wrong) return;
      wrong = query.check(records_, seen_);
      if (wrong) wrong = std::string(name) + ": " + *wrong;
    };
    check("<Health, Counted>", two_);
    check("<Health, Maybe<Wide>>", maybe_);
    check("<With<Frozen>, Without<Wide>>", tags_);
    check("<Health, SparseHealth>", side_);
    check("<SparseHealth, Maybe<Counted>, Without<SparseFrozen>>", side_led_);
    check("<Health, Maybe<SparseHealth>, Without<SparseFrozen>>", side_maybe_);
    check("<Wide, Parent<Health>, Parent<SparseHealth>>", parent_);
    check("<SparseHealth, Parent<Health>>", side_parent_);
    check("<>", all_);
    return wrong;
  }

 private:
  Entity pick() { return seen_.empty() ? Entity(3, 1) : seen_[bytes_.below(seen_.size())]; }

  void create() {
    Branch* branch = branches_[bytes_.below(branches_.size())];
    const std::size_t count = bytes_.chance(6) ? bytes_.below(20) : 1;
    const std::size_t bits = bytes_.below(65536) & bytes_.below(65536);
    log_("create ", count, " at rank ", branch->rank, " with ", names_of(subject_.kinds, bits));
    for (std::size_t i = 0; i < count; ++i) {
      const Entity entity = subject_.create(*branch, subject_.store.archetypes().empty());
      records_[entity].branch = branch;
      seen_.push_back(entity);
      for (std::size_t kind = 0; kind < subject_.kinds.size(); ++kind) {
        if ((bits >> kind & 1) != 0) add(entity, subject_.kinds[kind]);
      }
    }
  }
  void add(Entity entity, const Kind& kind) {
    const Store::Added added = subject_.store.add(entity, kind.id);
    const int number = ++last_number_ % 1'000'000;
    if (!kind.tag) kind.make(added.value, number);
    records_.at(entity).numbers[kind.id] = number;
  }
  void destroy() {
    const Entity entity = pick();
    log_("destroy ", entity);
    subject_.store.destroy(entity);
    records_.erase(entity);
  }
  void toggle() {
    const Entity entity = pick();
    const Kind& kind = subject_.kinds[bytes_.below(subject_.kinds.size())];
    if (!records_.contains(entity)) return;
    if (records_.at(entity).numbers.erase(kind.id) == 1) {
      log_("remove ", kind.name, " from ", entity);
      subject_.store.remove(entity, kind.id);
    } else {
      log_("add ", kind.name, " to ", entity);
      add(entity, kind);
    }
  }
  void change_rank() {
    Branch* branch = branches_[1 + bytes_.below(branches_.size() - 1)];
    const auto rank = static_cast<std::uint32_t>(bytes_.below(5));
    log_("change rank ", branch->rank, " to ", rank);
    subject_.store.tables().expect_rank(*branch, rank);
    subject_.store.tables().set_rank(*branch, rank);
  }
  void relate() {
    const Entity to = pick();
    if (bytes_.chance(2)) {
      const Entity row = pick();
      log_("relate ", row, " to ", to);
      subject_.relation.relate(row, to);
    } else {
      log_("relate a branch to ", to);
      subject_.relation.relate_branch(1, to);
    }
  }

  Subject subject_;
  Bytes& bytes_;
  Log& log_;
  Records records_;
  std::vector<Branch*> branches_;
  std::vector<Entity> seen_;
  int last_number_ = 0;

  Checked<Entity, const Health, Counted> two_{subject_};
  Checked<Entity, Health, Maybe<const Wide>> maybe_{subject_};
  Checked<Entity, With<Frozen>, Without<Wide>> tags_{subject_};
  Checked<Entity, Health, SparseHealth> side_{subject_};
  Checked<Entity, const SparseHealth, Maybe<Counted>, Without<SparseFrozen>> side_led_{subject_};
  Checked<Entity, Health, Maybe<SparseHealth>, Without<SparseFrozen>> side_maybe_{subject_};
  Checked<Entity, Wide, Parent<const Health>, Parent<const SparseHealth>> parent_{subject_};
  Checked<Entity, SparseHealth, Parent<const Health>> side_parent_{subject_};
  Checked<Entity> all_{subject_};
};

// The model of a tag holds a number too, which no term hands out.
Disagreement queries_agree(Bytes& bytes, Log& log) {
  QueryTest test(bytes, log);
  while (bytes.turn()) {
    test.turn();
    if (Disagreement wrong = test.compare()) return wrong;
  }
  return {};
}

}  // namespace

TEST_SUITE("query/query") {
  STRATA_MODEL_TEST("a query visits what asking every entity would find", queries_agree, .runs = 60,
                    .turns = 60);

  TEST_CASE("values are written through a query, and blocks are handed out as spans") {
    Subject subject;
    for (int i = 0; i < 3000; ++i) subject.add<Health>(subject.create(), i);
    Query<Health> query(subject.store, nullptr);
    query.each([](Health& health) { health.points *= 2; });
    long sum = 0;
    std::size_t rows = 0;
    Query<const Health, Entity, Maybe<const Wide>>(subject.store, nullptr)
        .each_block([&](std::span<const Health> healths, std::span<const Entity> entities,
                        std::span<const Wide> wides) {
          CHECK(healths.size() == entities.size());
          CHECK(wides.empty());
          for (const Health& health : healths) sum += health.points;
          rows += entities.size();
        });
    CHECK(rows == 3000);
    CHECK(sum == 2999L * 3000);
  }
  TEST_CASE("a structural change is refused while a query visits, also when it nests or throws") {
    Subject subject;
    const Entity entity = subject.create();
    subject.add<Health>(entity, 1);
    Query<Entity, const Health> query(subject.store, nullptr);
    query.each([&](Entity visited, const Health&) {
      query.each([](Entity, const Health&) {});
      CHECK_THROWS_AS(subject.store.destroy(visited), ContractViolation);
    });
    CHECK_THROWS_AS(query.each([](Entity, const Health&) { throw std::runtime_error("stop"); }),
                    std::runtime_error);
    CHECK(!subject.store.iterating());
    CHECK(subject.store.destroy(entity));
  }
  TEST_CASE("blocks of side-store components are refused, because they are not contiguous") {
    Subject subject;
    Query<SparseHealth> query(subject.store, nullptr);
    CHECK_THROWS_AS(query.each_block([](std::span<SparseHealth>) {}), ContractViolation);
  }
  TEST_CASE("a query of a pool that never had a member visits nothing") {
    Subject subject;
    subject.create();
    Query<SparseHealth> query(subject.store, nullptr);
    CHECK(query.count() == 0);
    CHECK(!query.first());
    CHECK(Query<Without<SparseHealth>>(subject.store, nullptr).count() == 1);
  }
  TEST_CASE("a new table under a matched archetype is visited without matching again") {
    Subject subject;
    subject.add<Health>(subject.create(), 1);
    Query<const Health> query(subject.store, nullptr);
    const std::size_t matches = query.matcher().matches().size();
    Branch& branch = subject.store.tables().create_branch(1, 0);
    subject.add<Health>(subject.create(branch, subject.store.archetypes().empty()), 2);
    CHECK(query.count() == 2);
    CHECK(query.matcher().matches().size() == matches);
  }
}
