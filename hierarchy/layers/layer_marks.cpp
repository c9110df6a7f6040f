#include "layer_marks.hpp"

#include <utility>

namespace strata::detail {

bool LayerMarks::contains(Layers::Index layer, ComponentId mark) {
  for (const Answers& answers : answers_) {
    if (answers.mark == mark) return answers.by_layer[static_cast<std::size_t>(layer)] != 0;
  }
  return find_all(mark).by_layer[static_cast<std::size_t>(layer)] != 0;
}

const LayerMarks::Answers& LayerMarks::find_all(ComponentId mark) {
  Answers answers{mark, std::vector<std::uint8_t>(layers_.count())};
  if (const SparsePool* pool = store_.side().find(mark); pool != nullptr) {
    const BlockFormat* recent = nullptr;  // Entities marked together often share a format (archetype).
    for (const Entity entity : pool->entities()) {
      const Block& block = *store_.slots().place_of(entity.index()).block;
      if (block.format == recent) continue;
      recent = block.format;
      answers.by_layer[static_cast<std::size_t>(layers_.find(table_of(block).archetype()))] = 1;
    }
  }
  answers_.push_back(std::move(answers));
  return answers_.back();
}

}  // namespace strata::detail
