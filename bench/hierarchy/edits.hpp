// Edits: what the questions about re-parenting share, beside the tree: who goes where, and a scene that obeys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "excursions.hpp"
#include "level_arrays.hpp"
#include "scene.hpp"
#include "subject.hpp"

namespace strata::bench {

/// A tree and the excursions of its nodes, by rounds.
struct EditData : TreeData<Affine> {
  using TreeData::TreeData;

  std::vector<Excursions<std::uint32_t>> rounds;
};

/// The limit: the nodes of a step get other parents in breadth-first arrays, then all values are computed.
/// Contract: `away` stands before its node, so that the order stays one of parents before children.
Work edit_arrays(const EditData& data);

/// Arrays by level whose nodes go on excursions, numbered in the order in which a scene creates them.
class EditedLevels {
 public:
  explicit EditedLevels(const EditData& data);

  void re_parent();
  void update() { levels_.update(); }

  /// Returns: the first node that is not where its parent has it.
  Complaint wrong_node() const;

  /// Returns: as `wrong_node`, or the first node with another value than breadth-first arrays have.
  /// Contract: as `edit_arrays`.
  Complaint wrong_update() const;

 private:
  const EditData& data_;
  std::vector<std::uint32_t> numbers_;  // By node of the tree.
  LevelArrays levels_;
  Traveller<std::uint32_t> traveller_;
};

/// As `edit_arrays`, in arrays by level; any parent will do.
Work edit_levels(const EditData& data);

/// A scene whose nodes go on excursions.
class EditedScene {
 public:
  EditedScene(Layout layout, const EditData& data, Settling settling = Settling::automatic);

  /// Re-parents the nodes of the next step.
  void re_parent();

  World& world() { return scene_->world(); }
  void update() { scene_->update(); }

  /// Returns: a refusal, or the first node that is not below the parent that it went to.
  Complaint wrong_node() const;

  /// Returns: as `wrong_node`, or the first node whose value in the world is not what breadth-first arrays make
  /// of the edited tree.
  Complaint wrong_update() const;

 private:
  const EditData& data_;
  std::shared_ptr<Scene<Affine>> scene_;
  Traveller<Entity> traveller_;
  std::size_t refusals_ = 0;
};

}  // namespace strata::bench
