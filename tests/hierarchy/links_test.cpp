#include "../../hierarchy/links/links.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"

namespace strata::test::links_test {

using namespace detail;

namespace {

constexpr std::uint32_t kNodes = 24;

Entity entity_of(std::uint32_t node) {
  return node == Links::kNone ? Entity() : Entity(node, 1);
}

class LinksTest {
 public:
  LinksTest(std::pmr::memory_resource* memory, Bytes& bytes, Log& log)
      : links_(memory), bytes_(bytes), log_(log) {
    for (std::uint32_t node = 0; node < kNodes; ++node) model_.create(entity_of(node));
  }

  void turn() {
    const auto node = static_cast<std::uint32_t>(bytes_.below(kNodes));
    const auto parent = static_cast<std::uint32_t>(bytes_.below(kNodes));
    const std::size_t kind = bytes_.below(9);
    if (kind == 8) {
      log_("shrink");
      links_.shrink();
    } else if (kind < 2) {
      log_("detach ", node);
      detach(node);
    } else if (kind == 2) {
      reorder(node, static_cast<std::uint32_t>(bytes_.below(7)));
    } else if (kind == 3) {
      take_down(node);
    } else if (kind < 6) {
      attach_before(node, parent);
    } else if (model_.can_set_parent(entity_of(node), entity_of(parent))) {
      log_("attach ", node, " to ", parent);
      detach(node);
      links_.reserve(node);
      links_.get_family(parent);
      links_.attach(node, parent);
      model_.clear_parent(entity_of(node));
      model_.set_parent(entity_of(node), entity_of(parent));
    }
  }

  Disagreement compare() const {
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      const Entity entity = entity_of(node);
      const std::string of = " of " + std::to_string(node) + " is wrong";
      if (entity_of(links_.parent(node)) != model_.parent(entity)) return "parent" + of;
      if (children(node) != model_.children(entity)) return "the list of children" + of;
      if (links_.child_count(node) != model_.children(entity).size()) return "child_count" + of;
      if (depth_first(node) != model_.depth_first(entity)) return "the depth-first walk" + of;
      if (Disagreement wrong = compare_skip(node)) return wrong;
      for (std::uint32_t other = 0; other < kNodes; ++other) {
        if (links_.is_ancestor(other, node) != model_.is_ancestor(entity_of(other), entity))
          return "is_ancestor" + of;
      }
    }
    if (std::string broken = links_.check_invariants(); !broken.empty()) return broken;
    return {};
  }

 private:
  void detach(std::uint32_t node) {
    const std::uint32_t parent = links_.parent(node);
    links_.detach(node);
    if (parent != Links::kNone && links_.child_count(parent) == 0) links_.drop_family(parent);
    model_.clear_parent(entity_of(node));
  }
  void attach_before(std::uint32_t node, std::uint32_t sibling) {
    if (!model_.can_move_before(entity_of(node), entity_of(sibling))) return;
    log_("attach ", node, " before ", sibling);
    detach(node);
    links_.reserve(node);
    links_.attach_before(node, sibling);
    model_.clear_parent(entity_of(node));
    model_.move_before(entity_of(node), entity_of(sibling));
  }
  void reorder(std::uint32_t node, std::uint32_t factor) {
    log_("reorder the children of ", node, " by their number times ", factor, " modulo 7");
    model_.sort_children(entity_of(node),
                         [&](Entity a, Entity b) { return a.index() * factor % 7 < b.index() * factor % 7; });
    std::vector<std::uint32_t> order;
    for (const Entity child : model_.children(entity_of(node))) order.push_back(child.index());
    links_.reorder(node, order);
  }
  /// Takes a whole subtree apart, as destroying it does.
  void take_down(std::uint32_t node) {
    log_("take the subtree of ", node, " apart");
    const std::vector<Entity> below = model_.breadth_first(entity_of(node));
    detach(node);
    std::vector<Entity> taken;
    std::vector<Entity> visited;
    links_.reserve(node);
    std::uint32_t at = links_.unroll(node, [&](std::uint32_t met) {
      visited.push_back(entity_of(met));
      return true;
    });
    for (bool last = false; !last;) {
      last = at == node;
      const std::uint32_t before = last ? Links::kNone : links_.previous(at);
      taken.push_back(entity_of(at));
      links_.clear(at, [](const Links::Family&) {});
      at = before;
    }
    unrolled_right_ =
        visited == below && std::equal(taken.begin(), taken.end(), below.rbegin(), below.rend());
    for (const Entity entity : below) model_.clear_parent(entity);
  }
  /// Compares the walk below each node that leaves out the subtree of another.
  Disagreement compare_skip(std::uint32_t node) const {
    if (!unrolled_right_) return "an unrolled subtree does not come children first";
    for (const Entity below : model_.depth_first(entity_of(node))) {
      const std::vector<Entity> all = model_.depth_first(entity_of(node));
      const auto after = std::find_if(std::find(all.begin(), all.end(), below), all.end(), [&](Entity at) {
        return at != below && !model_.is_ancestor(below, at);
      });
      const Entity expected = after != all.end() ? *after : Entity();
      if (entity_of(links_.next_after_subtree(below.index(), node)) != expected) {
        return "what comes after the subtree of " + to_string(below) + " is wrong";
      }
    }
    return {};
  }
  std::vector<Entity> children(std::uint32_t node) const {
    std::vector<Entity> found;
    for (std::uint32_t child = links_.first_child(node); child != Links::kNone; child = links_.next(child)) {
      found.push_back(entity_of(child));
    }
    return found;
  }
  std::vector<Entity> depth_first(std::uint32_t root) const {
    std::vector<Entity> found;
    for (std::uint32_t at = root; at != Links::kNone; at = links_.next_depth_first(at, root)) {
      found.push_back(entity_of(at));
    }
    return found;
  }

  Links links_;
  bool unrolled_right_ = true;
  TreeModel model_;
  Bytes& bytes_;
  Log& log_;
};

Disagreement links_agree(Bytes& bytes, Log& log) {
  LinksTest test(std::pmr::new_delete_resource(), bytes, log);
  while (bytes.turn()) {
    test.turn();
    if (Disagreement wrong = test.compare()) return wrong;
  }
  return {};
}

/// The children of node 0, by hand.
struct Linked {
  Links links{std::pmr::new_delete_resource()};

  Linked() {
    links.reserve(8);
    links.get_family(0);
  }
  void attach(std::uint32_t node) { links.attach(node, 0); }
  void attach(std::uint32_t node, std::uint32_t before) { links.attach_before(node, before); }
  std::vector<std::uint32_t> children() const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t child = links.first_child(0); child != Links::kNone; child = links.next(child)) {
      found.push_back(child);
    }
    return found;
  }
};

}  // namespace

TEST_SUITE("hierarchy/links") {
  STRATA_MODEL_TEST("links behave like a map from child to parent", links_agree, .runs = 40, .turns = 60);

  TEST_CASE("a node that was never linked has no parent, children or siblings") {
    const Links links(std::pmr::new_delete_resource());
    CHECK(links.parent(7) == Links::kNone);
    CHECK(links.first_child(7) == Links::kNone);
    CHECK(links.next(7) == Links::kNone);
    CHECK(links.child_count(7) == 0);
    CHECK(!links.is_ancestor(7, 7));
  }
  TEST_CASE_FIXTURE(Linked, "a node is put before another, at the front, in the middle and at the end") {
    attach(1);
    attach(2, 1);
    attach(3, 1);
    attach(4);
    CHECK(children() == std::vector<std::uint32_t>{2, 3, 1, 4});
    CHECK(links.previous(3) == 2);
    links.detach(2);
    CHECK(links.previous(3) == Links::kNone);
    CHECK(links.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Linked, "a child moves to the end of another family from any place in its own") {
    for (const std::uint32_t node : {1u, 2u, 3u, 4u}) attach(node);
    links.reserve(9);
    links.get_family(9).chooses_layout = 1;
    for (const std::uint32_t node : {1u, 3u, 4u, 2u}) {
      links.move(node, 9);
      CHECK(links.parent(node) == 9);
      CHECK(links.next(node) == Links::kNone);
    }
    links.find_family(0)->chooses_layout = 1;
    CHECK(children().empty());
    CHECK(links.child_count(0) == 0);
    CHECK(links.child_count(9) == 4);
    CHECK(links.first_child(9) == 1);
    CHECK(links.next(1) == 3);
    CHECK(links.previous(2) == 4);
    CHECK(links.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Linked, "children are put in another order, and detached from it") {
    for (const std::uint32_t node : {1u, 2u, 3u, 4u}) attach(node);
    const std::vector<std::uint32_t> order{3, 1, 4, 2};
    links.reorder(0, order);
    CHECK(children() == order);
    links.detach(2);
    links.detach(3);
    CHECK(children() == std::vector<std::uint32_t>{1, 4});
    links.reorder(0, {});
    CHECK(children() == std::vector<std::uint32_t>{1, 4});
    CHECK(links.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Linked, "an unrolled subtree is a chain of children before parents, deepest first") {
    for (const std::uint32_t node : {1u, 2u}) attach(node);
    links.get_family(1);
    for (const std::uint32_t node : {3u, 4u}) links.attach(node, 1);
    links.get_family(2);
    links.attach(5, 2);
    std::vector<std::uint32_t> chain;
    for (std::uint32_t at = links.unroll(0, [](std::uint32_t) { return true; });; at = links.previous(at)) {
      chain.push_back(at);
      if (at == 0) break;
    }
    CHECK(chain == std::vector<std::uint32_t>{5, 4, 3, 2, 1, 0});
    for (const std::uint32_t node : chain) links.clear(node, [](const Links::Family&) {});
    CHECK(links.check_invariants().empty());
    CHECK(links.find_family(1) == nullptr);
  }
  TEST_CASE("a node that was never linked unrolls to itself") {
    Links links(std::pmr::new_delete_resource());
    links.reserve(7);
    CHECK(links.unroll(7, [](std::uint32_t) { return true; }) == 7);
    links.clear(7, [](const Links::Family&) {});
    CHECK(links.check_invariants().empty());
  }
  TEST_CASE_FIXTURE(Linked, "a walk goes on after a subtree, and ends at its own root") {
    for (const std::uint32_t node : {1u, 2u}) attach(node);
    links.get_family(1);
    for (const std::uint32_t node : {3u, 4u}) links.attach(node, 1);
    CHECK(links.next_after_subtree(3, 0) == 4);
    CHECK(links.next_after_subtree(4, 0) == 2);
    CHECK(links.next_after_subtree(1, 0) == 2);
    CHECK(links.next_after_subtree(4, 1) == Links::kNone);
    CHECK(links.next_after_subtree(2, 0) == Links::kNone);
    CHECK(links.next_after_subtree(0, 0) == Links::kNone);
  }
  TEST_CASE("families that were dropped are used again") {
    FailingMemory memory;
    Links links(&memory);
    const auto cycle = [&](std::uint32_t parent) {
      links.reserve(parent + 1);
      links.get_family(parent);
      links.attach(parent + 1, parent);
      links.detach(parent + 1);
      links.drop_family(parent);
    };
    links.reserve(200);
    cycle(0);
    const std::size_t before = memory.allocations();
    for (std::uint32_t parent = 0; parent < 200; ++parent) cycle(parent);
    CHECK(memory.allocations() == before);
    CHECK(links.check_invariants().empty());
  }
  TEST_CASE("nodes that are attached at once follow the children that are there") {
    Links links(std::pmr::new_delete_resource());
    links.reserve(9);
    links.get_family(0);
    links.attach_all(std::vector{Entity(4, 1), Entity(2, 1)}, 0);
    links.attach(7, 0);
    links.attach_all(std::vector{Entity(9, 1)}, 0);
    links.attach_all({}, 0);
    std::vector<std::uint32_t> children;
    for (std::uint32_t child = links.first_child(0); child != Links::kNone; child = links.next(child)) {
      children.push_back(child);
    }
    CHECK(children == std::vector<std::uint32_t>{4, 2, 7, 9});
    CHECK(links.check_invariants().empty());
    links.detach(9);
    links.detach(4);
    CHECK(links.check_invariants().empty());
  }
  TEST_CASE("families of new nodes are made in reserved room, behind nodes that are there") {
    FailingMemory memory;
    Links links(&memory);
    links.reserve(3);
    const std::uint32_t first = links.size() + 5;
    links.reserve_families(1000);
    sweep_out_of_memory(
        memory, [&] { links.reserve_new(first, 1000); }, [&] { CHECK(links.check_invariants().empty()); });
    memory.fail_at(1);
    links.create_family(2, 3, Layout::per_level, 0, [](std::uint32_t i) { return i == 0 ? 3 : i - 1; });
    for (std::uint32_t node = first; node + 1 < first + 1000; ++node) {
      links.create_family(node, 1, Layout::per_level, 7, [&](std::uint32_t) { return node + 1; });
    }
    links.add_new(first + 999);
    memory.never_fail();
    CHECK(links.check_invariants().empty());
    CHECK(links.first_child(2) == 3);
    CHECK(links.next(3) == 0);
    CHECK(links.next(0) == 1);
    CHECK(links.is_ancestor(first, first + 999));
    CHECK(links.find_family(first)->branch == 7);
    CHECK(links.find_family(first + 999) == nullptr);
  }
  TEST_CASE("families with reserved room need no memory") {
    FailingMemory memory;
    Links links(&memory);
    links.reserve(100);
    for (std::uint32_t node = 0; node < 10; ++node) links.get_family(node);
    for (std::uint32_t node = 0; node < 5; ++node) links.drop_family(node);
    sweep_out_of_memory(
        memory, [&] { links.reserve_families(60); }, [] {});
    memory.fail_at(1);
    for (std::uint32_t node = 20; node < 80; ++node) links.get_family(node);
    for (std::uint32_t node = 20; node < 80; ++node) links.drop_family(node);
    memory.never_fail();
    CHECK(links.find_family(20) == nullptr);
  }
  TEST_CASE("dropping a family needs no memory, also after making one failed") {
    FailingMemory memory;
    Links links(&memory);
    links.reserve(100);
    for (std::uint32_t node = 0; node < 40; ++node) {
      sweep_out_of_memory(
          memory, [&] { links.get_family(node); }, [&] { CHECK(links.find_family(node) == nullptr); });
    }
    memory.fail_at(1);
    for (std::uint32_t node = 0; node < 40; ++node) links.drop_family(node);
    memory.never_fail();
    CHECK(links.check_invariants().empty());
  }
}

}  // namespace strata::test::links_test
