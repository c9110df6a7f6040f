#include "../../query/query.hpp"

#include <doctest/doctest.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "../../storage/store_change.hpp"
#include "../support/model_test.hpp"
#include "../support/values.hpp"
#include "query_model.hpp"

namespace strata::test::query_test {

using namespace detail;

namespace {

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
    const auto check = [&](const char* name, CheckedQuery& query) {
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
    check("<Parent<Health>, Up<Health>>", up_);
    check("<Maybe<SparseHealth>, Up<SparseHealth>, Up<Counted>>", side_up_);
    check("<AnyOf<Health, Frozen>, Maybe<Health>, Parent<Counted>>", any_);
    check("<Maybe<Counted>, AnyOf<Wide, SparseFrozen, Counted>>", any_mixed_);
    check("<AnyOf<SparseHealth, SparseFrozen, SparseWide>, AnyOf<Frozen, SparseFrozen>>", any_side_);
    check("<SparseHealth, SparseCounted>", pools_);
    check("<SparseWide, With<SparseFrozen>, Maybe<SparseHealth>>", pools_maybe_);
    check("<Health, Maybe<Wide>, With<SparseFrozen>, Without<SparseWide>>", picked_);
    check("<Parent<SparseHealth>, With<SparseFrozen>, Maybe<Counted>>", picked_parent_);
    check("<SparseCounted, AnyOf<SparseHealth, Frozen>>", pool_any_);
    check("<With<Parent<Health>>, Maybe<Wide>>", below_);
    check("<Health, Without<Up<Frozen>>, Up<Counted>>", not_below_);
    check("<With<Up<SparseFrozen>>, Without<Parent<Counted>>, Parent<Health>>", below_side_);
    check("<SparseHealth, With<Up<Health>>, Without<Parent<SparseFrozen>>>", side_below_);
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
    subject_.store.tables().reserve_rank(*branch, rank);
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
  Checked<Entity, Parent<const Health>, Up<const Health>> up_{subject_};
  Checked<Entity, Maybe<SparseHealth>, Up<const SparseHealth>, Up<const Counted>> side_up_{subject_};
  Checked<Entity, AnyOf<Health, Frozen>, Maybe<const Health>, Parent<const Counted>> any_{subject_};
  Checked<Entity, Maybe<const Counted>, AnyOf<Wide, SparseFrozen, Counted>> any_mixed_{subject_};
  Checked<Entity, AnyOf<SparseHealth, SparseFrozen, SparseWide>, AnyOf<Frozen, SparseFrozen>> any_side_{
      subject_};
  Checked<Entity, const SparseHealth, SparseCounted> pools_{subject_};
  Checked<Entity, SparseWide, With<SparseFrozen>, Maybe<const SparseHealth>> pools_maybe_{subject_};
  Checked<Entity, Health, Maybe<const Wide>, With<SparseFrozen>, Without<SparseWide>> picked_{subject_};
  Checked<Entity, Parent<const SparseHealth>, With<SparseFrozen>, Maybe<Counted>> picked_parent_{subject_};
  Checked<Entity, const SparseCounted, AnyOf<SparseHealth, Frozen>> pool_any_{subject_};
  Checked<Entity, With<Parent<Health>>, Maybe<const Wide>> below_{subject_};
  Checked<Entity, Health, Without<Up<Frozen>>, Up<const Counted>> not_below_{subject_};
  Checked<Entity, With<Up<SparseFrozen>>, Without<Parent<Counted>>, Parent<const Health>> below_side_{
      subject_};
  Checked<Entity, SparseHealth, With<Up<Health>>, Without<Parent<SparseFrozen>>> side_below_{subject_};
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
  STRATA_MODEL_TEST("a query visits what asking every entity would find", queries_agree, .runs = 20,
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
  TEST_CASE("alternatives of the side store lead a query, and a member of several is visited once") {
    Subject subject;
    for (int i = 0; i < 1000; ++i) subject.add<Health>(subject.create(), i);
    const Entity both = subject.create();
    const Entity one = subject.create();
    subject.add<SparseHealth>(one, 2);
    subject.add<SparseHealth>(both, 1);
    subject.add<SparseCounted>(both, 3);
    Query<Entity, AnyOf<SparseCounted, SparseHealth, SparseWide>> query(subject.store, nullptr);
    std::vector<Entity> visited;
    query.each([&](Entity entity) { visited.push_back(entity); });
    CHECK(visited == std::vector<Entity>{both, one});
    CHECK(Query<AnyOf<SparseWide, SparseOwner>>(subject.store, nullptr).count() == 0);
    CHECK_THROWS_AS(query.each_block([](std::span<const Entity>) {}), ContractViolation);
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

}  // namespace strata::test::query_test
