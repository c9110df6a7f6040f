#include "comparison.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "../../core/values/value_text.hpp"

namespace strata::detail {
namespace {

/// Lists the differences between two worlds: goes through their resources, and then through their entities, side by
/// side.
class Comparison {
 public:
  Comparison(const Contents& first, const Contents& second, std::size_t most)
      : first_(first), second_(second), most_(most) {}

  std::vector<WorldDifference> find() {
    list_relations();
    compare_resources();
    const std::uint32_t size = std::max(first_.store().slots().size(), second_.store().slots().size());
    for (std::uint32_t index = 0; index < size && found_.size() < most_; ++index) {
      const Entity a = first_.entity_at(index);
      const Entity b = second_.entity_at(index);
      if (a == b) {
        if (a) compare(a);
      } else {
        if (a) add(a, "", "", "is only in the first world");
        if (b) add(b, "", "", "is only in the second world");
      }
    }
    if (found_.size() > most_) found_.resize(most_);
    return std::move(found_);
  }

 private:
  /// Adds a difference in `entity`, or in the world itself if `entity` is null, to the result. `words` is the end of a
  /// sentence whose subject is the entity or the world, such as "is only in the first world".
  void add(Entity entity, std::string component, std::string path, const std::string& words) {
    found_.push_back({entity, std::move(component), std::move(path),
                      (entity ? "entity " + to_string(entity) : "the world") + ' ' + words});
  }
  void add_both(Entity entity, const std::string& what, const std::string& first, const std::string& second) {
    add(entity, "", "", what + ' ' + first + " in the first world, and " + second + " in the second");
  }
  static std::string quoted_or_none(std::string_view text) {
    return text.empty() ? "none" : '"' + std::string(text) + '"';
  }

  void compare(Entity entity) {
    if (first_.parent_of(entity) != second_.parent_of(entity)) {
      add_both(entity, "has the parent", to_string(first_.parent_of(entity)),
               to_string(second_.parent_of(entity)));
    } else if (first_.parent_of(entity) && first_.before(entity) != second_.before(entity)) {
      add_both(entity, "follows the child", to_string(first_.before(entity)),
               to_string(second_.before(entity)));
    }
    const std::string_view name = first_.names().name(entity);
    const std::string_view other_name = second_.names().name(entity);
    if (name != other_name)
      add_both(entity, "has the name", quoted_or_none(name), quoted_or_none(other_name));
    compare_components(entity);
    for (const Relation& relation : relations_) compare_pairs(entity, relation);
  }

  void compare_components(Entity entity) {
    first_.list(entity, components_);
    second_.list(entity, others_);
    auto a = components_.begin();
    auto b = others_.begin();
    while (a != components_.end() || b != others_.end()) {
      const bool in_first = a != components_.end() && (b == others_.end() || a->info->name <= b->info->name);
      const bool in_second = b != others_.end() && (!in_first || a->info->name == b->info->name);
      const std::string& name = in_first ? a->info->name : b->info->name;
      if (!in_first || !in_second) {
        add(entity, name, "",
            "has \"" + name + "\" only in the " + (in_first ? "first" : "second") + " world");
      } else if (a->info->is_tag() != b->info->is_tag()) {
        add(entity, name, "", "has \"" + name + "\", which is a tag in one of the worlds only");
      } else if (!a->info->is_tag()) {
        compare_values(entity, *a, *b, '"' + name + '"');
      }
      if (in_first) ++a;
      if (in_second) ++b;
    }
  }

  void compare_values(Entity entity, const Content& a, const Content& b, const std::string& what) {
    compare_values(entity, {a.info->name, a.info->value, a.value}, {b.info->name, b.info->value, b.value},
                   what);
  }
  /// A value of a component or a resource.
  struct NamedValue {
    std::string_view name;
    const ValueType* type;
    const void* value;
  };
  void compare_values(Entity entity, const NamedValue& a, const NamedValue& b, const std::string& what) {
    ValueDifference difference;
    if (a.type == b.type) {
      difference = find_difference(*a.type, a.value, b.value);
    } else {
      // The worlds describe the type with two different objects, which may list different members. So compare the
      // values as text.
      difference = {"", to_text(*a.type, a.value), to_text(*b.type, b.value)};
      if (difference.first == difference.second) return;
    }
    if (!difference) return;
    const std::string member = difference.path.empty() ? ", which" : ", whose " + difference.path;
    add(entity, std::string(a.name), difference.path,
        "has " + what + member + " is " + difference.first + " in the first world, and " + difference.second +
            " in the second");
  }

  void compare_resources() {
    const std::vector<const ResourceNode*> resources = first_.list_resources();
    const std::vector<const ResourceNode*> others = second_.list_resources();
    auto a = resources.begin();
    auto b = others.begin();
    while (a != resources.end() || b != others.end()) {
      const bool in_first =
          a != resources.end() && (b == others.end() || (*a)->type->name <= (*b)->type->name);
      const bool in_second = b != others.end() && (!in_first || (*a)->type->name == (*b)->type->name);
      const ResourceType& type = in_first ? *(*a)->type : *(*b)->type;
      const std::string what = "the resource \"" + std::string(type.name) + '"';
      if (in_first && in_second) {
        compare_values(Entity(), value_of(**a), value_of(**b), what);
      } else {
        add(Entity(), std::string(type.name), "",
            "has " + what + " only in the " + (in_first ? "first" : "second") + " world");
      }
      if (in_first) ++a;
      if (in_second) ++b;
    }
  }
  static NamedValue value_of(const ResourceNode& resource) {
    const ResourceType& type = *resource.type;
    return {type.name, type.value_type(), type.value_of(resource)};
  }

  /// A relation that at least one of the worlds knows. `first` or `second` is null if that world does not know it.
  struct Relation {
    std::string_view name;
    const Pairs* first;
    const Pairs* second;
  };
  void list_relations() {
    for (const Pairs* pairs : first_.relations().all())
      relations_.push_back({pairs->component().name, pairs, nullptr});
    for (const Pairs* pairs : second_.relations().all()) {
      const std::string_view name = pairs->component().name;
      const auto known = std::find_if(relations_.begin(), relations_.end(),
                                      [&](const Relation& relation) { return relation.name == name; });
      if (known != relations_.end()) {
        known->second = pairs;
      } else {
        relations_.push_back({name, nullptr, pairs});
      }
    }
  }

  void compare_pairs(Entity entity, const Relation& relation) {
    const auto targets_in = [&](const Pairs* pairs) {
      return pairs != nullptr ? pairs->of(End::source, entity) : std::span<const Entity>();
    };
    const std::string name(relation.name);
    const auto add_missing = [&](Entity target, const char* which) {
      add(entity, name, "",
          "has \"" + name + "\" to " + to_string(target) + " only in the " + which + " world");
    };
    for (const Entity target : targets_in(relation.first)) {
      if (relation.second == nullptr || !relation.second->find(entity, target)) {
        add_missing(target, "first");
      } else {
        compare_pair_values(entity, target, *relation.first, *relation.second);
      }
    }
    for (const Entity target : targets_in(relation.second)) {
      if (relation.first == nullptr || !relation.first->find(entity, target)) add_missing(target, "second");
    }
  }
  void compare_pair_values(Entity source, Entity target, const Pairs& first, const Pairs& second) {
    const ComponentInfo& info = first.component();
    if (info.is_tag() || second.component().is_tag()) return;
    if (!first_.counts(first.id()) || !second_.counts(second.id())) return;
    compare_values(source, {&info, first.find_value(source, target)},
                   {&second.component(), second.find_value(source, target)},
                   '"' + info.name + "\" to " + to_string(target));
  }

  const Contents& first_;
  const Contents& second_;
  std::size_t most_;
  std::vector<WorldDifference> found_;
  std::vector<Content> components_;
  std::vector<Content> others_;
  std::vector<Relation> relations_;
};

}  // namespace

std::vector<WorldDifference> find_differences_of(const Contents& first, const Contents& second,
                                                 std::size_t most) {
  return Comparison(first, second, most).find();
}

}  // namespace strata::detail
