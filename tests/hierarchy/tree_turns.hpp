// The operations of a hierarchy, each applied to a subject and to a model of the tree.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../hierarchy/hierarchy.hpp"
#include "../support/family_order.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"
#include "../support/user_code.hpp"

namespace strata::test {

using namespace detail;

inline constexpr std::array kLayouts{Layout::per_parent, Layout::per_level, Layout::adaptive};
inline constexpr std::array kLayoutNames{"per_parent", "per_level", "adaptive"};

inline std::string name_of_layout(Layout layout) {
  return kLayoutNames[static_cast<std::size_t>(layout)];
}

inline constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

template <class Range>
std::vector<Entity> listed(const Range& range) {
  return std::vector<Entity>(range.begin(), range.end());
}

/// Changes and compares a Hierarchy, or a World, which has the same calls.
template <class Subject>
class TreeTurns {
 public:
  TreeTurns(Subject& subject, const Store& store, LayoutPolicy policy, TreeModel& model, Bytes& bytes,
            Log& log, UserCode& code = UserCode::none())
      : subject_(subject),
        store_(store),
        policy_(policy),
        model_(model),
        bytes_(bytes),
        log_(log),
        code_(code) {}

  /// Carries out one of the operations; it reads at most three bytes of the turn.
  Disagreement turn(Entity entity, Entity other) {
    switch (bytes_.below(21)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return set_parent(entity, other);
      case 4:
        return clear_parent(entity);
      case 5:
        return destroy(entity, bytes_.chance(3) ? ChildPolicy::destroy : ChildPolicy::orphan);
      case 6:
        return destroy_children(entity);
      case 7:
      case 8:
        return move_child_before(entity, other);
      case 9:
        return reorder_defragmented([&] { return move_first_child(entity); });
      case 10:
        return sort_children(entity);
      case 11:
        return reorder_defragmented([&] { return sort_children(entity); });
      case 12:
        return sort_children_throwing(entity);
      case 13:
      case 14:
        return defragment();
      case 15:
        return defragment_in_steps();
      case 16:
        return sort_children_contradicting(entity);
      case 17:
      case 18:
        return set_children(entity, other);
      default:
        return set_layout(entity);
    }
  }

  /// Forgets what was chosen for entities that are gone: their handles may become valid again.
  void forget_dead() {
    std::erase_if(layouts_, [this](const auto& chosen) { return !model_.contains(chosen.first); });
  }

  /// Compares everything that can be asked of one entity. `above` is any other.
  Disagreement compare(Entity entity, Entity above) const {
    const std::string of = " of " + to_string(entity) + " is wrong";
    if (subject_.parent(entity) != model_.parent(entity)) return "parent" + of;
    if (subject_.next_sibling(entity) != model_.sibling(entity, 1)) return "next_sibling" + of;
    if (subject_.previous_sibling(entity) != model_.sibling(entity, -1)) return "previous_sibling" + of;
    if (listed(subject_.children(entity)) != model_.children(entity)) return "children" + of;
    if (subject_.child_count(entity) != model_.children(entity).size()) return "child_count" + of;
    if (listed(subject_.ancestors(entity)) != model_.ancestors(entity)) return "ancestors" + of;
    if (subject_.is_ancestor(above, entity) != model_.is_ancestor(above, entity)) return "is_ancestor" + of;
    if (!model_.contains(entity)) return {};
    if (subject_.depth(entity) != model_.depth(entity)) return "depth" + of;
    if (subject_.layout_below(entity) != layout_below(entity)) return "layout_below" + of;
    return compare_table(entity);
  }

  /// Compares the walks from one entity.
  Disagreement compare_walks(Entity entity) const {
    const std::string of = " from " + to_string(entity) + " is wrong";
    if (listed(subject_.depth_first(entity)) != model_.depth_first(entity)) return "depth_first" + of;
    if (subject_.breadth_first(entity) != model_.breadth_first(entity)) return "breadth_first" + of;
    if (subject_.roots() != model_.roots()) return "roots is wrong";
    return {};
  }

 private:
  Layout layout_below(Entity entity) const {
    for (Entity at = entity; at; at = model_.parent(at)) {
      if (const auto found = layouts_.find(at); found != layouts_.end()) return found->second;
    }
    return policy_.layout;
  }

  /// Checks whether a child's row shares the table of its level only where the layout says so.
  Disagreement compare_table(Entity child) const {
    const Entity parent = model_.parent(child);
    const std::uint32_t label = store_.slots().find(child).block->label;
    if (!parent) return label == 0 ? Disagreement() : "a root's row is in the table of a family";
    const Layout layout = layout_below(parent);
    if (label == 0 && layout == Layout::per_parent)
      return to_string(child) + " shares the table of its level";
    if (label != 0 && layout == Layout::per_level) return to_string(child) + " has a table of its family";
    return {};
  }

  Disagreement set_parent(Entity child, Entity parent) {
    log_("set the parent of ", child, " to ", parent);
    const bool expected = model_.can_set_parent(child, parent);
    const Outcome outcome = subject_.set_parent(child, parent);
    if (expected) model_.set_parent(child, parent);
    return check_outcome("set_parent", outcome, expected, child, parent);
  }
  Disagreement move_child_before(Entity child, Entity sibling) {
    log_("move ", child, " before ", sibling);
    const bool expected = model_.can_move_before(child, sibling);
    const Outcome outcome = subject_.move_child_before(child, sibling);
    if (expected) model_.move_before(child, sibling);
    return check_outcome("move_child_before", outcome, expected, child, sibling);
  }
  Disagreement move_first_child(Entity entity) {
    const std::vector<Entity> children = model_.children(entity);
    return children.size() < 2 ? Disagreement() : move_child_before(children.back(), children.front());
  }
  /// Keeps some of the children that the parent has, in another order, and adds some that it does not have:
  /// mostly such that can become its children.
  Disagreement set_children(Entity parent, Entity other) {
    std::size_t random = bytes_.below(256);
    const auto draw = [&](std::size_t below) {
      return ((random = random * 1664525 + 1013904223) >> 8) % below;
    };
    std::vector<Entity> children = model_.children(parent);
    std::erase_if(children, [&](Entity) { return draw(3) == 0; });
    const std::vector<Entity> all = model_.all();
    for (std::size_t more = all.empty() ? 0 : draw(5); more != 0; --more) {
      const Entity child = all[draw(all.size())];
      const bool fits =
          model_.can_set_parent(child, parent) && !std::count(children.begin(), children.end(), child);
      if (fits || draw(12) == 0) children.push_back(child);
    }
    if (draw(12) == 0) children.push_back(other);
    for (std::size_t i = children.size(); i > 1; --i) std::swap(children[i - 1], children[draw(i)]);
    std::string names;
    for (const Entity child : children) names += ' ' + to_string(child);
    log_("set the children of ", parent, " to", names);
    const bool expected = model_.can_set_children(parent, children);
    const Outcome outcome = subject_.set_children(parent, children);
    if (expected) model_.set_children(parent, children);
    return check_outcome("set_children", outcome, expected, parent, parent);
  }
  Disagreement check_outcome(const std::string& operation, const Outcome& outcome, bool expected, Entity a,
                             Entity b) {
    if (static_cast<bool>(outcome) != expected) return operation + " answered wrongly: " + outcome.message();
    if (!expected && outcome.message().find(to_string(a)) == std::string::npos &&
        outcome.message().find(to_string(b)) == std::string::npos) {
      return "the refusal names no entity: " + outcome.message();
    }
    return code_.ended();
  }
  Disagreement clear_parent(Entity child) {
    log_("clear the parent of ", child);
    const bool expected = static_cast<bool>(model_.parent(child));
    if (subject_.clear_parent(child) != expected) return "clear_parent answered wrongly";
    if (expected) model_.clear_parent(child);
    return code_.ended();
  }

  Disagreement destroy(Entity entity, ChildPolicy children) {
    log_("destroy ", entity, children == ChildPolicy::orphan ? " and orphan its children" : "");
    const bool expected = model_.contains(entity);
    if (expected) children == ChildPolicy::orphan ? model_.destroy_alone(entity) : model_.destroy(entity);
    code_.model_is_ahead();
    if (subject_.destroy(entity, children) != expected) return "destroy answered wrongly";
    return code_.ended();
  }
  Disagreement destroy_children(Entity entity) {
    log_("destroy the children of ", entity);
    const std::size_t expected = model_.children(entity).size();
    model_.destroy_children(entity);
    code_.model_is_ahead();
    if (subject_.destroy_children(entity) != expected) return "destroy_children answered wrongly";
    return code_.ended();
  }

  /// Changes the order of children in a world that was defragmented: what is derived from it has to notice.
  template <class Reorder>
  Disagreement reorder_defragmented(Reorder reorder) {
    log_("defragment all, before and after this:");
    if (Disagreement wrong = defragment_all()) return wrong;
    if (Disagreement wrong = reorder()) return wrong;
    return defragment_all();
  }

  Disagreement sort_children(Entity entity) {
    // Few keys, so that children with the same one have to keep their order.
    const auto factor = static_cast<std::uint32_t>(bytes_.below(7));
    log_("sort the children of ", entity, " by their index times ", factor, " modulo 7");
    const auto less = [factor](Entity a, Entity b) {
      return a.index() * factor % 7 < b.index() * factor % 7;
    };
    subject_.sort_children(entity, [&](Entity a, Entity b) {
      code_.compare(a, b);
      return less(a, b);
    });
    if (model_.contains(entity)) model_.sort_children(entity, less);
    return code_.ended();
  }
  Disagreement sort_children_contradicting(Entity entity) {
    std::size_t random = bytes_.below(256);
    log_("sort the children of ", entity, " with a comparator that contradicts itself");
    std::vector<Entity> before = model_.children(entity);
    // Nothing is recorded: the order that comes about could not be told from what the commands do to it.
    subject_.sort_children(
        entity, [&](Entity, Entity) { return ((random = random * 1664525 + 1013904223) >> 16) % 3 == 0; });
    const std::vector<Entity> after = listed(subject_.children(entity));
    if (!std::is_permutation(before.begin(), before.end(), after.begin(), after.end())) {
      return "a child was lost, or is there twice";
    }
    for (std::size_t i = after.size(); i-- > 1;) model_.move_before(after[i - 1], after[i]);
    return code_.ended();
  }
  Disagreement sort_children_throwing(Entity entity) {
    std::size_t left = bytes_.below(6);
    log_("sort the children of ", entity, " with a comparator that throws after ", left, " calls");
    const auto less = [&](Entity a, Entity b) {
      if (left-- == 0) throw std::runtime_error("no more comparing");
      code_.compare(a, b);
      return b < a;
    };
    const bool may_throw = model_.children(entity).size() > 1;
    try {
      subject_.sort_children(entity, less);
    } catch (const std::runtime_error&) {
      return may_throw ? code_.interrupted() : "a comparator was called for less than two children";
    }
    if (model_.contains(entity)) model_.sort_children(entity, [](Entity a, Entity b) { return b < a; });
    return code_.ended();
  }

  Disagreement defragment() {
    const std::size_t choice = bytes_.below(64);
    const std::size_t budget = choice < 40 ? choice : kAll;
    log_("defragment ", budget == kAll ? "all" : std::to_string(budget));
    const bool defragmented = subject_.defragment(budget);
    if (budget == kAll && !defragmented) return "defragmenting all left something";
    return defragmented ? end_of_defragmentation() : code_.ended();
  }
  Disagreement defragment_all() {
    return subject_.defragment(kAll) ? end_of_defragmentation() : "defragmenting all left something";
  }
  Disagreement defragment_in_steps() {
    const std::size_t budget = 1 + bytes_.below(9);
    log_("defragment ", budget, " at a time until all is in order");
    // Adaptive families that have grown or shrunk move as a whole: smaller budgets are saved up for them.
    std::size_t steps = 0;
    while (!subject_.defragment(budget)) {
      if (Disagreement wrong = code_.ended()) return wrong;
      if (++steps > 100 * (model_.size() + 10)) return "defragmenting in steps does not end";
    }
    return end_of_defragmentation();
  }
  /// What was recorded meanwhile is applied by now, and may have left something to defragment.
  Disagreement end_of_defragmentation() {
    const bool changed = code_.has_recorded();
    if (Disagreement wrong = code_.ended()) return wrong;
    return changed ? Disagreement() : check_defragmented();
  }
  Disagreement check_defragmented() {
    if (!subject_.defragment(0)) return "what was defragmented is not any more, although nothing has changed";
    for (const Entity parent : model_.all()) {
      const std::vector<Entity> children = model_.children(parent);
      if (layout_below(parent) != Layout::adaptive || children.size() <= policy_.large_family) continue;
      if (store_.slots().find(children.front()).block->label == 0) {
        return "the large family of " + to_string(parent) + " shares the table of its level";
      }
    }
    const std::string complaint = out_of_family_order(
        store_, [&](Entity entity) { return model_.parent(entity); },
        [&](Entity entity) { return model_.children(entity); });
    return complaint.empty() ? Disagreement() : complaint;
  }

  Disagreement set_layout(Entity entity) {
    const Layout layout = kLayouts[bytes_.below(kLayouts.size())];
    log_("lay out what is below ", entity, ' ', name_of_layout(layout));
    try {
      subject_.set_layout(entity, layout);
    } catch (const ContractViolation&) {
      return model_.contains(entity) ? Disagreement("set_layout was refused") : Disagreement();
    }
    if (!model_.contains(entity)) return "set_layout of a stale entity was not refused";
    layouts_[entity] = layout;
    return code_.ended();
  }

  Subject& subject_;
  const Store& store_;
  LayoutPolicy policy_;
  TreeModel& model_;
  Bytes& bytes_;
  Log& log_;
  UserCode& code_;
  std::map<Entity, Layout> layouts_;  // Those that were chosen.
};

}  // namespace strata::test
