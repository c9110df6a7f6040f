#include <strata/strata.hpp>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using strata::Entity;

class Editor {
 public:
  Entity add(std::string_view parent, std::string_view name) {
    const Entity above = names_.find(parent);
    const Entity node = above ? world_.create(strata::child_of(above)) : world_.create();
    return report(names_.set(node, name)) ? node : Entity();
  }

  void rename(std::string_view path, std::string_view name) {
    const Entity node = names_.find(path);
    const std::string before(names_.name(node));
    if (report(names_.set(node, name))) undo_.push_back({Step::renamed, names_.path(node), before, {}});
  }

  void move(std::string_view path, std::string_view parent) {
    const Entity node = names_.find(path);
    const std::string before = names_.path(world_.parent(node));
    if (put(node, parent)) undo_.push_back({Step::moved, names_.path(node), before, {}});
  }

  void remove(std::string_view path) {
    const Entity node = names_.find(path);
    const std::string before = names_.path(world_.parent(node));
    const Entity bin = world_.create();  // Without a name: no path leads below it.
    if (report(world_.set_parent(node, bin))) undo_.push_back({Step::removed, std::string(path), before, bin});
  }

  void undo() {
    const Step step = undo_.back();
    undo_.pop_back();
    switch (step.kind) {
      case Step::renamed:
        report(names_.set(names_.find(step.path), step.before));
        break;
      case Step::moved:
        put(names_.find(step.path), step.before);
        break;
      case Step::removed: {
        const Entity node = *world_.children(step.bin).begin();
        if (put(node, step.before)) world_.destroy(step.bin);
        break;
      }
    }
  }

  /// Destroys what was removed; the steps cannot be undone any more.
  void save() {
    for (const Step& step : undo_) world_.destroy(step.bin);
    undo_.clear();
  }

  void print(const char* what) const {
    std::cout << what << ":\n";
    for (const Entity root : world_.roots()) {
      for (const Entity node : world_.depth_first(root)) {
        const std::string path = names_.path(node);
        std::cout << "  " << (path.empty() ? "(no path)" : path) << '\n';
      }
    }
  }

 private:
  struct Step {
    enum Kind { renamed, moved, removed } kind;
    std::string path;    // After the step.
    std::string before;  // The name, or the path of the parent.
    Entity bin;          // The parent of what was removed.
  };

  /// Gives a node the parent with this path; an empty path makes it a root.
  bool put(Entity node, std::string_view parent) {
    return parent.empty() ? world_.clear_parent(node) : report(world_.set_parent(node, names_.find(parent)));
  }
  static bool report(const strata::Outcome& outcome) {
    if (!outcome) std::cout << "refused: " << outcome.message() << '\n';
    return bool(outcome);
  }

  strata::World world_{{.sibling_names = strata::SiblingNames::unique}};
  strata::Names& names_ = world_.names();
  std::vector<Step> undo_;
};

int main() {
  Editor editor;
  editor.add("", "tank");
  editor.add("tank", "turret");
  editor.add("tank/turret", "barrel");
  editor.add("tank", "left/right track");
  editor.add("", "depot");

  editor.rename("tank/turret", "gun");
  editor.move("tank/gun", "depot");
  editor.add("tank", "gun");
  editor.move("depot/gun", "tank");  // There is another gun.
  editor.print("moved");

  editor.remove("depot/gun");
  editor.print("removed");
  editor.undo();
  editor.undo();  // The other gun is still there.
  editor.rename("tank/" + strata::Names::escape("left/right track"), "tracks");
  editor.rename("tank/gun", "spare gun");
  editor.move("depot/gun", "tank");
  editor.print("undone");
  editor.save();
}
