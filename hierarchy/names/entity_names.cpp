#include "entity_names.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "../../core/rollback.hpp"
#include "../../storage/observed_changes.hpp"
#include "../../storage/side_store/pool_copies.hpp"
#include "../../storage/store_change.hpp"
#include "../links/refusals.hpp"
#include "../links/walks.hpp"
#include "name_path.hpp"

namespace strata::detail {
namespace {

/// Returns: the description with which a world registers the component NameValue.
ComponentInfo describe_names() {
  ComponentInfo info;
  info.name = std::string(Registry::kInternal) + "name";
  info.size = sizeof(NameValue);
  info.alignment = alignof(NameValue);
  info.storage = Storage::sparse;
  info.relocate = relocate_values<NameValue>;
  info.destroy = destroy_values<NameValue>;
  info.copy = copy_values<NameValue>;
  return info;
}

/// Returns: a name as messages show it: in quotation marks, and shortened if it is long.
std::string quoted(std::string_view name) {
  constexpr std::size_t kShown = 64;
  if (name.size() <= kShown) return '"' + std::string(name) + '"';
  std::size_t end = kShown;
  // Do not cut a UTF-8 character in two.
  while (end != 0 && (static_cast<unsigned char>(name[end]) & 0xC0u) == 0x80u) --end;
  return '"' + std::string(name.substr(0, end)) + "...\"";
}

std::string taken_sentence(Entity other, std::string_view name) {
  return "entity " + to_string(other) + ", another child, is named " + quoted(name);
}

}  // namespace

EntityNames::EntityNames(Store& store, const Links& links)
    : store_(store), links_(links), index_(store.memory()) {}

EntityNames::~EntityNames() {
  if (pool() == nullptr) return;
  pool()->clear();  // Before the index ends, because the destructor of a name uses it.
  store_.side().destroy_dead();
}

Outcome EntityNames::set(Entity entity, std::string_view text) {
  Outcome outcome = Outcome::done();
  {
    const Store::Change change(store_, "set_name", entity);
    outcome = rename(entity, text);
  }
  store_.notification_ended();
  return outcome;
}

/// Does the work of `set`. The caller has already begun a Store::Change (a scope for a structural change).
Outcome EntityNames::rename(Entity entity, std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return Outcome::refused("entity " + to_string(entity) + " cannot be named " + quoted(text) + ": " + why);
  };
  if (!store_.alive(entity)) return refused(stale_sentence(entity));
  if (text.empty()) return refused("a name has at least one character");
  if (name(entity) == text) return Outcome::done();
  const Entity parent = parent_of(entity);
  const NameNode* const other = unique_ && parent ? find_below(parent, text) : nullptr;
  if (other != nullptr) return refused(taken_sentence(other->entity, text));
  put(entity, text);
  return Outcome::done();
}

/// Gives an entity the name `text`, which is not its present name.
/// Errors: std::bad_alloc; nothing has changed then.
void EntityNames::put(Entity entity, std::string_view text) {
  NameValue value(text, store_.memory());
  if (NameNode* const before = node_of(entity)) {
    index_.erase(*before);
    index_.insert(value.node(), entity, parent_of(entity));
    void* const place = store_.find(entity, component_);
    std::swap(*static_cast<NameValue*>(place), value);
    return notify_written(store_, entity, component_, place);
  }
  if (component_ == Registry::kUnknown) {
    component_ = store_.registry().add_internal(describe_names());
    store_.registry().keep(component_);
  }
  index_.reserve(1);
  alignas(NameValue)
      std::byte memory[sizeof(NameValue)];  // Store::add ends the lifetime of the value in this memory.
  auto* const given = ::new (static_cast<void*>(memory)) NameValue(std::move(value));
  Rollback destroy([&] { given->~NameValue(); });
  index_.insert(given->node(), entity, parent_of(entity));
  const ChangeListener::Hold hold(store_.listener());
  store_.add(entity, component_, given);
  destroy.dismiss();
  store_.guard().mark_tree_listened(TreeListener::names, true);
}

bool EntityNames::remove(Entity entity) {
  if (component_ != Registry::kUnknown) return store_.remove(entity, component_);
  store_.require_unlocked("remove_name", entity);
  return false;
}

std::string_view EntityNames::name(Entity entity) const noexcept {
  const NameNode* const node = node_of(entity);
  return node != nullptr ? node->text() : std::string_view();
}

/// Returns: the name of an entity; null if the entity is stale (destroyed), or has no name in the index of this world.
NameNode* EntityNames::node_of(Entity entity) const noexcept {
  const SparsePool* const names = pool();
  if (names == nullptr) return nullptr;
  const auto* const value = static_cast<const NameValue*>(names->find(entity));
  // A program may have copied the value from an entity of another world. Such a copy is not in the index of this world,
  // and does not count as a name.
  return value != nullptr && value->node().index == &index_ ? &value->node() : nullptr;
}

Entity EntityNames::parent_of(Entity entity) const noexcept {
  const std::uint32_t parent = links_.parent(entity.index());
  return parent != Links::kNone ? store_.slots().handle_of(parent) : Entity();
}

/// Searches the index for the name `text` among the names of the children of `parent`, or of the roots if `parent` is
/// null.
/// Returns: the name; if several of these entities have it, the name that was inserted first; null if none has it.
const NameNode* EntityNames::find_below(Entity parent, std::string_view text) const noexcept {
  const NameNode* const first = index_.find(parent, text);
  if (first == nullptr || !store_.guard().locked()) return first;
  // While destructors run, the index may still contain names of destroyed entities. `node_of` does not find these
  // names. Skip them.
  const NameNode* node = first;
  do {
    if (node_of(node->entity) == node) return node;
    node = node->next;
  } while (node != first);
  return nullptr;
}

Entity EntityNames::find(Entity from, std::string_view path) const {
  Entity found = from;
  NamePath names(path);
  while (names.next()) {
    const NameNode* const node = find_below(found, names.name());
    if (node == nullptr) return {};
    found = node->entity;
  }
  return names.whole() ? found : Entity();
}

std::string EntityNames::path(Entity from, Entity entity) const {
  if (!store_.alive(entity)) return {};
  std::size_t size = 0;
  for (Entity at = entity; at != from; at = parent_of(at)) {
    const std::string_view name = at ? this->name(at) : std::string_view();
    if (name.empty()) return {};
    size += escaped_size(name) + 1;
  }
  if (size == 0) return {};
  std::string path(size - 1, kNameSeparator);
  char* end = path.data() + path.size();
  for (Entity at = entity; at != from; at = parent_of(at)) {
    if (at != entity) --end;  // Skips a separator, with which the path is filled.
    end = write_escaped(name(at), end);
  }
  return path;
}

Outcome EntityNames::check_move(Entity child, Entity parent) const {
  if (!unique_ || !store_.alive(child)) return Outcome::done();
  const std::string_view text = name(child);
  if (text.empty() || parent_of(child) == parent) return Outcome::done();
  const NameNode* const other = find_below(parent, text);
  if (other == nullptr) return Outcome::done();
  return refuse_child(child, parent, taken_sentence(other->entity, text));
}

Outcome EntityNames::check_children(Entity parent, std::span<const Entity> children) const {
  if (!unique_) return Outcome::done();
  std::vector<const NameNode*> named;
  for (const Entity child : children) {
    if (const NameNode* const node = node_of(child)) named.push_back(node);
  }
  const auto before = [](const NameNode* a, const NameNode* b) {
    return std::pair(a->text(), a->entity) < std::pair(b->text(), b->entity);
  };
  std::sort(named.begin(), named.end(), before);
  for (std::size_t i = 1; i < named.size(); ++i) {
    if (named[i] == named[i - 1] || named[i]->text() != named[i - 1]->text()) continue;
    return refuse_child(named[i]->entity, parent, taken_sentence(named[i - 1]->entity, named[i]->text()));
  }
  return Outcome::done();
}

void EntityNames::moved(Entity child) noexcept {
  NameNode* const node = node_of(child);
  if (node == nullptr) return;
  index_.erase(*node);
  index_.insert(*node, child, parent_of(child));
}

void EntityNames::reserve_copies(Entity root, std::size_t copies) {
  if (size() == 0 || !store_.alive(root)) return;
  std::size_t named = 0;
  for (const Entity entity : DepthFirstRange(links_, store_.slots(), root.index())) {
    named += node_of(entity) != nullptr ? 1 : 0;
  }
  index_.reserve(named * copies);
}

void EntityNames::place_copies(std::span<const Entity> copies, Entity above) noexcept {
  SparsePool* const names = pool();
  if (names == nullptr) return;
  for (const Entity copy : copies) {
    const auto* const value = static_cast<const NameValue*>(names->find(copy));
    if (value == nullptr) continue;
    const Entity parent = parent_of(copy);
    const bool is_top = above && parent == above;
    if (is_top && unique_ && find_below(above, value->node().text()) != nullptr) {
      names->erase(copy);
    } else {
      index_.insert(value->node(), copy, parent);
    }
  }
}

bool EntityNames::equals(const SparsePool& copy, std::span<const Entity> order) const noexcept {
  const SparsePool* const names = pool();
  if (names == nullptr || !have_equal_members(*names, copy)) return false;
  std::size_t same = 0;
  for_each([&](Entity entity, std::string_view text) {
    const bool is_next = same < order.size() && order[same] == entity;
    if (is_next && static_cast<const NameValue*>(copy.find(entity))->node().text() == text) ++same;
  });
  return same == order.size() && same == size();
}

void EntityNames::exchange(SparsePool& other, std::span<const Entity> order) noexcept {
  SparsePool& names = *pool();
  for (const Entity entity : names.entities()) {
    if (NameNode* const node = node_of(entity)) index_.erase(*node);
  }
  names.swap(other);
  for (const Entity entity : order) {
    index_.insert(static_cast<const NameValue*>(names.find(entity))->node(), entity, parent_of(entity));
  }
  if (size() != 0) store_.guard().mark_tree_listened(TreeListener::names, true);
}

void EntityNames::shrink() noexcept {
  index_.shrink();
  if (size() == 0) store_.guard().mark_tree_listened(TreeListener::names, false);
}

std::string EntityNames::check_invariants() const {
  if (std::string broken = index_.check_invariants(); !broken.empty()) return broken;
  std::size_t placed = 0;
  if (const SparsePool* const names = pool()) {
    for (const Entity entity : names->entities()) {
      const NameNode* const node = node_of(entity);
      if (node == nullptr) continue;
      ++placed;
      if (node->entity != entity || node->parent != parent_of(entity))
        return "I4: the name of entity " + to_string(entity) + " is indexed below another parent";
      if (unique_ && node->parent && node->next != node)
        return "I5: entities " + to_string(entity) + " and " + to_string(node->next->entity) +
               " are siblings and have equal names";
    }
  }
  // While destructors run, the index may still contain the names of destroyed entities: a name leaves the index in its
  // own destructor. So the index may contain more names than the loop above has counted.
  const bool waits = placed < size() && store_.guard().locked();
  if (placed != size() && !waits) return "I4: the index has names of entities that are gone";
  return size() == 0 || store_.tree_listened() ? "" : "I4: changes are not reported although there are names";
}

}  // namespace strata::detail
