#include "forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scene {
namespace {

/// Returns: the largest absolute value in the columns from `first` on, before `end`.
double largest(const Affine& transform, int first, int end) {
  float largest = 0;
  for (int column = first; column < end; ++column)
    for (int row = 0; row < 3; ++row) largest = std::max(largest, std::abs(transform[column][row]));
  return largest;
}

double relative(double difference, double size) {
  return difference == 0 ? 0 : difference / size;
}

}  // namespace

bool is_finite(const Affine& transform) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 3; ++row)
      if (!std::isfinite(transform[column][row])) return false;
  return true;
}

double relative_difference(const Affine& expected, const Affine& actual) {
  if (!is_finite(expected) || !is_finite(actual)) return std::numeric_limits<double>::infinity();
  const Affine difference = expected - actual;
  return std::max(
      relative(largest(difference, 0, kTranslation), largest(expected, 0, kTranslation)),
      relative(largest(difference, kTranslation, kTranslation + 1), largest(expected, 0, kTranslation + 1)));
}

std::vector<NodeIndex> roots_of(std::span<const NodeIndex> parents) {
  std::vector<NodeIndex> roots;
  for (NodeIndex node = 0; node < parents.size(); ++node)
    if (parents[node] == kNoParent) roots.push_back(node);
  return roots;
}

std::vector<NodeIndex> breadth_first_order(std::span<const NodeIndex> parents) {
  // A counting sort by parent: afterwards, the children of node n are family[first[n] .. first[n + 1]).
  std::vector<NodeIndex> first(parents.size() + 2, 0);
  for (const NodeIndex parent : parents)
    if (parent != kNoParent) ++first[parent + 2];
  for (std::size_t node = 2; node < first.size(); ++node) first[node] += first[node - 1];
  std::vector<NodeIndex> family(first.back());
  for (NodeIndex node = 0; node < parents.size(); ++node)
    if (parents[node] != kNoParent) family[first[parents[node] + 1]++] = node;

  std::vector<NodeIndex> order = roots_of(parents);
  order.reserve(parents.size());
  for (std::size_t next = 0; next < order.size(); ++next) {
    const NodeIndex node = order[next];
    order.insert(order.end(), family.begin() + first[node], family.begin() + first[node + 1]);
  }
  return order;
}

std::vector<NodeIndex> ancestors_first_order(std::span<const NodeIndex> parents) {
  std::vector<NodeIndex> order;
  order.reserve(parents.size());
  std::vector<bool> placed(parents.size(), false);
  std::vector<NodeIndex> path;
  for (NodeIndex node = 0; node < parents.size(); ++node) {
    path.clear();
    for (NodeIndex next = node; next != kNoParent && !placed[next]; next = parents[next]) {
      placed[next] = true;
      path.push_back(next);
    }
    order.insert(order.end(), path.rbegin(), path.rend());
  }
  return order;
}

Forest instanced(const Forest& forest, std::size_t copies) {
  constexpr float kSpacing = 10.0F;
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(copies))));
  Forest result;
  result.locals.reserve(copies * forest.size());
  result.parents.reserve(copies * forest.size());
  for (std::size_t copy = 0; copy < copies; ++copy) {
    const auto first = static_cast<NodeIndex>(copy * forest.size());
    const glm::vec3 place{kSpacing * static_cast<float>(copy % side), 0,
                          kSpacing * static_cast<float>(copy / side)};
    for (std::size_t node = 0; node < forest.size(); ++node) {
      const bool is_root = forest.parents[node] == kNoParent;
      result.parents.push_back(is_root ? kNoParent : first + forest.parents[node]);
      result.locals.push_back(forest.locals[node]);
      if (is_root) result.locals.back()[kTranslation] += place;
    }
  }
  return result;
}

}  // namespace scene
