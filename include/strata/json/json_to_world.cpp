#include <cstring>
#include <optional>

#include "../../../core/value_buffer.hpp"
#include "../../../hierarchy/relations/relation_set.hpp"
#include "../../../storage/toggles.hpp"
#include "../detail/saved_world.hpp"
#include "components_reader.hpp"
#include "entity_paths.hpp"
#include "json_words.hpp"
#include "options_reader.hpp"
#include "strict_parsing.hpp"

namespace strata {
namespace detail {
namespace {

/// Reads a document into a world that has no entities yet.
class JsonToWorld : public ComponentsReader {
 public:
  JsonToWorld(const Json& json, World& world, const WorldParts& known)
      : ComponentsReader(json, world, known), paths_(world) {
    find_ = [this](const std::string& text, Entity& entity) { return paths_.find(text, entity); };
  }

  bool read() {
    const auto read_entities = [&](auto read_one) {
      return read_member(json_, "entities", [&](const Json& list) {
        std::size_t position = 0;
        return read_list(list, [&](const Json& json) { return read_one(json, position++); });
      });
    };
    return read_member(json_, "components", [&](const Json& json) { return read_components(json); }) &&
           read_member(json_, "relations", [&](const Json& json) { return read_relations(json); }) &&
           read_slots() &&
           read_entities([&](const Json& json, std::size_t i) { return read_entity(json, handles_[i]); }) &&
           read_entities([&](const Json& json, std::size_t i) { return read_values(json, handles_[i]); }) &&
           read_entities([&](const Json& json, std::size_t i) { return read_pairs(json, handles_[i]); }) &&
           read_entities([&](const Json& json, std::size_t i) { return read_facts(json, handles_[i]); }) &&
           read_member(json_, "resources", [&](const Json& json) { return read_resources(json); });
  }

 private:
  /// Creates the slots of the world (the entries of its table of entities), one for each handle in three lists of the
  /// document: "entities" has the live entities, "free" the handles that new entities get, and "retired" the handles
  /// whose slots are not used again.
  bool read_slots() {
    std::vector<Entity> free;
    std::vector<Entity> retired;
    const auto read_all = [&](const char* name, std::vector<Entity>& handles) {
      return read_member(json_, name, [&](const Json& list) {
        return read_list(list, [&](const Json& json) { return read_handle(json, handles.emplace_back()); });
      });
    };
    const bool is_read = read_all("free", free) && read_all("retired", retired) &&
                         read_member(json_, "entities", [&](const Json& list) {
                           return read_list(list, [&](const Json& json) { return read_own_handle(json); });
                         });
    return is_read && make_slots(free, retired);
  }
  bool read_own_handle(const Json& json) {
    if (!check_members(json, {"entity", "name", "parent", "layer", "layout", "disabled", "prefab",
                              "components", "off", "pairs"}))
      return false;
    const auto found = json.find("entity");
    if (found == json.end()) return refuse("lacks the member \"entity\"");
    const Part part(place_, "entity");
    return read_handle(*found, handles_.emplace_back()) && (handles_.back() || refuse("is not a handle"));
  }
  bool make_slots(const std::vector<Entity>& free, const std::vector<Entity>& retired) {
    const std::size_t size = handles_.size() + free.size() + retired.size();
    std::vector<std::uint32_t> generations(size);
    std::vector<bool> is_given(size);
    std::array<std::vector<std::uint32_t>, 3> indices;
    std::size_t list = 0;
    for (const std::vector<Entity>* const handles :
         std::array<const std::vector<Entity>*, 3>{&handles_, &free, &retired}) {
      for (const Entity handle : *handles) {
        if (handle.index() >= size || is_given[handle.index()])
          return refuse(
              "names slot " + std::to_string(handle.index()) +
              " twice, or not all of the slots before it among \"entities\", \"free\" and \"retired\"");
        is_given[handle.index()] = true;
        generations[handle.index()] = handle.generation();
        indices[list].push_back(handle.index());
      }
      ++list;
    }
    if (!parts_.store.slots().restore(generations, indices[1], indices[2]))
      return refuse("has more slots than WorldOptions::max_entities, or handles that its options rule out");
    parts_.store.rows().changes().moved().reserve(size);
    return true;
  }

  /// Creates the row of `entity`, whose slot exists already, in a table without components. `json` has the path of its
  /// parent, if any, and its name.
  /// Returns: false if one of these is invalid; the error is recorded then.
  bool read_entity(const Json& json, Entity entity) {
    Entity parent;
    const bool is_read = read_member(json, "parent", [&](const Json& text) {
      return (text.is_string() && paths_.find(text.get_ref<const std::string&>(), parent) &&
              world_.alive(parent)) ||
             refuse("is no entity that comes before this one");
    });
    if (!is_read) return false;
    Archetype& none = parts_.store.archetypes().empty();
    if (parent) {
      parts_.hierarchy.append_below(parent.index(), none, entity);
    } else {
      Table& table = parts_.store.tables().get(none, parts_.store.tables().root());
      parts_.store.make_room_for_row(table, entity);
      parts_.store.append_row(table, entity);
    }
    if (!read_member(json, "name", [&](const Json& text) { return read_name(text, entity); })) return false;
    paths_.add(entity);
    return true;
  }
  bool read_name(const Json& json, Entity entity) {
    std::string name;
    if (!json_to_text(json, name)) return refuse("is not a text");
    const Outcome named = world_.names().set(entity, name);
    return named ? true : refuse("is refused: " + named.message());
  }

  bool read_values(const Json& json, Entity entity) {
    return read_member(json, "components", [&](const Json& components) {
      return read_members(components, [&](const std::string& name, const Json& value) {
        ComponentId id{};
        return find_component(name, id) && read_component(value, entity, parts_.store.registry()[id], id);
      });
    });
  }
  bool read_component(const Json& json, Entity entity, const ComponentInfo& info, ComponentId id) {
    if (info.is_tag()) {
      if (json != true) return refuse("is a tag, whose value is true");
      static_cast<void>(add_uninitialised(entity, info, id));
      return true;
    }
    return with_value(json, info, [&](void* value) {
      void* const place = add_uninitialised(entity, info, id);
      info.relocate_values(place, value, 1);
    });
  }
  /// Adds a component to an entity, but not the components that it requires: the document lists all of them.
  /// Returns: the address at which the caller constructs the value; null for a tag.
  void* add_uninitialised(Entity entity, const ComponentInfo& info, ComponentId id) {
    if (info.storage == Storage::sparse) return parts_.store.side().get(id).insert(entity).value;
    const Place place = parts_.store.add_to_row(parts_.store.slots().place_of(entity.index()), id).place;
    return info.is_tag() ? nullptr
                         : place.block->value(place.block->format->prefix_of(id), place.row, info.size);
  }
  /// Builds a value from JSON in a temporary buffer. Then calls `take(void*)`, which moves the value out of the buffer.
  /// Returns: false if the JSON is not a valid value of the component; `take` was not called then.
  template <class Take>
  bool with_value(const Json& json, const ComponentInfo& info, Take take) {
    ValueBuffer buffer(info, parts_.store.memory());
    void* const value = buffer.get();
    info.value->make != nullptr ? info.value->make(value, 1)
                                : static_cast<void>(std::memset(value, 0, info.size));
    Rollback destroy([&] { info.destroy_values(value, 1); });
    if (!json_to_value(json, *info.value, value, place_, find_)) return false;
    take(value);
    destroy.dismiss();
    return true;
  }

  bool read_pairs(const Json& json, Entity source) {
    return read_member(json, "pairs", [&](const Json& relations) {
      return read_members(relations, [&](const std::string& name, const Json& list) {
        ComponentId id{};
        if (!find_component(name, id)) return false;
        Pairs* const pairs = parts_.hierarchy.relations().find(id);
        if (pairs == nullptr) return refuse("is not among the \"relations\" of the document");
        return read_list(list, [&](const Json& pair) { return read_pair(pair, *pairs, source); });
      });
    });
  }
  bool read_pair(const Json& json, Pairs& pairs, Entity source) {
    Entity target;
    const bool is_tag = pairs.component().is_tag();
    if (!check_members(json, {"to", "value"})) return false;
    if (!json.contains("to") || json.contains("value") == is_tag)
      return refuse(is_tag ? "lacks the member \"to\", or has a value although the relation is a tag"
                           : "lacks one of the members \"to\" and \"value\"");
    const bool is_read = read_member(json, "to", [&](const Json& text) {
      return (text.is_string() && paths_.find(text.get_ref<const std::string&>(), target) &&
              world_.alive(target)) ||
             refuse("is no entity of the document");
    });
    if (!is_read) return false;
    RelationSet& relations = parts_.hierarchy.relations();
    const Outcome may = relations.may_add(pairs.id(), source, target);
    if (!may || pairs.find(source, target) || pairs.displaces(source, target))
      return refuse("is a pair that cannot be added: " + (may ? "there is another one" : may.message()));
    if (is_tag) {
      relations.add(pairs, source, target, {pairs.id(), nullptr, nullptr}, {});
      return true;
    }
    const Part part(place_, "value");
    return with_value(json["value"], pairs.component(), [&](void* value) {
      relations.add(
          pairs, source, target,
          {pairs.id(), value,
           [](const ComponentInfo& of, void* to, void* from) noexcept { of.relocate_values(to, from, 1); }},
          {});
    });
  }

  /// Reads whether an entity is disabled or a prefab, which of its components are switched off, its layer (the key that
  /// set_layer has set) and its layout (in which tables the rows of its children are). Called when all entities exist
  /// and have their components: a component must exist before it is switched off, and disabling a subtree changes all
  /// entities in it.
  bool read_facts(const Json& json, Entity entity) {
    for (const State state : kStates) {
      const bool is_read = read_member(json, kStateWords[to_index(state)].data(), [&](const Json& list) {
        return read_list(list, [&](const Json& word) { return read_state(word, state, entity); });
      });
      if (!is_read) return false;
    }
    return read_member(json, "off",
                       [&](const Json& list) {
                         return read_list(list, [&](const Json& name) { return read_off(name, entity); });
                       }) &&
           read_member(json, "layer",
                       [&](const Json& key) {
                         std::int32_t layer = 0;
                         if (!read_number(key, layer)) return false;
                         world_.set_layer(entity, layer);
                         return true;
                       }) &&
           read_member(json, "layout", [&](const Json& word) {
             Layout layout{};
             if (!read_enum(word, kLayoutWords, layout)) return false;
             world_.set_layout(entity, layout);
             return true;
           });
  }

  bool read_resources(const Json& json) {
    ResourceList& resources = list_of(parts_.resources);
    return read_members(json, [&](const std::string& name, const Json& value) {
      const ResourceType* const type = resources.find_type(name);
      if (type == nullptr || !type->is_saved)
        return refuse(
            "is no resource that the program knows: add its type to the resources of the world that is "
            "given");
      if (type->value_type() == nullptr || type->make == nullptr)
        return refuse("is not described in the program, or has no default constructor");
      resources.reserve(*type);
      ResourceNode& made = make_first_resource(*type, resources.memory());
      resources.put(made);
      return json_to_value(value, *type->value_type(), const_cast<void*>(type->value_of(made)), place_,
                           find_);
    });
  }

  bool read_state(const Json& json, State state, Entity entity) {
    const bool is_subtree = json == "subtree";
    if (!is_subtree && json != "itself") return refuse("is neither \"itself\" nor \"subtree\"");
    const bool is_new = is_subtree ? parts_.states.set_subtree(state, entity, true, "from_json")
                                   : parts_.states.set(state, entity, true, "from_json");
    return is_new || refuse("is there twice");
  }
  bool read_off(const Json& json, Entity entity) {
    ComponentId id{};
    if (!json.is_string()) return refuse("is not the name of a component");
    if (!find_component(json.get<std::string>(), id)) return false;
    if (!parts_.store.registry()[id].can_toggle) return refuse("cannot be switched off in the program");
    return toggle_component(parts_.store, entity, id, false) ||
           refuse("is no component of the entity, or is there twice");
  }

  EntityPaths paths_;
  std::function<bool(const std::string&, Entity&)> find_;
  std::vector<Entity> handles_;  // The handles of entities, by position in the document.
};

LoadedWorld refused(const std::string& why, const WorldOptions& options) {
  return {Outcome::refused("the world cannot be read: " + why), World(options)};
}

}  // namespace
}  // namespace detail

LoadedWorld from_json(const Json& json, const World& known, WorldOptions options) {
  WorldOptions own = options;
  detail::OptionsReader head(json);
  if (!head.read(own)) return detail::refused(head.fault(), options);
  World world = detail::make_empty_world(own, known);
  detail::ChangeNotifier& notifier = detail::parts_of(world).hierarchy.notifier();
  notifier.pause();  // Hooks are not called, not even when a world that is refused is destroyed.
  detail::JsonToWorld reader(json, world, detail::parts_of(known));
  if (!reader.read()) return detail::refused(reader.fault(), options);
  notifier.resume();
  return {Outcome::done(), std::move(world)};
}

LoadedWorld read_json(std::istream& in, const World& known, WorldOptions options) {
  std::string fault;
  const Json json = detail::parse_strictly(in, fault);
  if (!fault.empty()) return detail::refused(fault, options);
  return from_json(json, known, options);
}

}  // namespace strata
