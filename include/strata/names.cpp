#include "names.hpp"

#include "../../hierarchy/names/entity_names.hpp"
#include "../../hierarchy/names/name_path.hpp"

namespace strata {

Outcome Names::set(Entity entity, std::string_view name) {
  return names_->set(entity, name);
}

bool Names::remove(Entity entity) {
  return names_->remove(entity);
}

std::string_view Names::name(Entity entity) const {
  const detail::UseScope use = names_->reading("names().name");
  return names_->name(entity);
}

Entity Names::find(std::string_view path) const {
  const detail::UseScope use = names_->reading("names().find");
  return names_->find(Entity(), path);
}

Entity Names::find(Entity from, std::string_view path) const {
  const detail::UseScope use = names_->reading("names().find");
  return from ? names_->find(from, path) : Entity();
}

std::string Names::path(Entity entity) const {
  const detail::UseScope use = names_->reading("names().path");
  return names_->path(Entity(), entity);
}

std::string Names::path(Entity from, Entity entity) const {
  const detail::UseScope use = names_->reading("names().path");
  return from ? names_->path(from, entity) : std::string();
}

std::string Names::escape(std::string_view name) {
  std::string escaped(detail::escaped_size(name), '\0');
  detail::write_escaped(name, escaped.data() + escaped.size());
  return escaped;
}

std::size_t Names::size() const {
  const detail::UseScope use = names_->reading("names().size");
  return names_->size();
}

}  // namespace strata
