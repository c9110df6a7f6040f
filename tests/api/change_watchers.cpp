#include "change_watchers.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace strata::test {
namespace {

/// What is handed to a query, for a function that is to be told.
auto read(const Watcher::Visit& visit) {
  return [&](Entity entity, const ByRow& row, auto&&...) { visit(entity, &row); };
}
auto write(const Watcher::Visit& visit) {
  return [&](Entity entity, ByRow& row, auto&&...) {
    visit(entity, &row);
    ++row.value;
  };
}
auto visit_others(const Watcher::Visit& visit) {
  return [&](Entity entity, auto&&...) { visit(entity, nullptr); };
}

template <class... AccessKind, class Query, class Adapt>
Watcher watcher(std::string name, Kinds terms, Kinds asked, Kinds written, Query query, Adapt adapt) {
  const auto kept = std::make_shared<Query>(std::move(query));
  return {std::move(name),
          std::move(terms),
          std::move(asked),
          std::move(written),
          [=](const Watcher::Visit& visit) { kept->template changed<AccessKind...>().each(adapt(visit)); },
          [=] { return kept->template changed<AccessKind...>().count(); }};
}

/// A watcher whose query visits by depth, or whole subtrees.
template <bool subtrees, class... AccessKind, class Query, class Adapt>
Watcher deep_watcher(std::string name, Kinds terms, Kinds asked, Kinds written, Query query, Adapt adapt) {
  const auto kept = std::make_shared<Query>(std::move(query));
  Watcher watcher{std::move(name), std::move(terms), std::move(asked), std::move(written), {}, {}};
  watcher.by_depth = true;
  watcher.subtrees = subtrees;
  if constexpr (subtrees) {
    watcher.run = [=](const Watcher::Visit& visit) {
      kept->cascade().template changed_subtrees<AccessKind...>().each(adapt(visit));
    };
    watcher.count = [=] { return kept->cascade().template changed_subtrees<AccessKind...>().count(); };
  } else {
    watcher.run = [=](const Watcher::Visit& visit) {
      kept->cascade().template changed<AccessKind...>().each(adapt(visit));
    };
    watcher.count = [=] { return kept->cascade().template changed<AccessKind...>().count(); };
  }
  return watcher;
}

Watcher watcher_of_spans(World& world) {
  const auto kept = std::make_shared<Query<Entity, const ByRow>>(world.query<Entity, const ByRow>());
  const auto run = [kept](const Watcher::Visit& visit) {
    kept->changed<ByRow>().each_block([&](std::span<const Entity> entities, std::span<const ByRow> rows) {
      for (std::size_t i = 0; i < rows.size(); ++i) visit(entities[i], &rows[i]);
    });
  };
  return {"spans", {"row"}, {"row"}, {}, run, [kept] { return kept->changed<ByRow>().count(); }};
}

}  // namespace

bool Watcher::matches(const Record& record) const {
  return std::includes(record.kinds.begin(), record.kinds.end(), terms.begin(), terms.end());
}

Entities Watcher::all_new() const {
  Entities all;
  for (const auto& [kind, entities] : new_writes) {
    if (asked.contains(kind)) all.insert(entities.begin(), entities.end());
  }
  return all;
}

Disagreement Watcher::compare(const Run& seen, const Records& records) const {
  const Entities all(seen.visited.begin(), seen.visited.end());
  if (all.size() != seen.visited.size()) return "an entity was visited twice";
  if (!std::includes(all.begin(), all.end(), seen.expected.begin(), seen.expected.end()))
    return "a change was missed";
  for (const Entity entity : seen.visited) {
    if (!matches(records.at(entity))) return "an entity was visited that does not match";
    // What is written while the run lasts may be visited by it already.
    if (seen.meanwhile) continue;
    if (exact() && !seen.expected.contains(entity)) return "an entity was visited that was not written";
    if (seen.passed_over.contains(entity)) return "a block was visited in which nothing had happened";
  }
  return {};
}

std::vector<Watcher> watchers_of(World& world) {
  return {watcher<ByRow>("rows", {"row"}, {"row"}, {}, world.query<Entity, const ByRow>(), read),
          watcher<ByRow>("rows, writing", {"row"}, {"row"}, {"row", "block"},
                         world.query<Entity, ByRow, Maybe<ByBlock>>(), write),
          watcher<ByRow>("burning rows", {"row", "burning"}, {"row"}, {},
                         world.query<Entity, const ByRow, const Burning>(), read),
          watcher<ByRow>("rows and parents", {"row"}, {"row"}, {},
                         world.query<Entity, const ByRow, Parent<const ByRow>>(), read),
          watcher<ByBlock>("blocks", {"block"}, {"block"}, {}, world.query<Entity, const ByBlock>(),
                           visit_others),
          watcher<ByRow, ByBlock>("either", {"plain"}, {"row", "block"}, {},
                                  world.query<Entity, With<Plain>>(), visit_others),
          watcher<ByBlock>("blocks, writing rows", {"row", "block"}, {"block"}, {"row"},
                           world.query<Entity, ByRow, const ByBlock, Maybe<const Burning>>(), write),
          watcher<ByBlock>("burning blocks, writing", {"block", "burning"}, {"block"}, {"block"},
                           world.query<Entity, ByBlock, With<Burning>>(), visit_others),
          deep_watcher<false, ByRow>("rows by depth", {"row"}, {"row"}, {},
                                     world.query<Entity, const ByRow>(), read),
          deep_watcher<false, ByRow, ByBlock>(
              "burning rows or blocks by depth, writing", {"row", "burning"}, {"row", "block"}, {"row"},
              world.query<Entity, ByRow, const Burning, Parent<const ByRow>>(), write),
          deep_watcher<true, ByRow>("below rows", {"row"}, {"row"}, {},
                                    world.query<Entity, const ByRow, Parent<const ByRow>>(), read),
          deep_watcher<true, ByRow>("below rows, plain", {"plain"}, {"row"}, {},
                                    world.query<Entity, With<Plain>, Up<const ByRow>>(), visit_others),
          deep_watcher<true, ByRow, ByBlock>("below either, burning, writing", {"row", "burning"},
                                             {"row", "block"}, {"row"},
                                             world.query<Entity, ByRow, With<Burning>>(), write),
          watcher_of_spans(world)};
}

}  // namespace strata::test
