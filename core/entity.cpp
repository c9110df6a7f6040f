#include "entity.hpp"

#include <ostream>

namespace strata {

std::string to_string(Entity entity) {
  if (!entity) return "none";
  return std::to_string(entity.index()) + 'v' + std::to_string(entity.generation());
}

std::ostream& operator<<(std::ostream& out, Entity entity) {
  return out << to_string(entity);
}

}  // namespace strata
