#include "entity_paths.hpp"

#include <charconv>

#include "value_json.hpp"

namespace strata::detail {

void EntityPaths::add(Entity entity) {
  const Entity parent = world_.parent(entity);
  // `path(parent, entity)` returns the entity's name alone, with a backslash before each slash and backslash in it. So
  // a slash in a name does not look like the end of the name.
  const std::string own = parent ? world_.names().path(parent, entity) : world_.names().path(entity);
  if (own.empty() || own.size() > kLongest || !text_to_json(own).is_string()) return;
  std::string path;
  if (parent) {
    if (parent.index() >= paths_.size() || paths_[parent.index()].empty()) return;
    path = paths_[parent.index()];
  }
  path += '/' + own;
  if (path.size() > kLongest) return;
  const auto [found, is_new] = by_path_.try_emplace(path, entity);
  if (!is_new) found->second = Entity();
  if (entity.index() >= paths_.size()) paths_.resize(entity.index() + 1);
  paths_[entity.index()] = std::move(path);
}

std::string EntityPaths::name(Entity entity) const {
  if (entity && entity.index() < paths_.size() && !paths_[entity.index()].empty()) {
    const auto found = by_path_.find(paths_[entity.index()]);
    if (found->second == entity) return found->first;
  }
  return to_string(entity);
}

bool EntityPaths::find(const std::string& text, Entity& entity) const {
  if (text == "none") {
    entity = Entity();
    return true;
  }
  if (!text.starts_with('/')) return read_handle(text, entity);
  const auto found = by_path_.find(text);
  if (found == by_path_.end() || !found->second) return false;
  entity = found->second;
  return true;
}

bool EntityPaths::read_handle(const std::string& text, Entity& entity) {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, index);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'v') return false;
  const auto second = std::from_chars(first.ptr + 1, end, generation);
  if (second.ec != std::errc() || second.ptr != end) return false;
  entity = Entity(index, generation);
  return true;
}

}  // namespace strata::detail
