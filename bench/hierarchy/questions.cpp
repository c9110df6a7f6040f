#include "questions.hpp"

namespace strata::bench {

bool Subject::is_usual() const {
  return shape == Shape::bushy && nodes == 100'000 && order == CreationOrder::breadth_first;
}

std::string Subject::path(const std::string& question) const {
  const std::string suffix = order == CreationOrder::shuffled ? "_shuffled/" : "/";
  return "hierarchy/" + question + suffix + to_string(shape) + "/" + std::to_string(nodes);
}

}  // namespace strata::bench
