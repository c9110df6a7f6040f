// Random components that require each other at random, against a map of values for each entity.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"

namespace strata::test::required_model_test {

namespace {

constexpr std::size_t kComponents = 7;
constexpr std::size_t kEntities = 6;

using Values = std::map<std::size_t, int>;  // Of one entity, by component.
using Reported =
    std::vector<std::pair<std::uint64_t, std::size_t>>;  // Which entities have got which components.

struct NotMade : std::runtime_error {
  NotMade() : std::runtime_error("a first value that is not made") {}
};

/// What the functions of the components know of the test that runs.
struct Running {
  static inline Reported told;
  static inline bool fails = false;  // Whether the next first value is not made.

  template <std::size_t component>
  static void added(World&, Entity entity, void*, const void*) {
    told.emplace_back(entity.bits(), component);
  }
  static int number_at(const void* source) {
    if (std::exchange(fails, false)) throw NotMade();
    return *static_cast<const int*>(source);
  }
  static void make_number(void* place, const void* source) { *static_cast<int*>(place) = number_at(source); }
  static void make_counted(void* place, const void* source) { ::new (place) Counted(number_at(source)); }
};

template <std::size_t... components>
constexpr std::array<ComponentHooks::Hook, kComponents> hooks_of_all(std::index_sequence<components...>) {
  return {Running::added<components>...};
}

enum class Kind : std::uint8_t { tag, number, counted };

class RequiredTest {
 public:
  RequiredTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {
    Running::told.clear();
    for (std::size_t component = 0; component < kComponents; ++component) describe_next(component);
  }

  void turn() {
    const std::size_t number = bytes_.below(kEntities);
    const std::size_t component = bytes_.below(kComponents);
    const int value = static_cast<int>(bytes_.below(100));
    const Entity entity = number < entities_.size() ? entities_[number] : Entity();
    before_ = model_;
    switch (bytes_.below(10)) {
      case 0:
        return create(bytes_.chance(2));
      case 1:
        return destroy(entity);
      case 2:
      case 3:
        return add(entity, component, value, bytes_.chance(4));
      case 4:
        return remove(entity, component);
      case 5:
      case 6:
      case 7:
        return record(entity, component, value, bytes_.below(8));
      case 8:
        return add_many(component, value, bytes_.chance(4));
      default:
        return bytes_.chance(2) ? flush(bytes_.chance(4)) : move(component);
    }
  }

  Disagreement compare() {
    std::sort(Running::told.begin(), Running::told.end());
    std::sort(expected_.begin(), expected_.end());
    if (observed_ && std::exchange(Running::told, {}) != expected_) return "other additions were told";
    expected_.clear();
    for (const auto& [bits, values] : model_) {
      const auto entity = Entity::from_bits(bits);
      if (!world_.alive(entity)) return to_string(entity) + " is not alive";
      for (std::size_t component = 0; component < kComponents; ++component) {
        const auto found = values.find(component);
        const std::string name = " of component " + std::to_string(component) + ' ' + to_string(entity);
        if (std::as_const(world_).has(entity, ids_[component]) != (found != values.end()))
          return "presence" + name;
        if (found != values.end() && read(entity, component) != found->second) return "the value" + name;
      }
    }
    if (world_.size() != model_.size()) return "the number of entities";
    const Outcome valid = world_.validate();
    return valid ? Disagreement() : valid.message();
  }

 private:
  struct Recorded {
    enum class What : std::uint8_t { create, add, remove, destroy } what;
    Entity entity;
    std::size_t component = 0;
    int value = 0;
  };

  /// Describes a component that requires some of those before it.
  void describe_next(std::size_t component) {
    bytes_.turn();
    if (component == 0) observed_ = bytes_.chance(2);
    kinds_[component] = static_cast<Kind>(bytes_.below(3));
    std::vector<Requirement> required;
    for (std::size_t other = 0; other < component; ++other) {
      first_values_[component][other] = static_cast<int>(component * 1000 + other);
      if (!bytes_.chance(3)) continue;
      required.insert(required.begin(),
                      {.name = names_[other],
                       .make = kinds_[other] == Kind::counted ? Running::make_counted : Running::make_number,
                       .source = &first_values_[component][other]});
      requires_[component].insert(requires_[component].begin(), other);
      log_(component, " requires ", other);
    }
    ComponentInfo info = kinds_[component] == Kind::counted ? describe<Counted>() : ComponentInfo();
    info.name = names_[component];
    info.type = nullptr;
    if (kinds_[component] == Kind::number) info.size = info.alignment = sizeof(int);
    info.storage = bytes_.chance(2) ? Storage::sparse : Storage::table;
    if (observed_) info.hooks.on_add = hooks_of_all(std::make_index_sequence<kComponents>())[component];
    info.requirements = required;
    ids_[component] = world_.component(info);
  }

  int stored(std::size_t component, int value) const { return kinds_[component] == Kind::tag ? 0 : value; }
  int read(Entity entity, std::size_t component) {
    const void* const value = std::as_const(world_).find(entity, ids_[component]);
    if (kinds_[component] == Kind::tag) return 0;
    return kinds_[component] == Kind::number ? *static_cast<const int*>(value)
                                             : static_cast<const Counted*>(value)->value();
  }

  /// Calls `take` with a value of the component, whose lifetime it ends; null for a tag.
  template <class Take>
  void with_value(std::size_t component, int value, Take take) {
    alignas(Counted) std::byte place[sizeof(Counted)];
    if (kinds_[component] == Kind::tag) return take(nullptr);
    if (kinds_[component] == Kind::counted) {
      ::new (static_cast<void*>(place)) Counted(value);
    } else {
      ::new (static_cast<void*>(place)) int(value);
    }
    try {
      take(static_cast<void*>(place));
    } catch (...) {
      if (kinds_[component] == Kind::counted) reinterpret_cast<Counted*>(place)->~Counted();
      throw;
    }
  }

  // The model: what is nearer comes first, and each component is added once.

  void model_add(Values& values, std::size_t component, int value) const {
    if (values.count(component) == 0) {
      std::vector<std::pair<std::size_t, std::size_t>> near;  // A component, and the one that requires it.
      const auto append = [&](std::size_t of) {
        for (const std::size_t required : requires_[of]) near.emplace_back(required, of);
      };
      append(component);
      for (std::size_t i = 0; i < near.size(); ++i) {
        const auto [required, by] = near[i];
        const auto is_it = [&, it = required](const auto& other) { return other.first == it; };
        if (std::find_if(near.begin(), near.end(), is_it) - near.begin() != static_cast<std::ptrdiff_t>(i))
          continue;
        append(required);
        values.emplace(required, stored(required, first_values_[by][required]));
      }
    }
    values[component] = stored(component, value);
  }
  /// Notes what entities have got since `before_`.
  void expect_additions() {
    for (const auto& [bits, values] : model_) {
      for (const auto& [component, value] : values) {
        const auto found = before_.find(bits);
        if (found == before_.end() || found->second.count(component) == 0)
          expected_.emplace_back(bits, component);
      }
    }
    before_ = model_;
  }

  void create(bool later) {
    if (entities_.size() == kEntities) return;
    entities_.push_back(later ? world_.commands().create() : world_.create());
    log_(later ? "create later " : "create ", entities_.back());
    if (later) {
      recorded_.push_back({Recorded::What::create, entities_.back()});
    } else {
      model_[entities_.back().bits()];
    }
  }
  void destroy(Entity entity) {
    log_("destroy ", entity);
    world_.destroy(entity);
    if (model_.erase(entity.bits()) != 0) std::erase(entities_, entity);
  }
  void add(Entity entity, std::size_t component, int value, bool fails) {
    if (!world_.alive(entity)) return;
    log_("add ", component, '=', value, " to ", entity,
         fails ? ", which fails if a first value is made" : "");
    Running::fails = fails;
    try {
      with_value(component, value, [&](void* place) { world_.add(entity, ids_[component], place); });
      model_add(model_[entity.bits()], component, value);
    } catch (const NotMade&) {
    }
    Running::fails = false;
    expect_additions();
  }
  /// While additions are observed, World adds to one entity after the other.
  void add_many(std::size_t component, int value, bool fails) {
    if (observed_) return;
    log_("add ", component, '=', value, " to all", fails ? ", which fails if a first value is made" : "");
    detail::Store& store = detail::parts_of(world_).store;
    const Counted counted(value);
    const void* const given =
        kinds_[component] == Kind::counted ? static_cast<const void*>(&counted) : &value;
    Running::fails = fails;
    try {
      const detail::Store::Change change(store, "add", Entity());
      detail::EntitySelection selection(store, true);
      selection.add(entities_);
      detail::MassAdditions(store).add(ids_[component], given, selection);
      for (auto& [bits, values] : model_) model_add(values, component, value);
    } catch (const NotMade&) {
    }
    Running::fails = false;
  }
  void remove(Entity entity, std::size_t component) {
    log_("remove ", component, " from ", entity);
    world_.remove(entity, ids_[component]);
    if (const auto found = model_.find(entity.bits()); found != model_.end()) found->second.erase(component);
  }
  void record(Entity entity, std::size_t component, int value, std::size_t what) {
    if (!entity) return;
    CommandBuffer& buffer = detail::parts_of(world_).commands.buffer();
    if (what == 0) {
      log_("destroy later ", entity);
      world_.commands().destroy(entity);
      recorded_.push_back({Recorded::What::destroy, entity});
    } else if (what < 3) {
      log_("remove ", component, " later from ", entity);
      buffer.remove(entity, ids_[component]);
      recorded_.push_back({Recorded::What::remove, entity, component});
    } else {
      log_("add ", component, '=', value, " later to ", entity);
      with_value(component, value, [&](void* place) { buffer.add(entity, ids_[component], place); });
      recorded_.push_back({Recorded::What::add, entity, component, value});
    }
  }
  void flush(bool fails) {
    log_("flush", fails ? ", which fails if a first value is made" : "");
    Running::fails = fails;
    try {
      world_.flush();
    } catch (const NotMade&) {
      world_.flush();
    }
    Running::fails = false;
    for (const Recorded& command : std::exchange(recorded_, {})) {
      const std::uint64_t bits = command.entity.bits();
      if (command.what == Recorded::What::create) model_[bits];
      if (command.what == Recorded::What::destroy) expect_additions();  // What is before it is applied first.
      const auto found = model_.find(bits);
      if (found == model_.end()) continue;
      if (command.what == Recorded::What::add) model_add(found->second, command.component, command.value);
      if (command.what == Recorded::What::remove) found->second.erase(command.component);
      if (command.what != Recorded::What::destroy) continue;
      model_.erase(found);
      std::erase(entities_, command.entity);
    }
    expect_additions();
  }
  void move(std::size_t component) {
    const bool beside = world_.storage(ids_[component]) == Storage::sparse;
    log_("move ", component, beside ? " to tables" : " to the side store");
    world_.set_storage(ids_[component], beside ? Storage::table : Storage::sparse);
  }

  using CommandBuffer = detail::CommandBuffer;

  Bytes& bytes_;
  Log& log_;
  World world_;
  bool observed_ = false;
  std::array<std::string, kComponents> names_{"a", "b", "c", "d", "e", "f", "g"};
  std::array<ComponentId, kComponents> ids_{};
  std::array<Kind, kComponents> kinds_{};
  std::array<std::vector<std::size_t>, kComponents> requires_;
  std::array<std::array<int, kComponents>, kComponents> first_values_{};
  std::vector<Entity> entities_;
  std::vector<Recorded> recorded_;
  std::map<std::uint64_t, Values> model_;
  std::map<std::uint64_t, Values> before_;  // The model before the operation.
  Reported expected_;
};

Disagreement required_components_agree(Bytes& bytes, Log& log) {
  const CountedScope counted;
  {
    RequiredTest test(bytes, log);
    while (bytes.turn()) {
      test.turn();
      if (Disagreement disagreement = test.compare()) return disagreement;
    }
  }
  if (!counted.clean()) return "a value was leaked or misused";
  return {};
}

}  // namespace

TEST_SUITE("api/required") {
  STRATA_MODEL_TEST("components that require each other behave like maps of values",
                    required_components_agree, .runs = 120);
}

}  // namespace strata::test::required_model_test
