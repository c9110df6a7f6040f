#include "query_model.hpp"

namespace strata::test {

namespace {

/// The same terms, without those that write.
std::vector<Term> terms_that_read(std::span<const Term> terms) {
  std::vector<Term> read(terms.begin(), terms.end());
  for (Term& term : read) {
    if (term.role == Role::value) term.role = Role::read;
    if (term.role == Role::optional) term.role = Role::read_optional;
  }
  return read;
}

bool in_order(const Records& records, const std::vector<Row>& rows, Order order) {
  return order == Order::any || std::is_sorted(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
           const std::uint32_t rank_a = records.at(a.entity).branch->rank;
           const std::uint32_t rank_b = records.at(b.entity).branch->rank;
           return order == Order::down ? rank_a < rank_b : rank_a > rank_b;
         });
}

bool same_entities(const std::vector<Entity>& visited, const std::vector<Row>& expected) {
  return std::equal(visited.begin(), visited.end(), expected.begin(), expected.end(),
                    [](Entity entity, const Row& row) { return entity == row.entity; });
}

}  // namespace

CheckedQuery::CheckedQuery(Subject& subject, std::unique_ptr<TypedParts> typed)
    : subject_(subject),
      typed_(std::move(typed)),
      runtime_(subject.store, typed_->matcher().terms(), &subject.relation),
      reading_(subject.store, terms_that_read(typed_->matcher().terms()), &subject.relation) {}

Disagreement CheckedQuery::check(const Records& records, const std::vector<Entity>& seen) {
  const std::vector<Row> expected = filter(records);
  if (typed_->query(Order::any)->count() != expected.size()) return "count() is wrong";
  if (runtime_.count() != expected.size()) return "count() of the runtime query is wrong";
  if (reading_.count() != expected.size()) return "count() of the query that only reads is wrong";
  for (const Order order : {Order::any, Order::down, Order::up}) {
    if (Disagreement wrong = check_order(records, expected, order)) return wrong;
  }
  if (Disagreement wrong = check_named(records, expected, seen)) return wrong;
  if (Disagreement wrong = check_entities(records, seen)) return wrong;
  if (std::string broken = typed_->matcher().check_invariants(); !broken.empty()) return broken;
  return {};
}

std::vector<Row> CheckedQuery::filter(const Records& records) {
  std::vector<Row> rows;
  for (const auto& [entity, record] : records) {
    if (typed_->passes(records, entity)) rows.push_back(typed_->expected_row(records, entity));
  }
  return rows;
}

Disagreement CheckedQuery::check_order(const Records& records, const std::vector<Row>& expected,
                                       Order order) {
  const std::unique_ptr<AnyQuery> query = typed_->query(order);
  std::vector<Row> rows = query->each();
  if (query->first() != (rows.empty() ? Entity() : rows.front().entity)) {
    return "first() is not the first visited";
  }
  if (!in_order(records, rows, order)) return "the order of the ranks is wrong";
  if (query->range() != rows) return "a range-for visits other rows than each";
  if (visit_runtime(runtime_, order) != rows) return "the runtime query visits other rows";
  if (visit_runtime(reading_, order) != rows) return "the query that only reads visits other rows";
  if (!typed_->matcher().uses_side_store()) {
    if (visit_runtime_blocks(runtime_, order) != rows) return "the runtime query visits other blocks";
    if (visit_runtime_blocks(reading_, order) != rows) return "the query that only reads visits other blocks";
  }
  if (order != Order::any) {
    for (const Depths depths : {Depths{0, 0}, Depths{1, 1}, Depths{3, 3}, Depths{1, 2}, Depths{2, 900}}) {
      if (Disagreement wrong = check_depths(records, rows, order, depths)) return wrong;
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows == expected ? Disagreement() : "the rows visited are not those that match";
}

Disagreement CheckedQuery::check_entities(const Records& records, const std::vector<Entity>& seen) {
  const std::unique_ptr<AnyQuery> query = typed_->query(Order::any);
  for (const Entity entity : seen) {
    const bool matches = records.contains(entity) && typed_->passes(records, entity);
    if (query->contains(entity) != matches) return "contains(" + to_string(entity) + ") is wrong";
    const bool explained = query->explain(entity).find(" matches") != std::string::npos;
    if (explained != matches) return "explain says: " + query->explain(entity);
  }
  return {};
}

/// Of named entities, those that match are visited in their order, each time that they are named.
Disagreement CheckedQuery::check_named(const Records& records, const std::vector<Row>& matching,
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
  if (typed_->each_of(named) != expected) return "each_of visits other rows";
  std::vector<Entity> visited;
  runtime_.each_of(named, [&](const RuntimeQuery::Row& row) { visited.push_back(row.entity()); });
  return same_entities(visited, expected) ? Disagreement() : "each_of of the runtime query visits other rows";
}

/// A query of some depths visits what one of all depths does, without the rest.
Disagreement CheckedQuery::check_depths(const Records& records, std::vector<Row> expected, Order order,
                                        Depths depths) {
  const auto rank = [&](Entity entity) { return records.at(entity).branch->rank; };
  std::vector<Row> others = expected;
  std::erase_if(expected, [&](const Row& row) { return !depths.contains(rank(row.entity)); });
  std::erase_if(others, [&](const Row& row) { return depths.contains(rank(row.entity)); });
  const std::unique_ptr<AnyQuery> query = typed_->query(order, depths);
  auto runtime = RuntimeSelection(runtime_, order).depths(depths.first, depths.last);
  if (query->each() != expected) return "a query of some depths visits other rows";
  if (query->range() != expected) return "a range-for of some depths visits other rows";
  std::vector<Entity> visited;
  runtime.each([&](const RuntimeQuery::Row& row) { visited.push_back(row.entity()); });
  if (visited.size() != expected.size() || runtime.count() != expected.size()) {
    return "the runtime query of some depths visits other rows";
  }
  if (query->count() != expected.size()) return "count() of some depths is wrong";
  if (query->first() != (expected.empty() ? Entity() : expected.front().entity)) {
    return "first() of some depths is not the first visited";
  }
  for (const Row& row : expected) {
    if (!query->contains(row.entity) || !runtime.contains(row.entity)) return "contains() misses a depth";
  }
  for (const Row& row : others) {
    if (query->contains(row.entity) || runtime.contains(row.entity)) return "contains() takes another depth";
    if (query->explain(row.entity).find("has another depth") == std::string::npos) {
      return "explain does not say that the depth is another one";
    }
  }
  return {};
}

int CheckedQuery::read(ComponentId id, const void* value) const {
  for (const Kind& kind : subject_.kinds) {
    if (kind.id == id) return value != nullptr ? kind.read(value) : -1;
  }
  return -2;
}

std::vector<Row> CheckedQuery::visit_runtime(RuntimeQuery& query, Order order) {
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

std::vector<Row> CheckedQuery::visit_runtime_blocks(RuntimeQuery& query, Order order) {
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

}  // namespace strata::test
