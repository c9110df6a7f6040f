// Edits: what the questions about re-parenting share, beside the tree: who goes where, and a scene that obeys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "excursions.hpp"
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

/// A scene whose nodes go on excursions.
class EditedScene {
 public:
  EditedScene(Layout layout, const EditData& data);

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
