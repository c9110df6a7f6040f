#include "explain.hpp"

#include <algorithm>
#include <vector>

#include "../filtering/iteration_source.hpp"
#include "../matching/pair_conditions.hpp"
#include "visits.hpp"

namespace strata::detail {
namespace {

/// The text describes at most this number of archetypes, and at most this number of ranks (depths) of each. It only
/// says how many others there are.
constexpr std::size_t kMostArchetypes = 32;
constexpr std::size_t kMostRanks = 8;

std::string counted(std::size_t count, const char* thing) {
  return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

std::string quoted(const Store& store, ComponentId id) {
  return '"' + store.registry().describe_asked(id).name + '"';
}

/// Returns: the names of the components of one AnyOf, such as `"A", "B"`.
std::string alternatives(const Matcher& matcher, std::uint32_t group) {
  std::string names;
  for (const Term& term : matcher.terms()) {
    if (term.role != Role::any_of || term.group != group) continue;
    names += (names.empty() ? "" : ", ") + quoted(matcher.store(), term.id);
  }
  return names;
}

/// Returns: words for the entities on which an Up term (Role::nearest) looks for a value, such as `ancestor`.
std::string followed(const Matcher& matcher, const Term& term) {
  if (term.along == kChildOf) return "ancestor";
  return term.along == Registry::kUnknown ? "target of a relation"
                                          : "target along " + quoted(matcher.store(), term.along);
}

std::string in_words(const Matcher& matcher, std::size_t position) {
  const Term& term = matcher.terms()[position];
  if (term.role == Role::entity) return "the entity";
  const std::string name = quoted(matcher.store(), term.id);
  const bool sparse = matcher.store().registry().describe_asked(term.id).storage == Storage::sparse;
  const std::string where = sparse ? ", in the side store" : "";
  switch (term.role) {
    case Role::value:
      return "the value of " + name + where;
    case Role::optional:
      return "the value of " + name + ", where there is one" + where;
    case Role::read:
      return "the value of " + name + ", to read" + where;
    case Role::read_optional:
      return "the value of " + name + ", where there is one, to read" + where;
    case Role::with:
      return "with " + name + where;
    case Role::without:
      return "without " + name + where;
    case Role::related:
      return "the value of " + name + " of the parent" + where;
    case Role::nearest:
      return "the value of " + name + " of the nearest " + followed(matcher, term) + " that has one" + where;
    case Role::either:
      return "with or without " + name + where;
    case Role::parent_with:
      return "a parent with " + name + where;
    case Role::parent_without:
      return "no parent with " + name + where;
    case Role::ancestor_with:
      return "an ancestor with " + name + where;
    case Role::ancestor_without:
      return "no ancestor with " + name + where;
    default:
      return "with any of " + alternatives(matcher, term.group);
  }
}

/// Returns: whether the text need not mention the term at this position: the term is for a further component of an
/// AnyOf, and the text for the first term of that AnyOf has listed all its components.
bool continues_any_of(const Matcher& matcher, std::size_t position) {
  const std::span<const Term> terms = matcher.terms();
  return terms[position].role == Role::any_of &&
         std::any_of(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(position),
                     [&](const Term& term) {
                       return term.role == Role::any_of && term.group == terms[position].group;
                     });
}

/// Returns: a text such as `3 members of "A", then the 1 member of "B", in their sorted order`. `pools` are the sparse
/// sets whose members the query goes through. The text mentions a sorted order only for pools that have been sorted.
std::string leading_members(const Store& store, std::span<const SparsePool* const> pools) {
  std::string line;
  for (const SparsePool* const pool : pools) {
    line += (line.empty() ? "" : ", then the ") + counted(pool->size(), "member") + " of " +
            quoted(store, pool->id());
    if (pool->arranged()) line += ", in their sorted order";
  }
  return line;
}

/// Returns: a text such as `, of the depths from 2 to 5`; empty for all depths.
std::string in_words(Depths depths) {
  if (depths.all()) return "";
  if (depths.first == depths.last) return ", of depth " + std::to_string(depths.first);
  std::string text = ", of the depths from " + std::to_string(depths.first);
  return depths.last == Depths::kMost ? text + " on" : text + " to " + std::to_string(depths.last);
}

std::string lead(const Matcher& matcher, const Selection& selection) {
  if (selection.scope == Scope::children) {
    return "looks up each child of " + to_string(selection.parent) +
           (matcher.store().alive(selection.parent) ? "" : ", which is stale and has none");
  }
  if (selection.scope == Scope::paired && selection.pairs->requires_one()) {
    return selection.pairs->in_words() + in_words(selection.depths);
  }
  std::string line = "walks the matched tables ";
  line += selection.order == Order::any    ? "archetype by archetype"
          : selection.order == Order::down ? "by rising rank"
                                           : "by falling rank";
  line += in_words(selection.depths);
  if (matcher.has_above_terms()) line += ", and looks above the rows";
  if (!matcher.uses_side_store()) return line;
  line += ", and looks up each row in the side store";
  if (selection.order != Order::any) return line;
  const Borrowed<GatheredRows> borrowed(matcher.scratch(), matcher);
  const GatheredRows& rows = *borrowed;
  if (rows.impossible()) return "visits nothing: no entity has a required component of the side store";
  const std::string members = leading_members(matcher.store(), rows.leaders());
  if (members.empty()) return line;
  if (choose_iteration_source(matcher, rows) == IterationSource::pools) return "looks up the " + members;
  return line + ": that is faster than looking up the " + members + ", which are not sorted";
}

struct Tally {
  std::size_t rows = 0;
  std::size_t tables = 0;

  std::string in_words() const { return counted(rows, "row") + " in " + counted(tables, "table"); }
};

Tally tally_of(std::span<Block* const> tables) {
  Tally tally{0, tables.size()};
  for (const Block* const block : tables) tally.rows += table_of(*block).row_count();
  return tally;
}

std::string in_words(const Store& store, const Archetype& archetype) {
  Tally total;
  std::string ranks;
  std::size_t used = 0;
  for (auto lists = archetype.ranks().first(); !lists.at_end(); lists.next()) {
    const Tally tally = tally_of(lists.tables());
    if (tally.tables == 0) continue;
    total = {total.rows + tally.rows, total.tables + tally.tables};
    if (++used > kMostRanks) continue;
    ranks += "\n    rank " + std::to_string(lists.rank()) + ": " + tally.in_words();
  }
  if (used > kMostRanks) ranks += "\n    and " + counted(used - kMostRanks, "more rank");
  std::string names;
  for (const ComponentId id : archetype.signature().ids()) {
    names += (names.empty() ? "" : ", ") + store.registry()[id].name;
  }
  return '[' + names + "]: " + total.in_words() + ranks;
}

/// Returns: the reasons why a live entity does not match the query, such as `has no "A"`; empty if it
/// matches.
std::vector<std::string> reasons_against(const Matcher& matcher, Entity entity) {
  const Store& store = matcher.store();
  std::vector<std::string> reasons;
  const StateSet unnamed = matcher.unnamed_states(entity);
  if (unnamed.contains(State::disabled)) reasons.emplace_back("is disabled");
  if (unnamed.contains(State::prefab)) reasons.emplace_back("is a prefab or part of one");
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    const Term& term = matcher.terms()[i];
    if (!is_of_visited(term)) continue;
    const bool off = is_off(store, entity, term.id);
    const bool present = store.has(entity, term.id) && !off;
    if (is_required(term) && !present) {
      reasons.push_back((off ? "has its " : "has no ") + quoted(store, term.id) +
                        (off ? " switched off" : ""));
    }
    if (term.role == Role::without && present) {
      reasons.push_back("has " + quoted(store, term.id) + ", which is excluded");
    }
    if (term.role != Role::any_of || continues_any_of(matcher, i)) continue;
    const bool has_one = std::any_of(matcher.terms().begin(), matcher.terms().end(), [&](const Term& other) {
      return other.role == Role::any_of && other.group == term.group && store.has(entity, other.id) &&
             !is_off(store, entity, other.id);
    });
    if (!has_one) reasons.push_back("has none of " + alternatives(matcher, term.group));
  }
  for (const std::uint32_t position : matcher.above_terms()) {
    const Term& term = matcher.terms()[position];
    if (matcher.accepts_above(entity, term)) continue;
    const std::string whom = reach_of(term) == Reach::parent ? "parent" : "ancestor";
    reasons.push_back(
        (requires_above(term) ? "has no " + whom : (whom[0] == 'a' ? "has an " : "has a ") + whom)
            .append(" with ") +
        quoted(store, term.id) + (requires_above(term) ? "" : ", which is excluded"));
  }
  return reasons;
}

}  // namespace

std::string explain(const Matcher& matcher, const Selection& selection) {
  std::string text = "asks for";
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    if (!continues_any_of(matcher, i)) text += "\n  " + in_words(matcher, i);
  }
  if (matcher.terms().empty()) text += " every entity";
  text += '\n' + lead(matcher, selection);
  if (selection.scope == Scope::paired && !selection.pairs->requires_one()) {
    text += selection.pairs->in_words();
  }
  Tally total;
  std::string archetypes;
  const auto matches = matcher.matches();
  for (std::size_t i = 0; i < matches.size(); ++i) {
    matches[i]->ranks().for_each([&](std::span<Block* const> tables) {
      const Tally tally = tally_of(tables);
      total = {total.rows + tally.rows, total.tables + tally.tables};
    });
    if (i < kMostArchetypes) archetypes += "\n  " + in_words(matcher.store(), *matches[i]);
  }
  if (matches.size() > kMostArchetypes) {
    archetypes += "\n  and " + counted(matches.size() - kMostArchetypes, "more archetype");
  }
  text += "\nmatches " + std::to_string(matches.size()) + " of " +
          counted(matcher.store().archetypes().all().size(), "archetype") + ", " + total.in_words();
  return text + archetypes + '\n';
}

std::string explain(const Matcher& asked, const Selection& selection, Entity entity) {
  Matcher matcher(asked);  // A copy: `refresh` looks up components that were not registered before.
  matcher.refresh();
  const std::string name = "entity " + to_string(entity);
  if (!entity) return "the handle names nothing: pass that of an entity";
  if (!matcher.store().alive(entity)) return name + " is stale or was never issued";
  std::vector<std::string> reasons = reasons_against(matcher, entity);
  if (!lies_within(matcher, selection.depths, entity)) {
    reasons.push_back("has another depth");
  } else if (selection.scope == Scope::paired) {
    selection.pairs->explain(entity, reasons);
  } else if (!contains(matcher, selection, entity) && matcher.accepts(entity)) {
    reasons.push_back("is no child of " + to_string(selection.parent));
  }
  if (reasons.empty()) return name + " matches";
  std::string sentence = name + " does not match: it ";
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i != 0) sentence += i + 1 == reasons.size() ? " and " : ", ";
    sentence += reasons[i];
  }
  return sentence;
}

}  // namespace strata::detail
