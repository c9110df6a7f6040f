#include "../../hierarchy/links.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"

using namespace strata;
using namespace strata::test;

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
    if (bytes_.chance(4)) {
      log_("detach ", node);
      detach(node);
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
