#include <algorithm>
#include <istream>
#include <ostream>

#include "../../../hierarchy/families/family_rows.hpp"
#include "../../../hierarchy/relations/pair.hpp"
#include "../../../hierarchy/relations/relation_set.hpp"
#include "../../../storage/changes/reading.hpp"
#include "../detail/world_parts.hpp"
#include "entity_paths.hpp"
#include "json_words.hpp"
#include "value_json.hpp"

namespace strata {
namespace detail {
namespace {

/// Writes a world as a JSON document.
class WorldToJson {
 public:
  WorldToJson(const World& world, Undescribed undescribed)
      : world_(world),
        parts_(parts_of(world)),
        paths_(world),
        name_([this](Entity entity) { return paths_.name(entity); }),
        undescribed_(undescribed) {}

  WorldJson make() {
    for (const Entity root : world_.roots()) {
      for (const Entity entity : world_.depth_first(root)) {
        order_.push_back(entity);
        paths_.add(entity);
      }
    }
    list_pairs();
    Json entities = Json::array();
    for (const Entity entity : order_) entities.push_back(entity_to_json(entity));
    Json json = {{"format", "strata world"}, {"version", kJsonVersion}, {"options", options()}};
    json["components"] = components();
    json["relations"] = relations();
    json["free"] = free_slots();
    json["retired"] = retired_slots();
    if (Json values = resources(); !values.empty()) json["resources"] = std::move(values);
    json["entities"] = std::move(entities);
    if (!fault_.empty()) return {Outcome::refused(std::move(fault_)), nullptr};
    return {Outcome::done(), std::move(json)};
  }

 private:
  struct WrittenPair {
    const Pairs* pairs;
    Entity target;
    const void* value;
  };

  Json options() const {
    const LayoutPolicy& policy = parts_.hierarchy.rows().policy();
    return {{"layout", word_of(kLayoutWords, policy.layout)},
            {"large_family", policy.large_family},
            {"world_number", parts_.store.slots().world_number()},
            {"unique_names", parts_.hierarchy.names().unique()}};
  }

  /// Returns: whether a component is written under its name. False for components that only the library adds to
  /// entities: the tags of states (such as Disabled) and layers, components that entities have because of pairs, and
  /// those with internal names. True for other components if they are tags or their values are described (see
  /// members_of). If the values are not described and Undescribed::refuse was passed, also records this error.
  bool is_written(ComponentId id) {
    const Registry& registry = parts_.store.registry();
    const ComponentInfo& info = registry[id];
    if (Registry::is_internal(info.name) || is_of_pairs(info.name) || registry.is_state_tag(id) ||
        parts_.layers.uses(id))
      return false;
    if (info.is_tag() || info.value != nullptr) return true;
    if (undescribed_ == Undescribed::refuse && fault_.empty())
      fault_ = "component \"" + info.name +
               "\" cannot be written: its values are not described; write members_of for it";
    return false;
  }

  /// Lists in `pairs_`, by source entity, the pairs of all relations that are written (see `is_written`). A symmetric
  /// relation has each pair in both directions. Only the one whose source has the lower Entity::index is listed.
  void list_pairs() {
    for (const Pairs* const pairs : parts_.hierarchy.relations().all()) {
      if (pairs->size() == 0 || !is_written(pairs->id())) continue;
      used_.push_back(pairs->id());
      pairs->for_each_source([&](Entity source, std::span<const Entity> targets) {
        if (source.index() >= pairs_.size()) pairs_.resize(source.index() + 1);
        for (std::uint32_t i = 0; i < targets.size(); ++i) {
          if (pairs->options().symmetric && targets[i].index() < source.index()) continue;
          pairs_[source.index()].push_back({pairs, targets[i], pairs->value(source, i)});
        }
      });
    }
  }

  Json entity_to_json(Entity entity) {
    Json json = {{"entity", to_string(entity)}};
    if (const std::string_view name = world_.names().name(entity); !name.empty())
      json["name"] = text_to_json(name);
    if (const Entity parent = world_.parent(entity)) json["parent"] = name_(parent);
    if (const auto layer = world_.layer(entity); layer.value_or(0) != 0) json["layer"] = *layer;
    const Links::Family* const family = parts_.hierarchy.links().find_family(entity.index());
    if (family != nullptr && family->chooses_layout != 0)
      json["layout"] = word_of(kLayoutWords, static_cast<Layout>(family->layout));
    add_states(entity, json);
    add_components(entity, json);
    add_pairs(entity, json);
    return json;
  }

  void add_states(Entity entity, Json& json) const {
    const Place place = parts_.store.slots().place_of(entity.index());
    const StateFlags& flags = table_of(*place.block).archetype().state_flags();
    for (const State state : kStates) {
      Json why = Json::array();
      if (flags.itself.contains(state)) why.push_back("itself");
      if (flags.subtree.contains(state)) why.push_back("subtree");
      if (!why.empty()) json[std::string(kStateWords[to_index(state)])] = std::move(why);
    }
  }

  void add_components(Entity entity, Json& json) {
    std::vector<ConstComponentValue> components = world_.components(entity);
    std::erase_if(components, [&](const ConstComponentValue& one) { return !is_written(one.id); });
    std::sort(components.begin(), components.end(),
              [](const ConstComponentValue& a, const ConstComponentValue& b) {
                return a.info->name < b.info->name;
              });
    Json values = Json::object();
    Json off = Json::array();
    for (const ConstComponentValue& one : components) {
      if (std::find(used_.begin(), used_.end(), one.id) == used_.end()) used_.push_back(one.id);
      values[one.info->name] =
          one.info->is_tag() ? Json(true) : value_to_json(*one.info->value, one.value, name_);
      for (const Registry::Toggled& toggled : parts_.store.registry().toggled()) {
        if (toggled.id == one.id && parts_.store.side().find(toggled.off)->contains(entity))
          off.push_back(one.info->name);
      }
    }
    if (!values.empty()) json["components"] = std::move(values);
    if (!off.empty()) json["off"] = std::move(off);
  }

  void add_pairs(Entity entity, Json& json) {
    if (entity.index() >= pairs_.size() || pairs_[entity.index()].empty()) return;
    std::vector<WrittenPair>& list = pairs_[entity.index()];
    std::sort(list.begin(), list.end(), [](const WrittenPair& a, const WrittenPair& b) {
      const std::string& first = a.pairs->component().name;
      const std::string& second = b.pairs->component().name;
      return first != second ? first < second : a.target.bits() < b.target.bits();
    });
    Json pairs = Json::object();
    for (const WrittenPair& pair : list) {
      Json one = {{"to", name_(pair.target)}};
      const ComponentInfo& info = pair.pairs->component();
      if (!info.is_tag()) one["value"] = value_to_json(*info.value, pair.value, name_);
      pairs[info.name].push_back(std::move(one));
    }
    json["pairs"] = std::move(pairs);
  }

  /// Returns: for each component of a written entity and each relation of a written pair, whether it is stored in
  /// tables or in sparse sets.
  Json components() {
    std::vector<std::pair<std::string, Storage>> list;
    for (const ComponentId id : used_) {
      const ComponentInfo& info = parts_.store.registry()[id];
      list.emplace_back(info.name, info.storage);
    }
    std::sort(list.begin(), list.end());
    Json json = Json::object();
    for (const auto& [name, storage] : list) json[name] = word_of(kStorageWords, storage);
    return json;
  }

  Json relations() const {
    Json json = Json::object();
    for (const Pairs* const pairs : parts_.hierarchy.relations().all()) {
      if (std::find(used_.begin(), used_.end(), pairs->id()) == used_.end()) continue;
      const RelationOptions& options = pairs->options();
      json[pairs->component().name] = {{"exclusive", options.exclusive},
                                       {"symmetric", options.symmetric},
                                       {"acyclic", options.acyclic},
                                       {"target_destroyed", word_of(kCleanupWords, options.target_destroyed)},
                                       {"source_destroyed", word_of(kCleanupWords, options.source_destroyed)},
                                       {"storage", word_of(kStorageWords, options.storage)},
                                       {"queried", options.queried}};
    }
    return json;
  }

  /// Returns: the values of resources, by name of the resource. Leaves out resources that are not saved, and those
  /// whose values are not described (see members_of). If `undescribed_` says so, refuses the latter: sets `fault_`.
  Json resources() {
    std::vector<const ResourceNode*> list;
    const ResourceList& all = list_of(parts_.resources);
    for (const ResourceNode* resource = all.first(); resource != nullptr; resource = resource->next) {
      const ResourceType& type = *resource->type;
      if (!type.is_saved) continue;
      if (type.value_type() != nullptr) {
        list.push_back(resource);
      } else if (undescribed_ == Undescribed::refuse && fault_.empty()) {
        fault_ = "resource \"" + std::string(type.name) +
                 "\" cannot be written: its values are not described; write members_of or is_saved_resource "
                 "for it";
      }
    }
    std::sort(list.begin(), list.end(),
              [](const ResourceNode* a, const ResourceNode* b) { return a->type->name < b->type->name; });
    Json json = Json::object();
    for (const ResourceNode* const resource : list) {
      const ResourceType& type = *resource->type;
      json[std::string(type.name)] = value_to_json(*type.value_type(), type.value_of(*resource), name_);
    }
    return json;
  }

  Json free_slots() const {
    Json json = Json::array();
    const Slots& slots = parts_.store.slots();
    // Recorded commands are not written, so slots that they have reserved are written as free ones.
    slots.for_each_unplaced([&](std::uint32_t index) { json.push_back(to_string(slots.handle_of(index))); });
    return json;
  }
  Json retired_slots() const {
    Json json = Json::array();
    const Slots& slots = parts_.store.slots();
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      if (slots.is_retired(i))
        json.push_back(std::to_string(i) + 'v' + std::to_string(slots.handle_of(i).generation()));
    }
    return json;
  }

  const World& world_;
  const WorldParts& parts_;
  EntityPaths paths_;
  std::function<std::string(Entity)> name_;
  Undescribed undescribed_;
  std::vector<Entity> order_;
  std::vector<std::vector<WrittenPair>> pairs_;  // The pairs, by slot index of the source.
  std::vector<ComponentId> used_;
  std::string fault_;
};

}  // namespace
}  // namespace detail

WorldJson to_json(const World& world, Undescribed undescribed) {
  const detail::Reading reading(detail::parts_of(world).store.guard(), "to_json",
                                detail::ReadableWhile::entities_complete);
  return detail::WorldToJson(world, undescribed).make();
}

Outcome write_json(const World& world, std::ostream& out, Undescribed undescribed) {
  WorldJson made = to_json(world, undescribed);
  if (!made.outcome) return std::move(made.outcome);
  out << made.json.dump(1) << '\n';
  return out ? Outcome::done()
             : Outcome::refused(
                   "the stream cannot be written: see that it is open and has space, then write again");
}

}  // namespace strata
