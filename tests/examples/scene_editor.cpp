#include <strata/strata.hpp>

#include <iostream>
#include <string>
#include <vector>

struct Name { std::string text; };

/// Where a node is: below a parent, before a sibling. Both may be null.
struct Place { strata::Entity parent = {}, next = {}; };

class Editor {
 public:
  strata::Entity add(const char* name, strata::Entity parent = {}) {
    if (!parent) return world_.create(Name{name});
    return world_.create(strata::child_of(parent), Name{name});
  }

  /// Moves a node to a place, and remembers how to undo that. Prints why not, if the world refuses.
  void move(strata::Entity node, Place to) {
    const Place from = place_of(node);
    if (put(node, to)) undo_.push_back({node, from});
  }
  void undo() {
    if (undo_.empty()) return;
    const Step step = undo_.back();
    undo_.pop_back();
    put(step.node, step.from);
  }

  void sort_by_name(strata::Entity parent) {
    world_.sort_children(parent, [&](strata::Entity a, strata::Entity b) { return name(a) < name(b); });
  }

  void print(const char* what, strata::Entity root) const {
    std::cout << what << ":\n";
    for (const strata::Entity node : world_.depth_first(root)) {
      std::cout << std::string(2 * world_.depth(node) + 2, ' ') << name(node) << '\n';
    }
  }

 private:
  struct Step {
    strata::Entity node;
    Place from;
  };

  const std::string& name(strata::Entity node) const { return world_.get<Name>(node).text; }

  Place place_of(strata::Entity node) const {
    Place place{world_.parent(node), {}};
    bool passed = false;
    for (const strata::Entity child : world_.children(place.parent)) {
      if (passed) return {place.parent, child};
      passed = child == node;
    }
    return place;
  }

  bool put(strata::Entity node, Place to) {
    if (!to.parent) return world_.clear_parent(node);
    // set_parent leaves a child of this parent where it is, so it becomes a root first.
    if (!to.next && world_.parent(node) == to.parent) world_.clear_parent(node);
    const strata::Outcome done =
        to.next ? world_.move_child_before(node, to.next) : world_.set_parent(node, to.parent);
    if (!done) std::cout << "refused: " << done.message() << '\n';
    return bool(done);
  }

  strata::World world_;
  std::vector<Step> undo_;
};

int main() {
  Editor editor;
  const auto scene = editor.add("scene");
  const auto table = editor.add("table", scene);
  const auto lamp = editor.add("lamp", scene);
  const auto chair = editor.add("chair", scene);
  const auto bulb = editor.add("bulb", lamp);

  editor.move(lamp, {.parent = table});                  // as the last child
  editor.move(chair, {.parent = scene, .next = table});  // before a sibling
  editor.print("lamp on the table, chair first", scene);

  editor.move(table, {.parent = bulb});  // the bulb is below the table
  editor.undo();
  editor.undo();
  editor.print("both undone", scene);

  editor.sort_by_name(scene);
  editor.print("sorted", scene);
}
