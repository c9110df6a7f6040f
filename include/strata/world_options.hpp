// WorldOptions: what a world is made with.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "../../core/slots.hpp"
#include "../../hierarchy/links.hpp"

namespace strata {

struct WorldOptions {
  Layout layout = Layout::adaptive;                   ///< Where the rows of children live.
  std::pmr::memory_resource* memory = nullptr;        ///< Of entities, values and tables; null: new, delete.
  std::uint32_t max_entities = Slots::kDefaultLimit;  ///< The most slots that are ever in use.
  std::uint32_t large_family = 256;                   ///< See Layout::adaptive: its threshold, in children.
};

/// Returns: the memory resource that the options name.
inline std::pmr::memory_resource* memory_of(const WorldOptions& options) {
  return options.memory != nullptr ? options.memory : std::pmr::new_delete_resource();
}

}  // namespace strata
