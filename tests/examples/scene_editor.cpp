#include <strata/strata.hpp>

#include <iostream>
#include <string>

struct Name { std::string text; };

class Editor {
 public:
  Editor() { end_group("start"); }

  strata::Entity add(const char* name, strata::Entity parent = {}) {
    if (!parent) return world_.create(Name{name});
    return world_.create(strata::child_of(parent), Name{name});
  }

  /// Moves a node below a parent: as the last child, or before `next`. Prints why not, if the world refuses.
  void move(strata::Entity node, strata::Entity parent, strata::Entity next = {}) {
    const strata::Outcome done =
        next ? world_.move_child_before(node, next) : world_.set_parent(node, parent);
    if (!done) std::cout << "refused: " << done.message() << '\n';
  }
  void rename(strata::Entity node, const char* name) { world_.get<Name>(node).text = name; }
  void remove(strata::Entity node) { world_.destroy(node); }

  void sort_by_name(strata::Entity parent) {
    world_.sort_children(parent, [&](strata::Entity a, strata::Entity b) { return name(a) < name(b); });
  }

  /// Ends a group of changes: from now on, it is undone as a whole.
  void end_group(const char* what) {
    const strata::Outcome done = history_.checkpoint(what);
    if (!done) std::cout << "refused: " << done.message() << '\n';
  }
  void undo() {
    const std::string what(history_.name(history_.position()));
    if (history_.undo()) std::cout << "undo: " << what << '\n';
  }
  void redo() {
    if (history_.redo()) std::cout << "redo: " << history_.name(history_.position()) << '\n';
  }

  void print(strata::Entity root) const {
    for (const strata::Entity node : world_.depth_first(root)) {
      std::cout << std::string(2 * world_.depth(node) + 2, ' ') << name(node) << '\n';
    }
  }

 private:
  const std::string& name(strata::Entity node) const { return world_.get<Name>(node).text; }

  strata::World world_;
  strata::History history_{world_, {.bytes = 256 << 20}};
};

int main() {
  Editor editor;
  const auto scene = editor.add("scene");
  const auto table = editor.add("table", scene);
  const auto lamp = editor.add("lamp", scene);
  const auto chair = editor.add("chair", scene);
  const auto bulb = editor.add("bulb", lamp);
  editor.end_group("furnish");

  editor.move(lamp, table);          // as the last child
  editor.move(chair, scene, table);  // before a sibling
  editor.rename(chair, "armchair");
  editor.end_group("arrange");
  editor.print(scene);

  editor.move(table, bulb);  // the bulb is below the table
  editor.remove(table);      // and goes with it
  editor.end_group("clear the table");
  editor.print(scene);

  editor.undo();
  editor.rename(bulb, "candle");  // the handle is that of the same node again
  editor.sort_by_name(scene);
  editor.end_group("light a candle");
  editor.print(scene);

  editor.undo();
  editor.undo();
  editor.print(scene);
  editor.redo();
  editor.print(scene);
}
